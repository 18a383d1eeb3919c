"""The project's own source, parsed once, for the tests of its shape."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """One file of Python."""

    path: Path

    @property
    def name(self) -> str:
        """Path within the project, as in a message."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def module(self) -> str:
        """Dotted name, for files under src."""
        dotted = self.path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
        return dotted.removesuffix(".__init__")

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, filename=self.name)

    def at(self, node: ast.AST | int, problem: str) -> str:
        """An offender as `file:line problem`."""
        return f"{self.name}:{node if isinstance(node, int) else node.lineno} {problem}"

    def imports(self) -> Iterator[tuple[ast.stmt, str]]:
        """Every module imported anywhere in the file, with the statement; names of `from` imports too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield node, node.module or ""
                yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


def _under(*folders: str) -> list[Source]:
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return [Source(path) for path in found if "__pycache__" not in path.parts]


@pytest.fixture(scope="session")
def library() -> list[Source]:
    """Everything under src/."""
    return _under("src")


@pytest.fixture(scope="session")
def everything() -> list[Source]:
    """All Python of the project."""
    return _under("src", "tests", "tools", "bench")
