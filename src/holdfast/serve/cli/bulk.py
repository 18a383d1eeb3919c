"""`holdfast remember --file`: JSONL in, an outcome a line. All lines are read before one is written."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from holdfast.errors import InvalidInput
from holdfast.serve.cli import output
from holdfast.serve.cli.draw import BAD, COLOURS, words
from holdfast.serve.cli.options import House

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.model.plan import Outcome

# One commit for so many: enough that nobody waits for the disk, few enough for a bar that moves.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a file."""

    lines: int
    decisions: dict[str, int]
    outcomes: list[dict[str, Any]]


def remember_file(house: House, name: str, said: dict[str, Any], *, profile: str | None) -> list[Outcome]:
    """Keeps every line; what the command line says holds for lines that do not say it themselves."""
    items = [_item(name, number, line, said=said) for number, line in _lines(name)]
    results: list[Outcome] = []
    with house.entered(profile) as me, _bar() as bar:
        task = bar.add_task("remembering", total=len(items))
        for start in range(0, len(items), BATCH):
            results += me.remember_many([item for _, item in items[start : start + BATCH]])
            bar.update(task, completed=len(results))
    counts = Counter(str(result.decision) for result in results)
    house.tell(Kept(len(items), dict(sorted(counts.items())), _told(items, results)), _drawn)
    return results


def _lines(name: str) -> Iterator[tuple[int, str]]:
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).expanduser().read_bytes()
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            "--file", f"cannot be read ({error})", "name a JSONL file in UTF-8, or -"
        ) from None
    yield from ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _item(name: str, number: int, line: str, *, said: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    try:
        item = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidInput(
            f"{name}:{number}", f"is not JSON ({error})", "write a string or an object a line"
        ) from None
    if isinstance(item, str):
        item = {"content": item}
    if not isinstance(item, dict):
        raise InvalidInput(
            f"{name}:{number}", f"is a {type(item).__name__}", "write a string or an object a line"
        )
    return number, {**said, **item}


def _told(items: Iterable[tuple[int, Any]], results: Iterable[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            "line": number,
            "decision": result.decision,
            "id": result.memory.id if result.memory else None,
            "reasons": result.reasons,
            "change": result.change,
        }
        for (number, _), result in zip(items, results, strict=True)
    ]


def _drawn(kept: Kept) -> RenderableType:
    head = Text(f"{kept.lines} lines: ")
    for name, count in kept.decisions.items():
        head.append(f"{count} {name}  ", style=COLOURS.get(name, ""))
    for told in kept.outcomes:
        if told["decision"] in ("refused", "logged"):
            head.append("\n").append_text(words(f"line {told['line']}: {'; '.join(told['reasons'])}", BAD))
    return head


def _bar() -> Progress:
    """On standard error, and only where somebody watches."""
    console = output.aside()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
