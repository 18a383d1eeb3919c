"""Pieces into a new space's file, which nobody sees before all of it stands there and holds together."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite import queue, vectors, verify
from holdfast.adapters.sqlite.statements import statements
from holdfast.adapters.sqlite.write import columns, weighed
from holdfast.errors import Damaged, HoldfastError
from holdfast.model.codec import decode_capture, decode_image, micros
from holdfast.model.ledger import Anchor
from holdfast.ports import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from holdfast.model.space import SpaceRecord

PAGE = 512  # pieces written at once
SEQUENCE = 1
_SQL = statements("space.sql")


def load(db: apsw.Connection, record: SpaceRecord, pieces: Iterable[dump.Piece]) -> SpaceRecord:
    """Writes them all and proves what was written; raises Damaged where it does not hold together."""
    db.execute("BEGIN")
    db.execute(_SQL["put_state"], (record.id, record.name))
    loading, coming = Loading(db), iter(pieces)
    while page := list(islice(coming, PAGE)):
        try:
            loading.write(page)
        except ValueError as error:
            if isinstance(error, HoldfastError):
                raise
            raise Damaged(f"{record.name!r} was not loaded: {error}") from error
    loading.end()
    db.execute("COMMIT")
    anchor = Anchor(record.anchor_number, record.anchor_hash)
    placed = dump.proved(record, verify.verified(db, record.lineage, anchor))
    db.execute("COMMIT")
    return placed


class Loading:
    """Pieces on their way into a file; `end` writes what cannot be before all memories are there."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._row = 0
        self._purged: list[tuple[str, int]] = []

    def write(self, page: Sequence[dump.Piece]) -> None:
        """Some of them, in order."""
        links = [piece for piece in page if isinstance(piece, dump.Link)]
        entries = [(one.entry.number, one.entry.change, one.canonical, one.entry.hash) for one in links]
        self._db.executemany(_SQL["put_entry"], entries)
        self._purged += [
            (touched.id, link.entry.number)
            for link in links
            for touched in link.entry.touched
            if touched.before == touched.after
        ]
        self._keep([piece for piece in page if isinstance(piece, dump.Kept)])
        captured = [piece for piece in page if isinstance(piece, dump.Captured)]
        put = [(decode_capture(one.body).id, one.salt, one.body) for one in captured]
        self._db.executemany(_SQL["put_capture"], put)
        parked = [piece for piece in page if isinstance(piece, dump.Parked)]
        self._db.executemany(_SQL["put_job"], [(*queue.row(one.job), one.failed) for one in parked])

    def end(self) -> None:
        """Which entries purged what."""
        self._db.executemany(_SQL["put_purge_of"], self._purged)

    def _keep(self, page: Sequence[dump.Kept]) -> None:
        first = self._row + 1
        numbered = list(enumerate(page, first))
        self._row += len(page)
        listed = [_listed(row, kept) for row, kept in numbered]
        versions = [
            (row, one.number, one.entry, micros(one.at), one.salt, one.body)
            for row, kept in numbered
            for one in kept.versions
        ]
        weights = [weighed(row, weight) for row, kept in numbered for weight in kept.weights]
        self._db.executemany(_SQL["put_memory"], listed)
        self._db.executemany(_SQL["put_version"], versions)
        self._db.executemany(_SQL["put_weight"], weights)
        self._index(numbered)

    def _index(self, numbered: Sequence[tuple[int, dump.Kept]]) -> None:
        bits: dict[int, int | None] = {row: None if kept.never else 0 for row, kept in numbered}
        for name in {name: None for _, kept in numbered for name in kept.vectors}:
            made = {row: kept.vectors[name] for row, kept in numbered if name in kept.vectors}
            sizes = {len(vector) for vector in made.values()}
            number = vectors.new_embedder(self._db, name, max(sizes))
            if len(sizes) > 1:
                raise vectors.wrong_size(name, min(sizes), max(sizes))
            vectors.write(self._db, number, made)
            for row in made:
                bits[row] = (bits[row] or 0) | 1 << number
        images = [
            (row, SEQUENCE, bits[row], *kept.index, False) for row, kept in numbered if kept.index is not None
        ]
        self._db.executemany(_SQL["put_image"], images)


def _listed(row: int, kept: dump.Kept) -> tuple[object, ...]:
    """What the memory is listed by, of its newest version."""
    if not kept.versions:
        raise ValueError(f"memory {kept.id!r} has no version")
    at = None if kept.accessed_at is None else micros(kept.accessed_at)
    return columns(row, decode_image(kept.versions[-1].body, kept.access_count, at))
