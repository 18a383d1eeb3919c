"""SQL by name: reads the .sql files of this folder, whose headings are `-- name: …`."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

FEW = 500
"""Fewer than the 700 new objects after which Python looks for garbage."""

_HEADING = re.compile(r"^-- name: (.+)$", re.MULTILINE)


def rows(db: apsw.Connection, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
    """Every row of the answer, as tuples; their types are what the schema says."""
    return db.execute(statement, values).fetchall()


def columns(db: apsw.Connection, statement: str, values: Sequence[Any], *, count: int) -> list[list[Any]]:
    """The answer by columns, taken a few rows at a time.

    Ten thousand tuples at once would wake the garbage collector, which takes longer than the reading where
    the program around is large.
    """
    found: list[list[Any]] = [[] for _ in range(count)]
    cursor = db.execute(statement, values)
    while some := list(islice(cursor, FEW)):
        for column, part in zip(found, zip(*some, strict=True), strict=True):
            column.extend(part)
    return found


@cache
def statements(file: str) -> dict[str, str]:
    """The statements of one file, in their order, by the names in their headings."""
    text = (resources.files("holdfast.adapters.sqlite") / file).read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    names, bodies = parts[::2], parts[1::2]
    return {name: body.strip() for name, body in zip(names, bodies, strict=True)}
