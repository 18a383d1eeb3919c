"""One space's file as a `SpaceStore`: each method a transaction of `write`, `read`, `index` or `queue`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite import dump, index, queue, read, shred, verify, write
from holdfast.adapters.sqlite.statements import statements
from holdfast.adapters.sqlite.turn import Turns
from holdfast.model.codec import micros
from holdfast.model.ledger import Anchor

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from holdfast.adapters.sqlite.catalog import Catalog
    from holdfast.adapters.sqlite.pool import Pool
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Access, Entry, Job, Listing, Plan, WeightChange
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Batch, ChainReport, Drift

_SQL = statements("space.sql")


class SqliteSpace:
    """Implements `ports.store.SpaceStore`."""

    def __init__(self, id: str, catalog: Catalog, *, pool: Pool, turns: Path) -> None:
        self._id = id
        self._catalog = catalog
        self._pool = pool
        self._turns = Turns(turns, pool.patience)

    @property
    def id(self) -> str:
        return self._id

    @property
    def record(self) -> SpaceRecord:
        return self._catalog.record(self._id)

    @property
    def used(self) -> int:
        """When it was last used, in calls to any space."""
        return self._pool.used

    # --- write -------------------------------------------------------------------------------------
    def turn(self) -> AbstractContextManager[None]:
        return self._turns.turn()

    def apply(self, plan: Plan) -> Entry:
        with self._pool.writing() as db:
            entry, unshredded = write.apply(db, plan, self.id)
        self._catalog.anchor(self.id, entry)
        if unshredded:
            shred.shred(self._pool, shred.PATIENCE if plan.purges or plan.drops else 0.0)
        return entry

    def touch(self, accesses: Mapping[str, Access]) -> None:
        with self._pool.writing(durable=False) as db:
            db.executemany(_SQL["touch"], [(id, a.count, micros(a.at)) for id, a in accesses.items()])

    def store_vectors(self, embedder: str, vectors: Mapping[str, bytes], versions: Mapping[str, int]) -> int:
        with self._pool.writing() as db:
            return index.store_vectors(db, embedder, vectors, versions=versions)

    # --- read --------------------------------------------------------------------------------------
    def sequence(self) -> int:
        with self._pool.reading() as db:
            return read.sequence(db)

    def standing(self) -> tuple[int, str]:
        told = self.record.embedder
        return self.sequence(), told

    def batch(self, since: int, embedder: str) -> Batch:
        with self._pool.reading() as db:
            return read.batch(db, since, embedder)

    def rows(self, ids: Sequence[str], embedder: str) -> Batch:
        with self._pool.reading() as db:
            return read.some_rows(db, ids, embedder)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        with self._pool.reading() as db:
            return read.get(db, ids)

    def list(self, listing: Listing) -> builtins.list[Memory]:
        with self._pool.reading() as db:
            return read.listed(db, listing)

    def count(self) -> dict[tuple[str, str], int]:
        with self._pool.reading() as db:
            return read.count(db)

    def versions(self, id: str) -> builtins.list[Memory]:
        with self._pool.reading() as db:
            return read.versions(db, id)

    def as_of(self, at: datetime) -> builtins.list[Memory]:
        with self._pool.reading() as db:
            return read.as_of(db, at)

    def entries(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        with self._pool.reading() as db:
            return read.entries(db, after=after, limit=limit, memory=memory)

    def change(self, change: str) -> Entry:
        with self._pool.reading() as db:
            return read.change(db, change)

    def weights(self, memory: str) -> builtins.list[WeightChange]:
        with self._pool.reading() as db:
            return read.weights(db, memory)

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        with self._pool.reading() as db:
            return read.captures(db, after=after, limit=limit)

    def verify(self) -> ChainReport:
        # The anchor first: it never leads, so what is read of the ledger afterwards must reach it.
        record = self.record
        with self._pool.reading() as db:
            return verify.verified(db, record.lineage, Anchor(record.anchor_number, record.anchor_hash))

    def dump(self) -> Iterator[Piece]:
        with self._pool.reading() as db:
            yield from dump.dump(db)

    # --- index upkeep ------------------------------------------------------------------------------
    def unembedded(self, embedder: str, limit: int) -> builtins.list[Memory]:
        with self._pool.reading() as db:
            return read.unembedded(db, embedder, limit)

    def embedders(self) -> dict[str, int]:
        with self._pool.reading() as db:
            return read.embedders(db)

    def drop_vectors(self, embedder: str) -> int:
        with self._pool.writing() as db:
            return index.drop_vectors(db, embedder)

    def drift(self, expected: Mapping[str, tuple[bytes, bytes]]) -> builtins.list[Drift]:
        with self._pool.reading() as db:
            return read.drift(db, expected)

    def reindex(self, rows: Mapping[str, tuple[bytes, bytes]]) -> None:
        with self._pool.writing() as db:
            index.reindex(db, rows)

    # --- queue -------------------------------------------------------------------------------------
    # Only what is asked for is waited for: a lease or an end that is lost with the power is made again.
    def enqueue(self, jobs: Sequence[Job]) -> None:
        with self._pool.writing() as db:
            queue.enqueue(db, jobs)

    def lease(
        self, *, now: datetime, seconds: float, kinds: Sequence[str] = (), limit: int = 1
    ) -> builtins.list[Job]:
        with self._pool.reading() as db:
            if not queue.due(db, now, kinds=kinds, limit=1):
                return []  # most askings: nobody is kept waiting for them
        with self._pool.writing(durable=False) as db:
            return queue.lease(db, now, seconds, kinds=kinds, limit=limit)

    def finish(self, job: str) -> None:
        with self._pool.writing(durable=False) as db:
            queue.finish(db, job)

    def fail(self, job: str, *, error: str, retry_at: datetime | None) -> None:
        with self._pool.writing(durable=False) as db:
            queue.fail(db, job, error=error, retry_at=retry_at)

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        with self._pool.reading() as db:
            return queue.jobs(db, failed=failed, limit=limit)

    def close(self) -> None:
        """Closes the file; a later call opens it again."""
        self._pool.let_go()
