"""The catalog: which spaces there are, under which id, and the head of each ledger as last anchored (B3).

Anchors are written without waiting for the disk, after the space's own commit: one may be lost with the
power, none is ever ahead of its ledger. Everything else is durable when the call returns.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.files import CATALOG, make
from holdfast.adapters.sqlite.pool import Pool
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.errors import HoldfastError, InvalidInput, NotFound, Unavailable
from holdfast.model.codec import micros, moment
from holdfast.model.space import SpaceRecord
from holdfast.ports.dump import taken

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    import apsw

    from holdfast.adapters.sqlite.files import Options
    from holdfast.model.plan import Entry

_LOG = logging.getLogger("holdfast")
_SQL = statements("catalog.sql")


class Catalog:
    """`catalog.db` of a directory, made where it is not there."""

    def __init__(self, directory: Path, options: Options) -> None:
        path = directory / "catalog.db"
        if not path.exists():
            make(path, CATALOG, options=options, fill=_nothing)
        self._pool = Pool(path, CATALOG, options=options, on_open=lambda: None)

    def create(self, record: SpaceRecord) -> SpaceRecord:
        """The record under its name: this one, or the one of whoever came first."""
        created = micros(record.created_at)
        row = (record.id, record.name, record.profile, record.profile_text, created, record.user_factor)
        later = (record.embedder, record.embedder_before, record.sealing)
        with self._pool.writing() as db:
            db.execute(_SQL["create"], (*row, *later))
            found = rows(db, _SQL["by_name"], (record.name,))
        if not found:
            raise InvalidInput("id", f"{record.id!r} is that of another space", "make a new id")
        return _record(*found[0])

    def place(self, record: SpaceRecord) -> None:
        """The record of a space that was loaded, its anchor too; InvalidInput where name or id is taken."""
        created = micros(record.created_at)
        row = (record.id, record.name, record.profile, record.profile_text, created, record.user_factor)
        rest = (record.embedder, record.embedder_before, record.sealing, record.origin)
        with self._pool.writing() as db:
            for found in [*rows(db, _SQL["by_name"], (record.name,)), *rows(db, _SQL["by_id"], (record.id,))]:
                raise taken(record, _record(*found))
            db.execute(_SQL["place"], (*row, *rest, record.anchor_number, record.anchor_hash))

    def find(self, name: str) -> SpaceRecord | None:
        with self._pool.reading() as db:
            found = rows(db, _SQL["by_name"], (name,))
        return _record(*found[0]) if found else None

    def record(self, id: str) -> SpaceRecord:
        with self._pool.reading() as db:
            found = rows(db, _SQL["by_id"], (id,))
        if not found:
            raise NotFound(f"the catalog has no space with the id {id!r}; create it first")
        return _record(*found[0])

    def all(self) -> list[SpaceRecord]:
        with self._pool.reading() as db:
            return [_record(*row) for row in rows(db, _SQL["all"])]

    def update(self, record: SpaceRecord) -> None:
        row = (record.id, record.profile, record.profile_text, record.user_factor)
        embedders = (record.embedder, record.embedder_before)
        with self._pool.writing() as db:
            if not rows(db, _SQL["update"], (*row, *embedders)):
                raise NotFound(f"the catalog has no space with the id {record.id!r}; create it first")

    def rekey(self, id: str, key: str, over: str) -> bool:
        """Where the key is empty the log is cut too, which holds the page of the old one."""
        with self._pool.writing() as db:
            changed = bool(rows(db, _SQL["rekey"], (id, key, over)))
        if not changed:
            self.record(id)
        elif not key:
            self._cut()
        return changed

    def _cut(self) -> None:
        with self._pool.reading() as db:
            ((busy, _, _),) = rows(db, "PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:
            raise Unavailable("the key is gone, but the catalog's log is still being read; do it again")

    def anchor(self, space: str, entry: Entry) -> None:
        """Notes the head of a ledger.

        The entry is committed by now, so what goes wrong here is logged and not raised: the write did happen,
        and the next one anchors again.
        """
        try:
            with self._pool.writing(durable=False) as db:
                db.execute(_SQL["anchor"], (space, entry.number, entry.hash))
        except HoldfastError as error:
            _LOG.warning("entry %d of space %s is written, but not anchored: %s", entry.number, space, error)

    def close(self) -> None:
        self._pool.let_go()


def _nothing(db: apsw.Connection) -> None:
    """An empty catalog is complete."""


def _record(*row: Any) -> SpaceRecord:
    id, name, profile, profile_text, created_at, user_factor, number, hash, *later = row
    embedder, before, sealing, origin = later
    return SpaceRecord(
        id=id,
        name=name,
        profile=profile,
        profile_text=profile_text,
        created_at=moment(created_at),
        user_factor=user_factor,
        anchor_number=number,
        anchor_hash=hash,
        embedder=embedder,
        embedder_before=before,
        sealing=sealing,
        origin=origin,
    )
