"""`holdfast reembed` gives spaces another embedder, `holdfast calibrate` says what one's cosines mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.errors import InvalidInput
from holdfast.serve.cli import draw, output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.engine import Holdfast
    from holdfast.remember.reembed import Reembedded
    from holdfast.settings import EmbedderSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The embedder meant; what is not said is as the settings have it."""

    to: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="use, sentence-transformers, endpoint or hashing."),
    ] = None
    model: Annotated[str | None, typer.Option("--model", help="Which model of it.")] = None
    url: Annotated[str | None, typer.Option("--url", help="Address of an endpoint, as https://…/v1.")] = None
    dimensions: Annotated[int, typer.Option("--dimensions", help="How long its vectors are.", min=0)] = 0

    def settings(self, now: EmbedderSettings) -> EmbedderSettings | None:
        """What `--to` names, with the key, the time limit and the calibration of the settings."""
        if self.to is None:
            if self.model or self.url or self.dimensions:
                raise InvalidInput("--to", "is not given", "name the embedder with --to")
            return None
        same = now.name == self.to
        return replace(
            now,
            name=self.to,
            model=self.model or (now.model if same else ""),
            base_url=self.url or now.base_url,
            dimensions=self.dimensions or (now.dimensions if same and not self.model else 0),
        )


@spread
def reembed(
    house: House,
    wanted: Wanted,
    *,
    back: Annotated[bool, typer.Option("--back", help="Return to the embedder before this one.")] = False,
    drop_old: Annotated[
        bool, typer.Option("--drop-old", help="Then throw the vectors of the one before away.")
    ] = False,
    all_spaces: Annotated[bool, typer.Option("--all", help="Every space of the house.")] = False,
) -> None:
    """Give a space another embedder while it is in use; stopped and called again it goes on."""
    if wanted.to is None and not back and not drop_old:
        raise InvalidInput("--to", "is not given", "say --to NAME, --back or --drop-old")
    with house.opened() as hf:
        to = wanted.settings(hf.settings.embedder)
        names = [record.name for record in hf.spaces()] if all_spaces else [house.named()]
        done = [_one(hf, name, to, back=back, drop_old=drop_old) for name in names]
    house.tell(done if all_spaces else done[0], lambda _: _moved(done))


def _one(hf: Holdfast, name: str, to: EmbedderSettings | None, *, back: bool, drop_old: bool) -> Reembedded:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.aside(), transient=True) as progress:
        bar = progress.add_task(f"embedding {output.safe(name)}", total=None)
        return hf.reembed(
            name,
            to,
            back=back,
            drop_old=drop_old,
            told=lambda there, of: progress.update(bar, completed=there, total=of),
        )


def _moved(done: Sequence[Reembedded]) -> RenderableType:
    from rich.table import Table

    table = Table("space", "embedder", "before")
    table.add_column("made now", justify="right")
    table.add_column("dropped", justify="right")
    for one in done:
        cells = (one.space, one.embedder, one.before)
        table.add_row(*(draw.words(cell) for cell in cells), str(one.made), str(one.dropped))
    return table


@spread
def calibrate(
    house: House,
    wanted: Wanted,
    *,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", help="Labelled pairs of your own; else those that are shipped.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the map here; settings.embedder.calibration takes it.")
    ] = None,
) -> None:
    """Fit what the cosines of an embedder mean, and say how well they tell the levels apart."""
    from holdfast.wire import calibrated, chosen_embedder

    with house.opened() as hf:
        embedder = chosen_embedder(wanted.settings(hf.settings.embedder) or hf.settings.embedder)
    with output.aside().status("embedding the pairs"):
        fitted = calibrated(embedder, pairs, out)
    house.tell(fitted, _fitted)


def _fitted(fitted: Any) -> RenderableType:
    from rich.console import Group
    from rich.table import Table

    knots = Table("raw cosine", "similarity", title=f"{fitted.embedder}, {fitted.pairs} pairs")
    for raw, level in fitted.calibration.knots:
        knots.add_row(f"{raw:.4f}", f"{level:.4f}")
    told = Table("level", "pairs", "similarity: median", "tenth", "nine tenths", title="on pairs held out")
    for level, row in fitted.levels.items():
        told.add_row(level, *(_cell(value) for value in row.values()))
    parts: Mapping[str, float] = fitted.told_apart
    lines = [draw.words(f"{name}: {part:.0%} of pairs told apart") for name, part in parts.items()]
    return Group(knots, told, *lines)


def _cell(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3f}"
