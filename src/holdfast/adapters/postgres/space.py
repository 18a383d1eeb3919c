"""One space's rows as a `SpaceStore`: each method a transaction of `write`, `read`, `index` or `queue`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import dump, index, queue, read, verify, write
from holdfast.adapters.postgres.pool import Unsure
from holdfast.adapters.postgres.turn import Turns
from holdfast.errors import NotFound
from holdfast.model.codec import micros
from holdfast.model.ledger import Anchor

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from holdfast.adapters.postgres.catalog import Catalog
    from holdfast.adapters.postgres.pool import Db, Pool
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Access, Entry, Job, Listing, Plan, WeightChange
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Batch, ChainReport, Drift

_SQL = statements(__package__, "space.sql")


class PostgresSpace:
    """Implements `ports.store.SpaceStore`."""

    def __init__(self, id: str, number: int, *, catalog: Catalog, pool: Pool) -> None:
        self._id = id
        self._number = number
        self._catalog = catalog
        self._turns = Turns(pool, number)
        self._ask = partial(pool.ask, number)
        self._read = partial(pool.read, number)
        self._write = partial(pool.write, number)
        self._snapshot = partial(pool.snapshot, number)

    @property
    def id(self) -> str:
        return self._id

    @property
    def record(self) -> SpaceRecord:
        return self._catalog.record(self._id)

    # --- write -------------------------------------------------------------------------------------
    def turn(self) -> AbstractContextManager[None]:
        return self._turns.turn()

    def apply(self, plan: Plan) -> Entry:
        try:
            return self._write(lambda db: write.apply(db, plan, self._id))
        except Unsure:
            # The lock waits for the lost transaction to end; then the ledger knows whether it was committed.
            entry = self._write(lambda db: _committed(db, plan.change))
            if entry is None:
                raise
            return entry

    def touch(self, accesses: Mapping[str, Access]) -> None:
        def touch(db: Db) -> None:
            db.rows(_SQL["lock"])
            known = {id: access for id, access in accesses.items() if "\x00" not in id}
            db.many(_SQL["touch"], [(id, a.count, micros(a.at)) for id, a in known.items()])

        self._write(touch, durable=False)

    def store_vectors(self, embedder: str, vectors: Mapping[str, bytes], versions: Mapping[str, int]) -> int:
        return self._write(lambda db: index.store_vectors(db, embedder, vectors, versions=versions))

    # --- read --------------------------------------------------------------------------------------
    def sequence(self) -> int:
        return self.standing()[0]

    def standing(self) -> tuple[int, str]:
        return self._catalog.standing(self._number)

    def batch(self, since: int, embedder: str) -> Batch:
        return self._read(lambda db: read.batch(db, since, embedder), snapshot=True)

    def rows(self, ids: Sequence[str], embedder: str) -> Batch:
        return self._read(lambda db: read.some_rows(db, ids, embedder), snapshot=True)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        found: dict[str, Memory] = self._ask(_SQL["get"], read.written(ids), then=read.memories)
        return found

    def list(self, listing: Listing) -> builtins.list[Memory]:
        return self._read(lambda db: read.listed(db, listing))

    def count(self) -> dict[tuple[str, str], int]:
        return self._read(read.count)

    def versions(self, id: str) -> builtins.list[Memory]:
        return self._read(lambda db: read.versions(db, id))

    def as_of(self, at: datetime) -> builtins.list[Memory]:
        return self._read(lambda db: read.as_of(db, at))

    def entries(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        return self._read(lambda db: read.entries(db, after=after, limit=limit, memory=memory))

    def change(self, change: str) -> Entry:
        return self._read(lambda db: read.change(db, change))

    def weights(self, memory: str) -> builtins.list[WeightChange]:
        return self._read(lambda db: read.weights(db, memory))

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        return self._read(lambda db: read.captures(db, after=after, limit=limit))

    def verify(self) -> ChainReport:
        # The anchor first: it never leads, so what is read of the ledger afterwards must reach it.
        record = self.record
        anchor = Anchor(record.anchor_number, record.anchor_hash)
        return self._read(lambda db: verify.verified(db, record.lineage, anchor), snapshot=True)

    def dump(self) -> Iterator[Piece]:
        with self._snapshot() as db:
            yield from dump.dump(db)

    # --- index upkeep ------------------------------------------------------------------------------
    def unembedded(self, embedder: str, limit: int) -> builtins.list[Memory]:
        return self._read(lambda db: read.unembedded(db, embedder, limit))

    def embedders(self) -> dict[str, int]:
        return self._read(read.embedders)

    def drop_vectors(self, embedder: str) -> int:
        return self._write(lambda db: index.drop_vectors(db, embedder))

    def drift(self, expected: Mapping[str, tuple[bytes, bytes]]) -> builtins.list[Drift]:
        return self._read(lambda db: read.drift(db, expected))

    def reindex(self, rows: Mapping[str, tuple[bytes, bytes]]) -> None:
        self._write(lambda db: index.reindex(db, rows))

    # --- queue -------------------------------------------------------------------------------------
    # Only what is asked for is waited for: a lease or an end that is lost with the power is made again.
    def enqueue(self, jobs: Sequence[Job]) -> None:
        def enqueue(db: Db) -> None:
            db.rows(_SQL["lock"])
            queue.enqueue(db, jobs)

        self._write(enqueue)

    def lease(
        self, *, now: datetime, seconds: float, kinds: Sequence[str] = (), limit: int = 1
    ) -> builtins.list[Job]:
        lease = lambda db: queue.lease(db, now, seconds, kinds=kinds, limit=limit)
        return self._write(lease, durable=False)

    def finish(self, job: str) -> None:
        self._write(lambda db: db.send(_SQL["finish"], job), durable=False)

    def fail(self, job: str, *, error: str, retry_at: datetime | None) -> None:
        again = None if retry_at is None else micros(retry_at)
        self._write(lambda db: db.send(_SQL["fail"], job, error, again), durable=False)

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        return self._read(lambda db: queue.jobs(db, failed=failed, limit=limit))

    def close(self) -> None:
        """Connections are the house's."""


def _committed(db: Db, change: str) -> Entry | None:
    db.rows(_SQL["lock"])
    try:
        return read.change(db, change)
    except NotFound:
        return None
