"""The keys of a directory, in a file of their own (`keys.db`, for its owner's eyes only), made at first use.

Apart from the catalog, so that whoever copies or shares memories does not copy their keys.
"""

from __future__ import annotations

import json
import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.adapters.sqlite.faults import told
from holdfast.adapters.sqlite.files import Kind, make
from holdfast.adapters.sqlite.pool import Pool
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.errors import InvalidInput, NotFound
from holdfast.model.codec import micros, moment
from holdfast.model.key import Key

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    import apsw

    from holdfast.adapters.sqlite.files import Options

KEYS = Kind(0x484F4C4B, "keys_schema.sql", "file of keys")
_SQL = statements("keys.sql")


class SqliteKeys:
    """Implements `ports.keys.Keys` over `keys.db` of a directory."""

    def __init__(self, directory: Path, options: Options) -> None:
        self._path = directory / "keys.db"
        self._options = options
        self._lock = threading.Lock()

    def add(self, key: Key) -> None:
        row = (key.id, key.name, key.role, json.dumps(key.spaces, ensure_ascii=False), micros(key.created_at))
        ends = (_when(key.expires_at), _when(key.revoked_at))
        with self.pool.writing() as db:
            if not rows(db, _SQL["add"], (*row, *ends, key.salt, key.digest)):
                raise InvalidInput("id", f"{key.id!r} is that of another key", "make a new id")

    def find(self, id: str) -> Key | None:
        with self.pool.reading() as db:
            found = rows(db, _SQL["find"], (id,))
        return _key(*found[0]) if found else None

    def all(self) -> list[Key]:
        with self.pool.reading() as db:
            return [_key(*row) for row in rows(db, _SQL["all"])]

    def revoke(self, id: str, at: datetime) -> Key:
        with self.pool.writing() as db:
            found = rows(db, _SQL["revoke"], (id, micros(at)))
        if not found:
            raise NotFound(f"there is no key {id!r}; list them")
        return _key(*found[0])

    def close(self) -> None:
        if "pool" in vars(self):
            self.pool.let_go()

    @cached_property
    def pool(self) -> Pool:
        with self._lock:
            if not self._path.exists():
                make(self._path, KEYS, options=self._options, fill=lambda db: _private(db, self._path))
        return Pool(self._path, KEYS, options=self._options, on_open=lambda: None)


def _private(db: apsw.Connection, path: Path) -> None:
    """Its owner's alone before it has its name; files beside it take over its rights."""
    from pathlib import Path as File

    try:
        File(db.filename).chmod(0o600)
    except OSError as error:
        raise told(error, path) from error


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
