"""Prints which tests prove which promise: the lines of docs/behaviour.md against the marks in tests/.

`python tools/rows.py [--require "A1-A5 B3"] [--json]`; --require fails where one of those has no test.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_ROW = re.compile(r"^\| ([A-Z]\d+) \| (.+) \|$", re.MULTILINE)
_RANGE = re.compile(r"([A-Z])(\d+)(?:[-–]\1?(\d+))?")


@dataclass(frozen=True, slots=True)
class Marked:
    """One mark: the row it names and where it stands."""

    row: str
    path: Path
    line: int
    test: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} {self.test}"


def promises() -> dict[str, str]:
    """Every row with its line, in the order of the page."""
    page = (ROOT / "docs" / "behaviour.md").read_text(encoding="utf-8")
    return dict(_ROW.findall(page))


def marks() -> list[Marked]:
    """Every `pytest.mark.row(…)` under tests/."""
    return [mark for path in sorted((ROOT / "tests").rglob("*.py")) for mark in _marks_of(path)]


def _marks_of(path: Path) -> Iterator[Marked]:
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    owner = {
        call: node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        for call in ast.walk(decorator)
    }
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.row":
            for argument in call.args:
                row = argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)
                yield Marked(str(row), path, call.lineno, owner.get(call, "(whole module)"))


def spread(wanted: str) -> list[str]:
    """`A1-A3, B2` as ["A1", "A2", "A3", "B2"]."""
    rows = []
    for letter, first, last in _RANGE.findall(wanted):
        rows += [f"{letter}{number}" for number in range(int(first), int(last or first) + 1)]
    return rows


def main(arguments: list[str] | None = None) -> int:
    """The program; what it returns is its exit code."""
    parser = argparse.ArgumentParser(description="Which tests prove which promise.")
    parser.add_argument("--require", default="", help='rows that must have a test, as "A1-A5 B3"')
    parser.add_argument("--json", action="store_true", help="print the table as JSON")
    asked = parser.parse_args(arguments)
    lines = promises()
    proofs: dict[str, list[Marked]] = {row: [] for row in lines}
    strays: list[Marked] = []
    for mark in marks():
        proofs.get(mark.row, strays).append(mark)
    _print(lines, proofs, as_json=asked.json)
    bare = [row for row in spread(asked.require) if not proofs.get(row)]
    for mark in strays:
        print(f"{mark} names row {mark.row}, which docs/behaviour.md does not have", file=sys.stderr)
    if bare:
        print(f"required, but no test proves: {', '.join(bare)}", file=sys.stderr)
    return 1 if strays or bare else 0


def _print(lines: dict[str, str], proofs: dict[str, list[Marked]], *, as_json: bool) -> None:
    if as_json:
        table = {
            row: {"line": line, "tests": [str(mark) for mark in proofs[row]]} for row, line in lines.items()
        }
        print(json.dumps(table, ensure_ascii=False, indent=2))
        return
    for row, line in lines.items():
        print(f"{row:4} {line}")
        for mark in proofs[row]:
            print(f"       {mark}")
    bare = [row for row in lines if not proofs[row]]
    count = sum(len(found) for found in proofs.values())
    print()
    print(f"without a test: {', '.join(bare) if bare else 'none'}")
    print(f"{len(lines) - len(bare)} of {len(lines)} rows proved by {count} marks")


if __name__ == "__main__":
    sys.exit(main())
