"""Upkeep of what images are built from: late vectors, dropped ones, index rows written anew.

None of it is a decision, so none of it makes an entry; all of it bumps the sequence, so that images see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite import vectors
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.model.codec import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import apsw

_SQL = statements("space.sql")


def known(db: apsw.Connection, ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Row and version of those of the ids that exist."""
    asked = write_json(list(ids))
    return {id: (row, version) for id, row, version in rows(db, _SQL["known"], (asked,))}


def store_vectors(
    db: apsw.Connection, embedder: str, data: Mapping[str, bytes], *, versions: Mapping[str, int]
) -> int:
    """Late vectors, for memories that are what they were when they were embedded."""
    asked = rows(db, _SQL["embeddable"], (write_json(list(data)),))
    there = {row: data[id] for id, row, version in asked if versions.get(id) == version}
    if not there:
        return 0
    sizes = {len(vector) for vector in there.values()}
    if len(sizes) > 1:
        raise vectors.wrong_size(embedder, max(sizes), min(sizes))
    number, now = vectors.new_embedder(db, embedder, sizes.pop()), _next_sequence(db)
    db.executemany(_SQL["mark_embedded"], [(row, number, now) for row in there])
    vectors.write(db, number, there)
    return len(there)


def drop_vectors(db: apsw.Connection, embedder: str) -> int:
    """All of one embedder's, and its number."""
    number, size = vectors.embedder_number(db, embedder)
    if not size:
        return 0
    many = int(rows(db, _SQL["embedded_count"], (number,))[0][0])
    if many:
        db.execute(_SQL["unmark_embedded"], (number, _next_sequence(db)))
    db.execute(_SQL["drop_vectors"], (number,))
    db.execute(_SQL["drop_embedder"], (number,))
    return many


def reindex(db: apsw.Connection, packed: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Index rows anew, the vectors left as they are."""
    there = known(db, packed)
    if not there:
        return
    now = _next_sequence(db)
    keep = True
    images = [(row, now, 0, *packed[id], keep) for id, (row, _) in there.items()]
    db.executemany(_SQL["put_image"], images)
    db.executemany(_SQL["put_back"], [(row,) for row, *_ in images])


def _next_sequence(db: apsw.Connection) -> int:
    now = int(rows(db, _SQL["sequence"])[0][0]) + 1
    db.execute(_SQL["set_sequence"], (now,))
    return now
