"""Pieces into a new space: one transaction, so that nobody sees it before it is whole and holds together."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import queue, vectors, verify
from holdfast.adapters.postgres.write import columns, weighed
from holdfast.errors import Damaged, HoldfastError
from holdfast.model.codec import decode_capture, decode_image, micros
from holdfast.model.ledger import Anchor
from holdfast.ports import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.adapters.postgres.pool import Db
    from holdfast.model.space import SpaceRecord

PAGE = 512  # pieces written at once
SEQUENCE = 1
_LISTED = (
    "row, id, version, layer, kind, status, marks, entity_type, session, created_at, accesses, accessed_at"
)
_SQL = statements(__package__, "space.sql")


def load(db: Db, record: SpaceRecord, pieces: Iterable[dump.Piece]) -> SpaceRecord:
    """Writes them all and proves what was written; raises Damaged where it does not hold together."""
    loading, coming = Loading(db), iter(pieces)
    while page := list(islice(coming, PAGE)):
        try:
            loading.write(page)
        except ValueError as error:
            if isinstance(error, HoldfastError):
                raise
            raise Damaged(f"{record.name!r} was not loaded: {error}") from error
    loading.end()
    anchor = Anchor(record.anchor_number, record.anchor_hash)
    placed = dump.proved(record, verify.verified(db, record.lineage, anchor))
    db.send(_SQL["set_origin"], placed.origin)
    db.send(_SQL["set_state"], SEQUENCE, placed.anchor_number, placed.anchor_hash)
    return placed


class Loading:
    """Pieces on their way into the tables; `end` writes what cannot be before all memories are there."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._row = 0
        self._purged: list[tuple[str, int]] = []

    def write(self, page: Sequence[dump.Piece]) -> None:
        """Some of them, in order."""
        links = [piece for piece in page if isinstance(piece, dump.Link)]
        entries = [(one.entry.number, one.entry.change, one.canonical, one.entry.hash) for one in links]
        self._db.put("entry", "number, change, body, hash", entries)
        self._purged += [
            (touched.id, link.entry.number)
            for link in links
            for touched in link.entry.touched
            if touched.before == touched.after
        ]
        self._keep([piece for piece in page if isinstance(piece, dump.Kept)])
        captured = [piece for piece in page if isinstance(piece, dump.Captured)]
        put = [(decode_capture(one.body).id, one.salt, one.body) for one in captured]
        self._db.put("quarantine", "id, salt, body", put)
        parked = [piece for piece in page if isinstance(piece, dump.Parked)]
        self._db.many(_SQL["put_job"], [(*queue.row(one.job), one.failed) for one in parked])

    def end(self) -> None:
        """Which entries purged what."""
        self._db.many(_SQL["put_purge_of"], self._purged)

    def _keep(self, page: Sequence[dump.Kept]) -> None:
        numbered = list(enumerate(page, self._row + 1))
        self._row += len(page)
        self._db.put("memory", _LISTED, [_listed(row, kept) for row, kept in numbered])
        versions = [
            (row, one.number, one.entry, micros(one.at), one.salt, one.body)
            for row, kept in numbered
            for one in kept.versions
        ]
        self._db.put("version", "memory, version, entry, at, salt, body", versions)
        weights = [
            (row, 0, place, *weighed(weight))
            for row, kept in numbered
            for place, weight in enumerate(kept.weights)
        ]
        self._db.put("weight", "memory, entry, place, at, old, new, reason, factors", weights)
        self._index(numbered)

    def _index(self, numbered: Sequence[tuple[int, dump.Kept]]) -> None:
        for name in {name: None for _, kept in numbered for name in kept.vectors}:
            made = {row: kept.vectors[name] for row, kept in numbered if name in kept.vectors}
            sizes = {len(vector) for vector in made.values()}
            number = vectors.new_embedder(self._db, name, max(sizes))
            if len(sizes) > 1:
                raise vectors.wrong_size(name, min(sizes), max(sizes))
            self._db.put("vector", "embedder, row, data", [(number, row, data) for row, data in made.items()])
        images = [
            (row, SEQUENCE, kept.never, *kept.index) for row, kept in numbered if kept.index is not None
        ]
        self._db.put("image", "row, seq, never, record, words", images)


def _listed(row: int, kept: dump.Kept) -> tuple[object, ...]:
    """What the memory is listed by, of its newest version."""
    if not kept.versions:
        raise ValueError(f"memory {kept.id!r} has no version")
    at = None if kept.accessed_at is None else micros(kept.accessed_at)
    return columns(row, decode_image(kept.versions[-1].body, kept.access_count, at))
