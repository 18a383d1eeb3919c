"""What people see of memories: drawings of the values the verbs return, one function a sort of value.

Times are shown in the machine's own zone; `--json` gives them as they are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from holdfast.serve.cli.output import safe

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.model.hit import Answer, Context, Hit
    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome

DIM = "dim"
GOOD, MEH, BAD = "green", "yellow", "red"
COLOURS = {
    "accepted": GOOD, "reinforced": GOOD, "superseded": GOOD, "active": GOOD,
    "pending": MEH, "review": MEH, "logged": MEH,
    "refused": BAD, "rejected": BAD, "deleted": BAD,
}  # fmt: skip


def clock(moment: datetime | None) -> str:
    """A time as a person reads it."""
    return "" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M")


def words(text: str, style: str = "") -> Text:
    """Text from a memory, harmless to the terminal."""
    return Text(safe(text), style=style)


def about(memory: Memory, *more: str) -> Text:
    """The line below a memory: id, kind, where it stands, when it was made."""
    told = [memory.id, memory.kind, str(memory.layer)]
    if memory.status != "active":
        told.append(str(memory.status))
    told += sorted(str(mark) for mark in memory.marks)
    told += [clock(memory.created_at), *more]
    return words("  ".join(part for part in told if part), DIM)


def one(memory: Memory) -> Text:
    """A memory as its words; an entity with its type."""
    line = words(memory.content)
    if memory.entity_type:
        line.append(safe(f"  [{memory.entity_type} = {memory.entity_value}]"), style="cyan")
    if "negated" in memory.marks:
        line.stylize("strike")
    return line


def memories(found: Sequence[Memory]) -> RenderableType:
    """A list."""
    if not found:
        return Text("Nothing to list.", style=DIM)
    return Group(*(part for memory in found for part in (one(memory), indented(about(memory)))))


def indented(line: RenderableType, by: int = 2) -> RenderableType:
    """The same, further to the right."""
    from rich.padding import Padding

    return Padding(line, (0, 0, 0, by), expand=False)


def outcome(result: Outcome) -> RenderableType:
    """What became of a write."""
    head = Text(str(result.decision), style=COLOURS.get(result.decision, ""))
    lines: list[RenderableType] = []
    if result.memory is not None:
        head.append("  ").append_text(one(result.memory))
        lines.append(indented(about(result.memory)))
    lines += [indented(words(f"· {reason}", DIM)) for reason in result.reasons]
    if result.conflicts:
        lines.append(indented(words("conflicts with " + ", ".join(result.conflicts), MEH)))
    if result.capture:
        lines.append(indented(words(f"kept in quarantine as {result.capture}", DIM)))
    if result.change:
        lines.append(indented(words(f"to take it back: holdfast undo {result.change}", DIM)))
    return Group(head, *lines)


def outcomes(results: Sequence[Outcome]) -> RenderableType:
    return Group(*(outcome(result) for result in results))


def answer(found: Answer) -> RenderableType:
    """What recall found, best first; an empty answer says where it looked (B2)."""
    parts: list[RenderableType] = [_constitution(found.constitution)] if found.constitution else []
    if found.hits:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(justify="right")
        grid.add_column(ratio=1)
        for hit in found.hits:
            grid.add_row(Text(f"{hit.score:.2f}", style="bold"), _hit(hit))
        parts.append(grid)
    else:
        where = ", ".join(
            f"{name} {_value(value)}" for name, value in found.searched.items() if name != "space"
        )
        parts.append(Text("Nothing found.").append(safe(f" Looked in {found.space}: {where}."), style=DIM))
    parts += [words(f"! {missing}", MEH) for missing in found.degraded]
    return Group(*parts)


def _constitution(entries: Iterable[Memory]) -> RenderableType:
    return Group(*(Text("§ ", style="bold magenta").append_text(one(entry)) for entry in entries), "")


def _hit(hit: Hit) -> RenderableType:
    line = one(hit.memory)
    if hit.label:
        line.append("  ").append(safe(hit.label), style=GOOD if hit.memory.verified else MEH)
    return Group(line, about(hit.memory))


def explained(found: Answer) -> RenderableType:
    """Each hit with the arms that found it, the factors of its score, and what to think of it (B2)."""
    parts: list[RenderableType] = [_constitution(found.constitution)] if found.constitution else []
    for number, hit in enumerate(found.hits, 1):
        parts += [
            Text(f"{number}. {hit.score:.3f}  ", style="bold").append_text(one(hit.memory)),
            about(hit.memory),
        ]
        parts += [reasons(hit), ""]
    parts += [words(f"left out {id}: {reason}", DIM) for id, reason in found.cut]
    return Group(*parts) if found.hits else answer(found)


def reasons(hit: Hit) -> RenderableType:
    """Why one memory was found."""
    explain = hit.explain
    grid = Table.grid(padding=(0, 2))
    for arm, found in explain.arms.items():
        grid.add_row(words(f"  {arm}", "cyan"), words(_pairs(found)))
    for title, told in (("score", explain.factors), ("trust", explain.trust), ("from", explain.provenance)):
        said = {name: value for name, value in told.items() if value not in (None, "", (), [], {})}
        if said:
            grid.add_row(words(f"  {title}", "cyan"), words(_pairs(said)))
    if explain.formula:
        grid.add_row(words("  formula", "cyan"), words(explain.formula, DIM))
    return grid


def _pairs(told: Mapping[str, Any]) -> str:
    return "  ".join(f"{name} {_value(value)}" for name, value in told.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, datetime):
        return clock(value)
    if isinstance(value, Enum | str):
        return str(value)
    if is_dataclass(value):
        told = {f.name: getattr(value, f.name) for f in fields(value)}
        return _pairs({name: item for name, item in told.items() if item not in (None, "", ())})
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(item)}" for name, item in value.items())
    if isinstance(value, Iterable):
        return ", ".join(_value(item) for item in value)
    return str(value)


def context(packed: Context) -> RenderableType:
    """The text as a prompt gets it, and what it cost."""
    used = "  ".join(f"{part.name} {part.used}/{part.budget}" for part in packed.sections)
    lines: list[RenderableType] = [words(packed.text), ""]
    lines.append(words(f"{packed.used} of {packed.budget} tokens: {used}", DIM))
    lines += [words(f"left out {id}: {reason}", DIM) for id, reason in packed.left_out]
    return Group(*lines)


def record(value: Any) -> RenderableType:
    """Any flat record: the fields that say something, a line each."""
    grid = Table.grid(padding=(0, 2))
    for field in fields(value):
        told = getattr(value, field.name)
        if told not in (None, "", (), frozenset()) and told != {} and not field.name.startswith("_"):
            grid.add_row(Text(field.name.replace("_", " "), style="cyan"), words(_value(told)))
    return grid
