"""The commands of the way in: remember, revise, negate, affirm, forget, restore, archive, attach and undo."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.errors import InvalidInput
from holdfast.model.layer import Decision
from holdfast.serve.cli import complete, draw
from holdfast.serve.cli.codes import Code
from holdfast.serve.cli.options import House, moment, spread, told
from holdfast.serve.cli.read import At, Id

if TYPE_CHECKING:
    from holdfast.model.plan import Outcome

NOT_KEPT = (Decision.REFUSED, Decision.LOGGED)

Reason = Annotated[str, typer.Argument(help="Why, in a few words.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What can be told of a memory beside its words, now or later."""

    kind: Annotated[
        str | None, typer.Option("--kind", "-k", help="What it is about.", autocompletion=complete.kinds)
    ] = None
    confidence: Annotated[float | None, typer.Option("--confidence", "-c", help="How sure, from 0 to 1.")] = (
        None
    )
    priority: Annotated[
        str | None,
        typer.Option("--priority", help="low, medium or high.", autocompletion=complete.priorities),
    ] = None
    sensitivity: Annotated[int | None, typer.Option("--sensitivity", help="0 public to 3 secret.")] = None
    importance: Annotated[float | None, typer.Option("--importance", help="Importance to start with.")] = None
    source: Annotated[str | None, typer.Option("--source", help="Where it comes from.")] = None
    expires_at: Annotated[str | None, typer.Option("--expires-at", help="Until when it holds.")] = None
    speaker: Annotated[str | None, typer.Option("--speaker", help="Who said it.")] = None
    label: Annotated[str | None, typer.Option("--label", help="A name to find it by.")] = None
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag (repeatable).")] = None
    metadata: Annotated[str | None, typer.Option("--metadata", help="Anything else, as a JSON object.")] = (
        None
    )
    at: At = None

    def told(self) -> dict[str, Any]:
        """As the verbs take it."""
        said = told(self)
        if "metadata" in said:
            said["metadata"] = parsed("--metadata", said["metadata"])
        for name in ("at", "expires_at"):
            if name in said:
                said[name] = moment("--" + name.replace("_", "-"), said[name])
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Details):
    """What is told once, and stays."""

    layer: Annotated[
        str | None, typer.Option("--layer", help="fact, episode or session.", autocompletion=complete.layers)
    ] = None
    session: Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How words come in."""

    file: Annotated[
        str | None,
        typer.Option("--file", "-f", help="JSONL: a string or an object with content a line; - reads stdin."),
    ] = None
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile", "-p", help="Make the space, with this profile.", autocompletion=complete.profiles
        ),
    ] = None
    requires_approval: Annotated[
        bool, typer.Option("--requires-approval", help="Let it wait for a person.")
    ] = False


@spread
def remember(
    house: House,
    content: Annotated[
        str | None, typer.Argument(help="The words; - reads them from standard input.")
    ] = None,
    *,
    way: Way,
    details: Placed,
) -> None:
    """Keep a statement, or say why not."""
    if (content is None) == (way.file is None):
        raise InvalidInput(
            "CONTENT", "or --file is needed, and only one of them", "give the words, -, or --file FILE"
        )
    said = details.told() | ({"requires_approval": True} if way.requires_approval else {})
    if way.file is not None:
        from holdfast.serve.cli.bulk import remember_file

        end(remember_file(house, way.file, said, profile=way.profile))
        return
    with house.entered(way.profile) as me:
        tell(house, me.remember(typed(content or ""), **said))


def typed(content: str) -> str:
    """The words of an argument, or of standard input where it is `-`."""
    if content != "-":
        return content
    try:
        return sys.stdin.buffer.read().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input", f"is not UTF-8 ({error})", "convert it") from None


def parsed(option: str, value: str) -> Any:
    """JSON given on the command line."""
    try:
        return json.loads(value)
    except json.JSONDecodeError as error:
        raise InvalidInput(option, f"is not JSON ({error})", 'write it as {"key": "value"}') from None


def tell(house: House, result: Outcome) -> None:
    """Prints an outcome and ends with the code for what was not kept."""
    house.tell(result, draw.outcome)
    end([result])


def end(results: Iterable[Outcome]) -> None:
    """Ends with the code for what was not kept, where something was not."""
    if any(result.decision in NOT_KEPT for result in results):
        raise typer.Exit(Code.NOT_KEPT)


@spread
def revise(
    house: House,
    id: Id,
    content: Annotated[
        str | None, typer.Argument(help="The new words; - reads them from standard input.")
    ] = None,
    *,
    details: Details,
    version: Annotated[
        int | None, typer.Option("--version", help="Only if it is still this version.")
    ] = None,
) -> None:
    """Change the words or details of a memory; the old version stays in its history."""
    changes = details.told()
    at = changes.pop("at", None)
    if content is not None:
        changes["content"] = typed(content)
    with house.entered() as me:
        tell(house, me.revise(id, at=at, version=version, **changes))


@spread
def negate(
    house: House,
    id: Id,
    content: Annotated[str | None, typer.Argument(help="What is said instead.")] = None,
    *,
    at: At = None,
) -> None:
    """Take a memory back: it leaves recall at once and keeps its history."""
    with house.entered() as me:
        tell(house, me.negate(id, content, at=moment("--at", at)))


@spread
def affirm(house: House, id: Id, at: At = None) -> None:
    """Say a memory again; one that was taken back returns slowly."""
    with house.entered() as me:
        tell(house, me.affirm(id, at=moment("--at", at)))


@spread
def forget(house: House, id: Id, reason: Reason = "", *, at: At = None) -> None:
    """Hide a memory at once; it can be restored for 30 days."""
    with house.entered() as me:
        tell(house, me.forget(id, reason, at=moment("--at", at)))


@spread
def restore(
    house: House,
    id: Annotated[str | None, typer.Argument(help="The id of a memory.")] = None,
    *,
    to: Annotated[
        str | None, typer.Option("--to", help="Bring the whole space back to this time instead.")
    ] = None,
    at: At = None,
) -> None:
    """Bring back a memory that is deleted, archived, expired, superseded, rejected or merged."""
    if (id is None) == (to is None):
        raise InvalidInput("ID", "or --to is needed, and only one of them", "name a memory, or a time")
    with house.entered() as me:
        now = moment("--at", at)
        back = moment("--to", to)
        tell(house, me.restore(id or "", at=now) if back is None else me.restore_to(back, at=now))


@spread
def archive(house: House, id: Id, at: At = None) -> None:
    """Put a memory away: kept, but out of normal recall."""
    with house.entered() as me:
        tell(house, me.archive(id, at=moment("--at", at)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """What is attached."""

    modality: Annotated[str, typer.Option("--modality", "-m", help="text, image or audio.")]
    reference: Annotated[
        str | None, typer.Option("--reference", help="Where it is: a path or an address.")
    ] = None
    digest: Annotated[str | None, typer.Option("--digest", help="Its checksum.")] = None
    text: Annotated[str | None, typer.Option("--text", help="Its caption or transcript.")] = None


@spread
def attach(house: House, id: Id, *, attached: Attached, at: At = None) -> None:
    """Join an image or a recording to the memory it belongs to."""
    with house.entered() as me:
        tell(house, me.attach(id, at=moment("--at", at), **told(attached)))


@spread
def undo(
    house: House,
    change: Annotated[str, typer.Argument(help="The id of a change, as commands and the ledger print it.")],
    at: At = None,
) -> None:
    """Take a change back; the history keeps both."""
    with house.entered() as me:
        tell(house, me.undo(change, at=moment("--at", at)))
