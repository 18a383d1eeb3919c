"""The keys of a house, in its database: what one server writes the others see at their next call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.errors import InvalidInput, NotFound
from holdfast.model.codec import micros, moment
from holdfast.model.key import Key

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.postgres.pool import Pool

_SQL = statements(__package__, "catalog.sql")


class PostgresKeys:
    """Implements `ports.keys.Keys` over the connections of a store, which closes them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def add(self, key: Key) -> None:
        row = (key.id, key.name, key.role, json.dumps(key.spaces, ensure_ascii=False), micros(key.created_at))
        ends = (_when(key.expires_at), _when(key.revoked_at))
        if not self._write("add_key", *row, *ends, key.salt, key.digest):
            raise InvalidInput("id", f"{key.id!r} is that of another key", "make a new id")

    def find(self, id: str) -> Key | None:
        found = self._read("find_key", id) if "\x00" not in id else []
        return _key(*found[0]) if found else None

    def all(self) -> list[Key]:
        return [_key(*row) for row in self._read("all_keys")]

    def revoke(self, id: str, at: datetime) -> Key:
        found = self._write("revoke_key", id, micros(at))
        if not found:
            raise NotFound(f"there is no key {id!r}; list them")
        return _key(*found[0])

    def close(self) -> None:
        """The store closes the connections."""

    def _read(self, name: str, *values: object) -> list[Any]:
        return self._pool.read(NO_SPACE, lambda db: db.plain(_SQL[name], *values))

    def _write(self, name: str, *values: object) -> list[Any]:
        return self._pool.write(NO_SPACE, lambda db: db.plain(_SQL[name], *values))


def _when(at: datetime | None) -> int | None:
    return None if at is None else micros(at)


def _key(*row: Any) -> Key:
    id, name, role, spaces, created, expires, revoked, salt, digest = row
    return Key(
        id=id,
        name=name,
        role=role,
        spaces=tuple(json.loads(spaces)),
        created_at=moment(created),
        expires_at=None if expires is None else moment(expires),
        revoked_at=None if revoked is None else moment(revoked),
        salt=salt,
        digest=digest,
    )
