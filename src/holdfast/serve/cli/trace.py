"""What people see of time: versions, ledger, the log of a weight, where a memory comes from, and a curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from holdfast.serve.cli.draw import BAD, DIM, GOOD, clock, indented, one, words

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Entry, WeightChange
    from holdfast.ports.store import ChainReport, Drift
    from holdfast.recall.why import Why

EIGHTHS = " ▁▂▃▄▅▆▇█"


def versions(found: Sequence[Memory]) -> RenderableType:
    """Every version, oldest first."""
    grid = Table.grid(padding=(0, 2))
    for memory in found:
        told = [str(memory.status), *sorted(memory.marks), f"confidence {memory.confidence:.2f}"]
        if memory.reason:
            told.append(memory.reason)
        grid.add_row(
            words(f"v{memory.version}", "bold"),
            words(clock(memory.updated_at), DIM),
            Group(one(memory), words("  ".join(told), DIM)),
        )
    return grid


def entries(found: Sequence[Entry]) -> RenderableType:
    """A stretch of the ledger."""
    if not found:
        return Text("No entries.", style=DIM)
    grid = Table.grid(padding=(0, 2))
    for entry in found:
        reasons = "; ".join(entry.reasons)
        touched = ", ".join(f"{change.id} v{change.before}→v{change.after}" for change in entry.touched)
        grid.add_row(
            words(str(entry.number), "bold"),
            words(clock(entry.at), DIM),
            words(entry.verb, "cyan"),
            words(entry.actor),
            Group(words(reasons), words(touched, DIM), words(f"change {entry.change}", DIM)),
        )
    return grid


def weights(found: Sequence[WeightChange]) -> RenderableType:
    """The log of a memory's weight, each line with its factors (E17)."""
    if not found:
        return Text("Its weight has not changed but by time.", style=DIM)
    grid = Table.grid(padding=(0, 2))
    for change in found:
        factors = "  ".join(f"{name} {value:.4g}" for name, value in change.factors.items())
        grid.add_row(
            words(clock(change.at), DIM),
            words(f"{change.old_weight:.3f} → {change.new_weight:.3f}"),
            words(f"{change.delta:+.3f}", GOOD if change.delta >= 0 else BAD),
            Group(words(change.reason), words(factors, DIM)),
        )
    return grid


def why(found: Why) -> RenderableType:
    """Where a memory comes from, back to the first words (E12)."""
    lines: list[RenderableType] = [words(found.words)]
    lines += [words(f"  first said: {first}") for first in found.first_words if first != found.words]
    lines.append(words(f"  by {found.author}, {clock(found.created_at)}", DIM))
    for name in ("superseded_by", "merged_into"):
        if getattr(found, name):
            lines.append(words(f"  {name.replace('_', ' ')} {getattr(found, name)}", DIM))
    for step in found.steps:
        reasons = "; ".join(step.reasons)
        told = (f"v{step.version}", clock(step.at), step.verb, step.actor, reasons, step.judge)
        lines.append(words("  " + "  ".join(part for part in told if part)))
    for origin in found.origins:
        lines.append(words(f"{'  ' * (origin.depth + 1)}{origin.relation}: {origin.words or '(destroyed)'}"))
        lines.append(words(f"{'  ' * (origin.depth + 2)}{origin.id}  {origin.status}", DIM))
    lines += [words(f"  also said {clock(again.at)}: {again.content}") for again in found.said]
    lines += [
        words(f"  corrected {clock(one.at)}: {one.content} ({one.reason})") for one in found.corrections
    ]
    lines += [words(f"  {one.modality}: {one.reference} {one.text}") for one in found.attachments]
    return Group(*lines)


def chain(report: ChainReport) -> RenderableType:
    """Whether the ledger holds (B3)."""
    if report.ok:
        noun = "entry" if report.entries == 1 else "entries"
        return words(f"The chain holds: {report.entries} {noun}, head {report.head[:16]}…", GOOD)
    return Group(
        words(f"The chain is broken after {report.entries} entries.", BAD),
        *(indented(words(problem)) for problem in report.problems),
    )


def drifts(found: Sequence[Drift]) -> RenderableType:
    """Whatever is not as it should be (B11)."""
    if not found:
        return words("Everything is as it should be.", GOOD)
    return Group(*(words(f"{drift.what}  {drift.id}  {drift.detail}", BAD) for drift in found))


def curve(values: Sequence[float], *, top: float, rows: int = 6) -> RenderableType:
    """Columns as high as the values, `top` filling all rows."""
    lines = []
    for row in range(rows, 0, -1):
        line = ""
        for value in values:
            eighths = round(value / top * rows * 8) - (row - 1) * 8
            line += EIGHTHS[max(0, min(8, eighths))]
        label = f"{top * row / rows:5.2f} " if row in (rows, rows // 2) else "      "
        lines.append(Text(label, style=DIM).append(line, style="cyan"))
    return Group(*lines)
