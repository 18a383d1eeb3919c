"""The truth of many processes and machines: one PostgreSQL database, its tables in the schema `holdfast`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from holdfast.adapters.postgres import catalog, doctor, load, migrate
from holdfast.adapters.postgres.catalog import Catalog
from holdfast.adapters.postgres.keys import PostgresKeys
from holdfast.adapters.postgres.near import PostgresIndex
from holdfast.adapters.postgres.options import Options
from holdfast.adapters.postgres.pool import NO_SPACE, Pool
from holdfast.adapters.postgres.replies import PostgresReplies
from holdfast.adapters.postgres.space import PostgresSpace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Drift


class PostgresStore:
    """Implements `ports.store.Store` over a database, which is made ready where it is not."""

    def __init__(self, url: str, options: Options | None = None) -> None:
        options = options or Options()
        migrate.prepare(url, options)
        self._pool = Pool(url, options)
        self._catalog = Catalog(self._pool)
        self._lock = threading.Lock()
        self._stores: WeakValueDictionary[str, PostgresSpace] = WeakValueDictionary()
        self.keys = PostgresKeys(self._pool)
        """The keys of the house, which lie in the same database."""
        self.replies = PostgresReplies(self._pool)
        self.index = PostgresIndex(self._pool, self._catalog)

    def create(self, record: SpaceRecord) -> SpaceRecord:
        return self._catalog.create(record)

    def find(self, name: str) -> SpaceRecord | None:
        return self._catalog.find(name)

    def spaces(self) -> list[SpaceRecord]:
        return self._catalog.all()

    def open(self, record: SpaceRecord) -> PostgresSpace:
        with self._lock:
            known = self._stores.get(record.id)
        if known is not None:
            return known
        number = self._catalog.number(record.id)
        opened = PostgresSpace(record.id, number, catalog=self._catalog, pool=self._pool)
        with self._lock:
            return self._stores.setdefault(record.id, opened)

    def update(self, record: SpaceRecord) -> None:
        self._catalog.update(record)

    def rekey(self, id: str, key: str, *, over: str) -> bool:
        return self._catalog.rekey(id, key, over)

    def load(self, record: SpaceRecord, pieces: Iterable[Piece]) -> SpaceRecord:
        with self._pool.held(NO_SPACE, "BEGIN") as db:
            return load.load(db.of(catalog.place(db, record)), record, pieces)

    def doctor(self) -> list[Drift]:
        return doctor.examined(self._pool)

    def close(self) -> None:
        """Ends every connection; calls under way end as they would."""
        self._pool.close()
