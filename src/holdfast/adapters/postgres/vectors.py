"""Vectors of a space, a row each, by the number that an embedder has in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.adapters.headings import statements
from holdfast.errors import InvalidInput
from holdfast.ports.store import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.postgres.pool import Db

NOBODY = -1
"""The number of an embedder that has no vector here."""
_SQL = statements(__package__, "space.sql")


def embedder_number(db: Db, name: str) -> tuple[int, int]:
    """Number and bytes of a vector; (NOBODY, 0) where no vector of it is stored."""
    found = db.rows(_SQL["embedder"], name)
    return (found[0][0], found[0][1]) if found else (NOBODY, 0)


def new_embedder(db: Db, name: str, size: int) -> int:
    """Its number, given where it has none; every vector of an embedder has the same size."""
    taken = set()
    for number, known, bytes_ in db.rows(_SQL["embedders"]):
        if known == name:
            if bytes_ != size:
                raise wrong_size(name, size, bytes_)
            return int(number)
        taken.add(number)
    free = next(number for number in range(len(taken) + 1) if number not in taken)
    db.send(_SQL["put_embedder"], free, name, size)
    return free


def wrong_size(name: str, size: int, expected: int) -> InvalidInput:
    problem = f"one of {name!r} has {size} bytes, where those stored have {expected}"
    return InvalidInput("vector", problem, "give another embedder another name")


def write(db: Db, embedder: int, items: Mapping[int, bytes]) -> None:
    """Puts each row's vector in place of the one it had."""
    db.many(_SQL["put_vector"], [(embedder, row, data) for row, data in items.items()])


def along(rows: Sequence[int], found: Sequence[tuple[int, bytes]], size: int) -> Vectors:
    """What was found, beside rows that rise as it does; zeros where a row has none."""
    if not size or not rows:
        return Vectors(b"", 0, bytes(len(rows)))
    data = b"".join([one for _, one in found])
    if len(found) == len(rows):
        return Vectors(data, size, b"\1" * len(rows))
    places = np.searchsorted(np.array(rows, np.int64), np.array([row for row, _ in found], np.int64))
    whole, present = np.zeros((len(rows), size), np.uint8), np.zeros(len(rows), np.uint8)
    whole[places] = np.frombuffer(data, np.uint8).reshape(-1, size)
    present[places] = 1
    return Vectors(whole.reshape(-1), size, present.tobytes())
