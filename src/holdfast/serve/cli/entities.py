"""Entities from the terminal: `holdfast entity store|note|retrieve|list|conflicts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.text import Text

from holdfast.serve.cli import draw
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At, Query
from holdfast.serve.cli.write import Placed, tell, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from holdfast.model.conflict import MemoryConflict
    from holdfast.model.hit import Hit

app = typer.Typer(
    help="Keep and find entities: part numbers, names, phones and the like.", no_args_is_help=True
)

Type = Annotated[str, typer.Argument(help="The type, as part_number.", show_default=False)]
Value = Annotated[str, typer.Argument(help="The value, as RM05-008.", show_default=False)]


@app.command()
@spread
def store(house: House, entity_type: Type, entity_value: Value, *, details: Placed) -> None:
    """Keep an entity; the same again adds a mention."""
    with house.entered() as me:
        tell(house, me.store_entity(entity_type, entity_value, **details.told()))


@app.command()
@spread
def note(
    house: House,
    text: Annotated[str, typer.Argument(help="What was said; - reads standard input.", show_default=False)],
    *,
    at: At = None,
) -> None:
    """Find the entities of a text and keep them, with what was meant with each."""
    with house.entered() as me:
        house.tell(me.note_entities(typed(text), at=moment("--at", at)), draw.outcomes)


@app.command()
@spread
def retrieve(
    house: House,
    query: Query,
    *,
    min_confidence: Annotated[
        float | None, typer.Option("--min-confidence", help="Only as sure as this.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 5,
    at: At = None,
) -> None:
    """Find entities: the most relevant, most used, freshest."""
    with house.entered() as me:
        found = me.retrieve_entities(query, min_confidence=min_confidence, limit=limit, at=moment("--at", at))
        house.tell(found, _hits)


@app.command("list")
@spread
def list_(
    house: House,
    entity_type: Annotated[str | None, typer.Argument(help="Only this type.")] = None,
    *,
    after: Annotated[str, typer.Option("--after", help="The page after this id.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 100,
) -> None:
    """List entities, a page at a time."""
    with house.entered() as me:
        house.tell(me.get_user_entities(entity_type, after=after, limit=limit), draw.memories)


@app.command()
@spread
def conflicts(
    house: House,
    entity_type: Type,
    entity_value: Value,
    *,
    confidence: Annotated[
        float | None, typer.Option("--confidence", "-c", help="How sure, from 0 to 1.")
    ] = None,
    at: At = None,
) -> None:
    """Show what storing a value would conflict with; changes nothing."""
    with house.entered() as me:
        now = moment("--at", at)
        house.tell(me.detect_conflicts(entity_type, entity_value, confidence=confidence, at=now), _conflicts)


def _hits(found: Sequence[Hit]) -> RenderableType:
    if not found:
        return Text("Nothing found.", style=draw.DIM)
    return Group(
        *(
            Group(
                Text(f"{hit.score:.2f}  ", style="bold").append_text(draw.one(hit.memory)),
                draw.about(hit.memory),
            )
            for hit in found
        )
    )


def _conflicts(found: Sequence[MemoryConflict]) -> RenderableType:
    if not found:
        return Text("No conflict.", style=draw.DIM)
    return Group(
        *(
            Group(
                Text(f"{conflict.similarity:.2f}  ", style="bold").append_text(draw.one(conflict.memory)),
                draw.words(f"  storing it: {conflict.resolution}  {'; '.join(conflict.reasons)}", draw.DIM),
            )
            for conflict in found
        )
    )
