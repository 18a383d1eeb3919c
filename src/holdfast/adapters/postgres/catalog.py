"""The catalog: which spaces there are, under which id and number, and the head of each ledger (B3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.errors import InvalidInput, NotFound
from holdfast.model.codec import micros, moment
from holdfast.model.space import SpaceRecord
from holdfast.ports.dump import taken

if TYPE_CHECKING:
    from holdfast.adapters.postgres.pool import Db, Pool

_SQL = statements(__package__, "catalog.sql")


class Catalog:
    """The rows of `holdfast.space`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def create(self, record: SpaceRecord) -> SpaceRecord:
        """The record under its name: this one, or the one of whoever came first."""

        def made(db: Db) -> list[Any]:
            db.plain(_SQL["create"], *_row(record), 0, 0, "")
            return db.plain(_SQL["by_name"], record.name)

        found = self._pool.write(NO_SPACE, made)
        if not found:
            raise InvalidInput("id", f"{record.id!r} is that of another space", "make a new id")
        return _record(*found[0])

    def find(self, name: str) -> SpaceRecord | None:
        found = self._read("by_name", name) if "\x00" not in name else []
        return _record(*found[0]) if found else None

    def record(self, id: str) -> SpaceRecord:
        return _record(*self._one("by_id", id))

    def standing(self, number: int) -> tuple[int, str]:
        """The last write of a space, and its embedder: what every recall asks first."""
        for sequence, embedder in self._pool.ask(NO_SPACE, _SQL["standing"], number):
            return sequence, embedder
        raise NotFound("the catalog has this space no more; open it anew")

    def number(self, id: str) -> int:
        """What its rows are told apart by."""
        return int(self._one("number", id)[0])

    def all(self) -> list[SpaceRecord]:
        return [_record(*row) for row in self._read("all")]

    def update(self, record: SpaceRecord) -> None:
        row = (record.id, record.profile, record.profile_text, record.user_factor)
        embedders = (record.embedder, record.embedder_before)
        if not self._write("update", *row, *embedders):
            raise _unknown(record.id)

    def rekey(self, id: str, key: str, over: str) -> bool:
        """What the old key stood in is dead and is reused by the server's next clearing (VACUUM)."""
        changed = bool(self._write("rekey", id, key, over))
        if not changed:
            self.record(id)
        return changed

    def _one(self, name: str, id: str) -> Any:
        found = self._read(name, id)
        if not found:
            raise _unknown(id)
        return found[0]

    def _read(self, name: str, *values: object) -> list[Any]:
        found: list[Any] = self._pool.ask(NO_SPACE, _SQL[name], *values)
        return found

    def _write(self, name: str, *values: object) -> list[Any]:
        return self._pool.write(NO_SPACE, lambda db: db.plain(_SQL[name], *values))


def place(db: Db, record: SpaceRecord) -> int:
    """The row of a space that is loaded in the same transaction; its number. InvalidInput where name or id is
    taken.
    """
    for found in (*db.plain(_SQL["by_name"], record.name), *db.plain(_SQL["by_id"], record.id)):
        raise taken(record, _record(*found))
    made = db.plain(_SQL["create"], *_row(record), 0, 0, "")
    if not made:
        raise InvalidInput("space", f"{record.name!r} or its id was just taken", "give another name")
    return int(made[0][0])


def _row(record: SpaceRecord) -> tuple[object, ...]:
    created = micros(record.created_at)
    row = (record.id, record.name, record.profile, record.profile_text, created, record.user_factor)
    return (*row, record.embedder, record.embedder_before, record.sealing, record.origin)


def _unknown(id: str) -> NotFound:
    return NotFound(f"the catalog has no space with the id {id!r}; create it first")


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
