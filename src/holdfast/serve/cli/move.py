"""`holdfast move` carries spaces from one house to another: from a directory to a server, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.serve.cli import draw, output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import TaskID

    from holdfast.moving import Moved


@spread
def move(
    house: House,
    *,
    to: Annotated[str, typer.Option("--to", help="Where to: a directory, or postgresql://…")],
    from_: Annotated[
        str | None, typer.Option("--from", help="Where from: a directory, or postgresql://…; else --home.")
    ] = None,
) -> None:
    """Carry every space and the keys (or one space, with --space) to another house.

    Each arrives whole and is proved by count and by hash. Stopped and called again it goes on.
    """
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from holdfast import moving
    from holdfast.engine import Holdfast

    home = house if from_ is None else replace(house, home=from_)
    spaces = None if house.space is None else [house.space]
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with (
        home.keeping("move") as hf,
        Holdfast(to, actor=house.who()) as other,
        Progress(*columns, console=output.aside(), transient=True) as progress,
    ):
        bars: dict[str, TaskID] = {}

        def told(space: str, done: int, of: int) -> None:
            if space not in bars:
                bars[space] = progress.add_task(output.safe(space), total=of)
            progress.update(bars[space], completed=done, total=of)

        moved = moving.move(hf, other, spaces, told=told)
    house.tell(moved, _moved)


def _moved(moved: Sequence[Moved]) -> RenderableType:
    from rich.table import Table

    table = Table("space", "arrived")
    for name in ("changes", "memories", "captures", "jobs"):
        table.add_column(name, justify="right")
    table.add_column("same in both houses")
    for one in moved:
        counts = (one.entries, one.memories, one.captures, one.jobs)
        when = "now" if one.carried else "before"
        table.add_row(draw.words(one.space), when, *(f"{count:,}" for count in counts), one.digest[:16])
    return table
