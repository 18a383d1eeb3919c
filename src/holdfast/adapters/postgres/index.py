"""Upkeep of what images are built from: late vectors, dropped ones, index rows written anew.

None of it is a decision, so none of it makes an entry; all of it bumps the sequence, so that images see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.adapters.postgres.pool import Db

_SQL = statements(__package__, "space.sql")


def known(db: Db, ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Row and version of those of the ids that exist; none has a NUL."""
    asked = [id for id in ids if "\x00" not in id]
    return {id: (row, version) for id, row, version in db.rows(_SQL["known"], asked)} if asked else {}


def store_vectors(db: Db, embedder: str, data: Mapping[str, bytes], *, versions: Mapping[str, int]) -> int:
    """Late vectors, for memories that are what they were when they were embedded."""
    now = next_sequence(db)
    asked = db.rows(_SQL["embeddable"], list(data))
    there = {row: data[id] for id, row, version in asked if versions.get(id) == version}
    if not there:
        return 0
    sizes = {len(vector) for vector in there.values()}
    if len(sizes) > 1:
        raise vectors.wrong_size(embedder, max(sizes), min(sizes))
    number = vectors.new_embedder(db, embedder, sizes.pop())
    vectors.write(db, number, there)
    db.send(_SQL["seen_anew"], list(there), now)
    db.send(_SQL["set_sequence"], now)
    return len(there)


def drop_vectors(db: Db, embedder: str) -> int:
    """All of one embedder's, and its number."""
    now = next_sequence(db)
    number, size = vectors.embedder_number(db, embedder)
    if not size:
        return 0
    many = len(db.rows(_SQL["lost_vectors"], number, now))
    if many:
        db.send(_SQL["set_sequence"], now)
    db.send(_SQL["drop_vectors"], number)
    db.send(_SQL["drop_embedder"], number)
    return many


def reindex(db: Db, packed: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Index rows anew, the vectors left as they are."""
    now, there = next_sequence(db), known(db, packed)
    if there:
        db.many(_SQL["put_image"], [(row, now, False, *packed[id], True) for id, (row, _) in there.items()])
        db.send(_SQL["put_back"], [row for row, _ in there.values()])
        db.send(_SQL["set_sequence"], now)


def next_sequence(db: Db) -> int:
    """The space is locked from here on."""
    return int(db.rows(_SQL["lock"])[0][0]) + 1
