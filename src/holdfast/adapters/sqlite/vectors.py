"""Vectors of a space, sixteen neighbouring rows to a blob, so that ten thousand are read as six hundred.

A slot is written in place: the page or two it lies on, not the blob. Which slots count is told by
`image.embedded`, a bit for each embedder; one without its bit may hold anything but what a purge took away.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.errors import InvalidInput, StoreError
from holdfast.model.codec import write_json
from holdfast.ports.store import Vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw
    from numpy.typing import NDArray

SLOTS = 16
"""Rows in a blob: at 512 dimensions 32 KiB. Fewer are slower to read, more leave a small space half empty."""
EMBEDDERS = 62
"""As many as `image.embedded` has bits for, SQLite's integers being signed."""

_SQL = statements("space.sql")


def blob_of(row: int, embedder: int) -> int:
    """The id of the blob in which a row's vector lies."""
    return row // SLOTS * 64 + embedder


def embedder_number(db: apsw.Connection, name: str) -> tuple[int, int]:
    """Number and bytes of a vector; (0, 0) where no vector of it is stored."""
    return (rows(db, _SQL["embedder"], (name,)) or [(0, 0)])[0]  # type: ignore[no-any-return]


def new_embedder(db: apsw.Connection, name: str, size: int) -> int:
    """Its number, given where it has none; every vector of an embedder has the same size."""
    taken = {}
    for number, known, bytes_ in rows(db, _SQL["embedders"]):
        if known == name:
            if bytes_ != size:
                raise wrong_size(name, size, bytes_)
            return int(number)
        taken[number] = known
    free = next((number for number in range(EMBEDDERS) if number not in taken), None)
    if free is None:
        raise StoreError(f"this space has vectors of {EMBEDDERS} embedders; drop those of one no longer used")
    db.execute(_SQL["put_embedder"], (free, name, size))
    return free


def wrong_size(name: str, size: int, expected: int) -> InvalidInput:
    problem = f"one of {name!r} has {size} bytes, where those stored have {expected}"
    return InvalidInput("vector", problem, "give another embedder another name")


def write(db: apsw.Connection, embedder: int, items: Mapping[int, bytes]) -> None:
    """Puts each row's vector into its slot; whole blobs at once where all of their rows are given."""
    for place, group in groupby(sorted(items.items()), key=lambda item: blob_of(item[0], embedder)):
        given = list(group)
        if len(given) == SLOTS:
            db.execute(_SQL["put_vectors"], (place, b"".join([data for _, data in given])))
            continue
        db.execute(_SQL["room_for_vectors"], (place, SLOTS * len(given[0][1])))
        with db.blob_open("main", "vector", "data", place, True) as blob:
            for row, data in given:
                blob.seek(row % SLOTS * len(data))
                blob.write(data)


def erase(db: apsw.Connection, row: int) -> None:
    """Overwrites what any embedder made of a row."""
    sizes = {number: size for number, _, size in rows(db, _SQL["embedders"])}
    for (place,) in rows(db, _SQL["has_vectors"], (blob_of(row, 0),)):
        size = sizes[place % 64]
        with db.blob_open("main", "vector", "data", place, True) as blob:
            blob.seek(row % SLOTS * size)
            blob.write(bytes(size))


def read(db: apsw.Connection, name: str, *, of: Sequence[int], present: Sequence[int]) -> Vectors:
    """The vectors of these rows (rising), zeros where `present` is 0."""
    embedder, size = embedder_number(db, name)
    count = len(of)
    if not size or not count:
        return Vectors(b"", 0, bytes(count))
    there = np.array(present, np.bool_)
    numbers = np.array(of, np.int64)
    blobs = numbers // SLOTS
    base = blobs[np.flatnonzero(np.diff(blobs, prepend=-1))]  # each once; np.unique takes 6 ms to wake up
    data = _read(db, base * 64 + embedder, SLOTS * size)
    places = np.searchsorted(base, blobs) * SLOTS + numbers % SLOTS
    found = _picked(data.reshape(-1, size), places)
    if not there.all():
        found[~there] = 0
    return Vectors(found.reshape(-1), size, there.tobytes())


def _picked(slots: NDArray[np.uint8], places: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The slots asked for; where they lie side by side, as they are."""
    first, count = int(places[0]), len(places)
    if int(places[-1]) - first == count - 1:  # they rise, so there is no other way
        return slots[first : first + count]
    return slots[places]


def _read(db: apsw.Connection, ids: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """These blobs end to end; one that is not there is zeros."""
    data = np.empty((len(ids), size), np.uint8)
    there = {id for (id,) in rows(db, _SQL["some_vectors"], (write_json(ids.tolist()),))}
    blob = None
    for place, id in enumerate(ids.tolist()):
        if id not in there:
            data[place] = 0
            continue
        if blob is None:
            blob = db.blob_open("main", "vector", "data", id, False)
        else:
            blob.reopen(id)
        blob.readinto(data[place])
    if blob is not None:
        blob.close()
    return data
