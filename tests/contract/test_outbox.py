"""A store with an outbox is a store: Redis is told of every write, every job of its own is done at once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.adapters.postgres import PostgresStore
from holdfast.adapters.redis import RedisWorking
from holdfast.adapters.reference import ReferenceStore
from holdfast.adapters.sqlite import SqliteStore
from holdfast.profile.schema import Session
from holdfast.remember.outbox import FEED, Outbox
from holdfast.servers import Servers
from holdfast.testing.clock import ManualClock
from holdfast.testing.stores import StoreContract

LATE = datetime(9000, 1, 1, tzinfo=UTC)


class AtOnce(Outbox):
    """Whose own jobs are done right after each write, so that a queue holds what its tests put there."""

    def _done(self):
        while jobs := self._store.lease(now=LATE, seconds=1, kinds=(FEED,), limit=100):
            for job in jobs:
                self._store.finish(job.id)

    def apply(self, plan):
        entry = super().apply(plan)
        self._done()
        return entry

    def touch(self, accesses):
        super().touch(accesses)
        self._done()

    def store_vectors(self, embedder, vectors, versions):
        stored = super().store_vectors(embedder, vectors, versions)
        self._done()
        return stored

    def drop_vectors(self, embedder):
        dropped = super().drop_vectors(embedder)
        self._done()
        return dropped

    def reindex(self, rows):
        super().reindex(rows)
        self._done()


class House:
    """A store whose spaces have outboxes."""

    def __init__(self, store, working):
        self._store, self._working = store, working
        self._open = {}

    def __getattr__(self, name):
        return getattr(self._store, name)

    def open(self, record):
        store = self._store.open(record)
        if self._open.get(record.id, (None,))[0] is not store:
            outbox = AtOnce(store, ManualClock(), self._working, session=Session(), servers=Servers())
            self._open[record.id] = (store, outbox)
        return self._open[record.id][1]


class _WithOutbox(StoreContract):
    @pytest.fixture(autouse=True)
    def _beside(self, redis, tmp_path):
        self.path, self.working = tmp_path / "house", RedisWorking(redis.url)
        yield
        self.working.close()
        if "store" in vars(self):
            self.store.close()


class TestReferenceWithAnOutbox(_WithOutbox):
    def make_store(self):
        return House(ReferenceStore(), self.working)


class TestSqliteWithAnOutbox(_WithOutbox):
    def make_store(self):
        return House(SqliteStore(self.path), self.working)


class TestPostgresWithAnOutbox(_WithOutbox):
    @pytest.fixture(autouse=True)
    def database(self, postgres_house):
        self.url = postgres_house

    def make_store(self):
        return House(PostgresStore(self.url), self.working)
