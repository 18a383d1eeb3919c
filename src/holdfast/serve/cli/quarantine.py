"""Raw output, kept apart: `holdfast capture` puts in, `holdfast quarantine` looks and deletes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from holdfast.serve.cli.draw import DIM, clock, record, words
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At
from holdfast.serve.cli.write import parsed, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from holdfast.model.memory import Capture

app = typer.Typer(help="Look at what is kept apart, as an owner or auditor.")


@spread
def capture(
    house: House,
    content: Annotated[str, typer.Argument(help="Raw output; - reads it from standard input.")],
    *,
    session: Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")] = None,
    metadata: Annotated[str | None, typer.Option("--metadata", help="Its context, as a JSON object.")] = None,
    at: At = None,
) -> None:
    """Keep raw output in quarantine, where no recall reaches it."""
    more: dict[str, Any] = {"session": session} if session else {}
    if at:
        more["at"] = moment("--at", at)
    context = parsed("--metadata", metadata) if metadata else None
    with house.entered() as me:
        house.tell(me.capture(typed(content), metadata=context, **more), record)


@app.callback(invoke_without_command=True)
@spread
def quarantine(
    ctx: typer.Context,
    house: House,
    *,
    after: Annotated[str, typer.Option("--after", help="The page after this id.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 20,
) -> None:
    """Look at what is kept apart, as an owner or auditor."""
    if ctx.invoked_subcommand is None:
        with house.entered() as me:
            house.tell(me.captures(after=after, limit=limit), _drawn)


@app.command()
@spread
def drop(
    house: House, id: Annotated[str, typer.Argument(help="The id of a capture.", show_default=False)]
) -> None:
    """Delete an entry of quarantine; only an owner may."""
    with house.entered() as me:
        me.drop_capture(id)
        house.tell({"dropped": id}, lambda _: words(f"dropped {id}"))


def _drawn(found: Sequence[Capture]) -> RenderableType:
    if not found:
        return Text("Quarantine is empty.", style=DIM)
    lines = []
    for entry in found:
        told = (entry.id, clock(entry.at), entry.author, entry.session, entry.reason)
        lines += [words(entry.content), words("  " + "  ".join(part for part in told if part), DIM)]
    return Group(*lines)
