"""SQL by name: reads the .sql files of this folder, whose headings are `-- name: …`."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from holdfast.adapters import headings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

FEW = 500
"""Fewer than the 700 new objects after which Python looks for garbage."""


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


def statements(file: str) -> dict[str, str]:
    """The statements of one file of this folder."""
    return headings.statements(__package__, file)
