"""What people see of the steward: rounds, the log, a forecast, the curve of a weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from holdfast.serve.cli.draw import BAD, DIM, GOOD, clock, indented, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from holdfast.rounds.forecast import Point
    from holdfast.rounds.log import Run
    from holdfast.rounds.report import Forecast, Round
    from holdfast.steward.brief import Brief
    from holdfast.steward.steps import Step

SHOWN = 20  # steps told one by one; --json has all of them
WIDTH, HEIGHT = 60, 8  # of a curve, in characters
BARS = " ▁▂▃▄▅▆▇█"


def drawn(rounds: Sequence[Round], *, dry: bool) -> RenderableType:
    """A run, or what one would do."""
    return Group(*(part for one in rounds for part in _round(one, dry=dry)))


def _round(one: Round, *, dry: bool) -> Iterable[RenderableType]:
    head = words(one.space, "bold").append(f"  as of {clock(one.at)}", style=DIM)
    yield head
    verb = "would be done" if dry else "done"
    if not one.steps and not one.asked and not one.embedded and not one.errors:
        yield indented(Text("Nothing is due.", style=DIM))
    yield from (indented(words(f"{count} × {what} {verb}")) for what, count in one.done.items())
    if one.embedded:
        yield indented(words(f"{one.embedded} × embedded"))
    if dry:
        yield from _some(one.steps)
    yield from (indented(words(f"? {step.memory}  {step.why}")) for step in one.asked)
    yield from (indented(words(f"! {error}", BAD)) for error in one.errors)
    if one.run:
        yield indented(words(f"to take it back: holdfast steward undo {one.run}", DIM))


def _some(steps: Sequence[Step]) -> Iterable[RenderableType]:
    for step in steps[:SHOWN]:
        yield indented(words(f"{step.rule}: {step.what}  {step.memory}  {step.why}", DIM), 4)
    if len(steps) > SHOWN:
        yield indented(words(f"and {len(steps) - SHOWN} more; --json tells all", DIM), 4)


def log(runs: Sequence[Run]) -> RenderableType:
    """What the runs did."""
    if not runs:
        return Text("The steward has done nothing yet.", style=DIM)
    parts: list[RenderableType] = []
    for run in runs:
        undone = f"  undone: {len(run.undone)} of {len(run.changes)} changes" if run.undone else ""
        parts.append(words(f"{clock(run.at)}  {_counts(run.done)}{undone}"))
        parts.append(indented(words(run.run, DIM)))
    return Group(*parts)


def _counts(done: Mapping[str, int]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in done.items()) or "nothing"


def forecast(told: Forecast) -> RenderableType:
    """The days on which something happens."""
    head = words(told.space, "bold").append(f"  {told.days} days from {clock(told.since)}", style=DIM)
    if not told.calendar:
        return Group(head, indented(Text("Nothing will happen by itself.", style=DIM)))
    grid = Table.grid(padding=(0, 2))
    for day in told.calendar:
        counts: dict[str, int] = {}
        for step in day.steps:
            counts[f"{step.rule}: {step.what}"] = counts.get(f"{step.rule}: {step.what}", 0) + 1
        asked = f"{len(day.asked)} asked" if day.asked else ""
        line = "  ".join(part for part in (_counts(counts) if counts else "", asked) if part)
        grid.add_row(words(f"{day.at:%Y-%m-%d}", "cyan"), words(line))
    total = words(f"in all: {_counts(told.done)}; {told.asked} asked", GOOD)
    return Group(head, grid, total)


def curve(id: str, points: Sequence[Point]) -> RenderableType:
    """The weight of a memory as a line of bars, so many rows high."""
    step = max(1, -(-len(points) // WIDTH))
    shown = points[::step]
    top = max(point.weight for point in shown) or 1.0
    lines = [words(f"{id}  weight {points[0].weight:.2f} → {points[-1].weight:.2f}")]
    for row in range(HEIGHT, 0, -1):
        bars = "".join(_bar(point.weight / top * HEIGHT - (row - 1)) for point in shown)
        lines.append(words(f"{top * row / HEIGHT:5.2f} ┤{bars}"))
    ends = f"{points[0].at:%Y-%m-%d}".ljust(max(len(shown) - 10, 11)) + f"{points[-1].at:%Y-%m-%d}"
    return Group(*lines, words(" " * 7 + ends, DIM))


def _bar(part: float) -> str:
    return BARS[max(0, min(8, round(part * 8)))]


def brief(told: Brief) -> RenderableType:
    """Insights with the fragments they are made of."""
    head = words(told.space, "bold").append(f"  {clock(told.since)} – {clock(told.until)}", style=DIM)
    if not told.insights:
        return Group(head, indented(Text("Nothing was captured.", style=DIM)))
    parts: list[RenderableType] = [head]
    for number, insight in enumerate(told.insights, 1):
        parts.append(words(f"{number}. {insight.text}"))
        parts.append(indented(words(f"{insight.id}  {len(insight.fragments)} fragments", DIM)))
    parts.append(words("to keep one: holdfast promote ID", DIM))
    return Group(*parts)
