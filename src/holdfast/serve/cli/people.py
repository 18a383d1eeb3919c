"""The commands of a person who decides: pending, approve and reject."""

from __future__ import annotations

from typing import Annotated

import typer

from holdfast.serve.cli import draw
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At, Id
from holdfast.serve.cli.write import Reason, end, tell


@spread
def pending(
    house: House,
    after: Annotated[str, typer.Option("--after", help="The page after this id.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 100,
) -> None:
    """List what waits for a person, oldest first."""
    with house.entered() as me:
        house.tell(me.pending(after=after, limit=limit), draw.memories)


@spread
def approve(
    house: House,
    ids: Annotated[list[str], typer.Argument(help="Ids of memories that wait.", show_default=False)],
    at: At = None,
) -> None:
    """Let memories in, all in one action; they count as verified."""
    with house.entered() as me:
        results = me.approve(*ids, at=moment("--at", at))
        house.tell(results, draw.outcomes)
        end(results)


@spread
def reject(house: House, id: Id, reason: Reason = "", *, at: At = None) -> None:
    """Turn a memory away that waits."""
    with house.entered() as me:
        tell(house, me.reject(id, reason, at=moment("--at", at)))


@spread
def review(
    house: House,
    id: Id,
    reason: Annotated[str, typer.Argument(help="What is to be looked at.", show_default=False)],
    *,
    at: At = None,
) -> None:
    """Mark a memory for review: it stays, and a person is asked about it."""
    with house.entered() as me:
        tell(house, me.mark_for_review(id, reason, at=moment("--at", at)))
