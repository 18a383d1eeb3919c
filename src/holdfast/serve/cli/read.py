"""The commands of the way out: recall, context, list, show, why, history, stats and ledger."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.model import check
from holdfast.serve.cli import complete, draw, output, trace
from holdfast.serve.cli.options import House, moment, spread, told

if TYPE_CHECKING:
    from holdfast.model.plan import Entry
    from holdfast.space import Space

PAGE = 10_000  # entries of the ledger read at once, the most there is

Query = Annotated[str, typer.Argument(help="The question, in Chinese or English.", show_default=False)]
Id = Annotated[
    str, typer.Argument(help="The id of a memory, as recall and list print it.", show_default=False)
]
At = Annotated[str | None, typer.Option("--at", help="Act as of this time (ISO 8601 with a zone); else now.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """How to recall."""

    mode: Annotated[
        str | None,
        typer.Option("--mode", help="normal, review or debug.", autocompletion=complete.modes),
    ] = None
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Recall as if it were then: nothing later is known.")
    ] = None
    at: At = None

    def told(self) -> dict[str, Any]:
        """As the verbs take it."""
        return {**told(self), **_moments(self, "as_of", "at")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to list."""

    layer: Annotated[
        list[str] | None,
        typer.Option("--layer", help="Only this layer (repeatable).", autocompletion=complete.layers),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", help="Only this kind (repeatable).", autocompletion=complete.kinds),
    ] = None
    status: Annotated[
        list[str] | None,
        typer.Option("--status", help="Only this status (repeatable).", autocompletion=complete.statuses),
    ] = None
    entity_type: Annotated[str | None, typer.Option("--entity-type", help="Only entities of this type.")] = (
        None
    )
    session: Annotated[str | None, typer.Option("--session", help="Only of this session.")] = None
    tags: Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag (repeatable).")] = None
    since: Annotated[str | None, typer.Option("--since", help="Created at or after this time.")] = None
    until: Annotated[str | None, typer.Option("--until", help="Created before this time.")] = None
    after: Annotated[str | None, typer.Option("--after", help="The page after this id.")] = None
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 20
    newest_first: Annotated[bool, typer.Option("--newest", help="The newest first.")] = False

    def told(self) -> dict[str, Any]:
        """As the verb takes it."""
        return {**told(self), **_moments(self, "since", "until")}


def _moments(options: object, *names: str) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in names}
    return {n: moment("--" + n.replace("_", "-"), value) for n, value in given.items() if value is not None}


@spread
def recall(
    house: House,
    query: Query,
    *,
    sought: Sought,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", help="At most this many; else the profile's.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each was found.")] = False,
) -> None:
    """Find what is remembered about a question, best first."""
    with house.entered() as me:
        asked = sought.told() if limit is None else {**sought.told(), "limit": limit}
        answer = me.recall(query, **asked)
        if explain:
            house.tell(output.with_reasons(answer), lambda _: draw.explained(answer))
        else:
            house.tell(answer, draw.answer)


@spread
def context(
    house: House,
    query: Query,
    *,
    sought: Sought,
    budget: Annotated[
        int | None, typer.Option("--budget", "-b", help="Tokens at most; else the profile's.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print only the text, ready for a prompt.")] = False,
) -> None:
    """Pack a prompt's worth of memory within a budget of tokens."""
    with house.entered() as me:
        packed = me.context(query, budget=budget, **sought.told())
        if text and not house.as_json:
            output.print_text(packed.text)
        else:
            house.tell(packed, draw.context)


@spread
def list_(house: House, wanted: Wanted) -> None:
    """List memories, a page at a time; deleted ones only where --status asks for them."""
    with house.entered() as me:
        house.tell(me.list(**wanted.told()), draw.memories)


@spread
def show(house: House, id: Id) -> None:
    """Show everything that is known of a memory."""
    with house.entered() as me:
        house.tell(me.get(id), draw.record)


@spread
def why(house: House, id: Id) -> None:
    """Show where a memory comes from, back to the first words."""
    with house.entered() as me:
        house.tell(me.why(id), trace.why)


@spread
def history(
    house: House,
    id: Id,
    weights: Annotated[bool, typer.Option("--weights", help="Show the log of its weight instead.")] = False,
) -> None:
    """Show every version of a memory, oldest first."""
    with house.entered() as me:
        if weights:
            house.tell(me.weights(id), trace.weights)
        else:
            house.tell(me.history(id), trace.versions)


@spread
def stats(house: House, at: At = None) -> None:
    """Show how a space stands: counts by layer and status, average weight, waiting work."""
    with house.entered() as me:
        house.tell(me.stats(at=moment("--at", at)), draw.record)


@spread
def ledger(
    house: House,
    *,
    memory: Annotated[str, typer.Option("--memory", help="Only changes of this memory.")] = "",
    after: Annotated[
        int | None, typer.Option("--after", help="The page after this entry, in place of the newest.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 20,
) -> None:
    """Show the newest history of a space, the last change at the end: who changed what, when and why."""
    with house.entered() as me:
        if after is None:
            house.tell(_newest(me, limit, memory), trace.entries)
        else:
            house.tell(me.ledger(after=after, limit=limit, memory=memory), trace.entries)


def _newest(me: Space, limit: int, memory: str) -> list[Entry]:
    """The last entries, oldest first. The ledger is read by pages, of which only so many entries are kept."""
    check.whole("limit", limit, low=1, high=PAGE)
    newest: deque[Entry] = deque(maxlen=limit)
    page = me.ledger(limit=PAGE, memory=memory)
    while page:
        newest.extend(page)
        page = me.ledger(after=page[-1].number, limit=PAGE, memory=memory) if len(page) == PAGE else []
    return list(newest)
