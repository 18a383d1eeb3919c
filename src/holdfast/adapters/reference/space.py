"""One space of the reference store: the port's methods over `rows`, each under one lock."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.adapters.reference import rows as reference
from holdfast.adapters.reference import whole
from holdfast.adapters.reference.rows import Row, Rows, Waiting
from holdfast.errors import InvalidInput, NotFound, Unavailable
from holdfast.model import ledger
from holdfast.ports.store import Drift

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.adapters.reference.store import ReferenceStore
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Access, Entry, Job, Listing, Plan, WeightChange
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Batch

TURN_SECONDS = 30.0
"""How long a thread waits for its turn: far longer than any decision takes."""


class ReferenceSpace:
    """Implements `ports.store.SpaceStore` in memory."""

    def __init__(self, house: ReferenceStore, id: str, rows: Rows | None = None) -> None:
        self._house = house
        self.id = id
        self._turn = threading.RLock()
        self._lock = threading.RLock()
        self._rows = rows or Rows()

    @property
    def record(self) -> SpaceRecord:
        return self._house.record(self.id)

    # --- write -------------------------------------------------------------------------------------
    @contextmanager
    def turn(self) -> Iterator[None]:
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise Unavailable(f"another thread has kept its turn for {TURN_SECONDS:g} s; try again")
        try:
            yield
        finally:
            self._turn.release()

    def apply(self, plan: Plan) -> Entry:
        with self._lock:
            salt = lambda: os.urandom(ledger.SALT_BYTES)
            try:
                self._rows = reference.applied(self._rows, plan, space=self.id, salt=salt)
            except UnicodeEncodeError as error:
                raise InvalidInput(
                    "text", f"holds a lone surrogate at {error.start}", "decode it again"
                ) from None
            entry = self._rows.entries[-1]
            self._house.anchor(self.id, ledger.Anchor(entry.number, entry.hash))
            return entry

    def touch(self, accesses: Mapping[str, Access]) -> None:
        with self._lock:
            for id, access in accesses.items():
                if id in self._rows.accesses:
                    count, at = self._rows.accesses[id]
                    self._rows.accesses[id] = (count + access.count, max(at or access.at, access.at))

    def store_vectors(self, embedder: str, vectors: Mapping[str, bytes], versions: Mapping[str, int]) -> int:
        with self._lock:
            rows = self._rows.copy()
            fresh = {
                id: row
                for id, row in rows.index.items()
                if id in vectors and not row.never and versions.get(id) == rows.version(id)
            }
            rows.sequence += bool(fresh)
            for id, row in fresh.items():
                reference.fits(rows, embedder, vectors[id])
                both = {**row.vectors, embedder: vectors[id]}
                rows.index[id] = replace(row, seq=rows.sequence, vectors=both)
            self._rows = rows
            return len(fresh)

    # --- read --------------------------------------------------------------------------------------
    def sequence(self) -> int:
        return self._rows.sequence

    def standing(self) -> tuple[int, str]:
        told = self.record.embedder
        return self.sequence(), told

    def batch(self, since: int, embedder: str) -> Batch:
        with self._lock:
            complete = since <= 0 or since > self._rows.sequence
            later = -1 if complete else since
            found = reference.batch(self._rows, embedder, lambda _, row: row.seq > later)
            gone = [] if complete else sorted(row for row, seq in self._rows.removed.items() if seq > since)
            return replace(found, complete=complete, removed=gone)

    def rows(self, ids: Sequence[str], embedder: str) -> Batch:
        wanted = frozenset(ids)
        with self._lock:
            return reference.batch(self._rows, embedder, lambda each, _: each in wanted)

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        with self._lock:
            return {id: self._rows.current(id) for id in ids if id in self._rows.history}

    def list(self, listing: Listing) -> builtins.list[Memory]:
        with self._lock:
            ids = sorted(self._rows.history, reverse=listing.newest_first)
            memories = [self._rows.current(id) for id in ids]
        return [memory for memory in memories if _listed(memory, listing)][: listing.limit]

    def count(self) -> dict[tuple[str, str], int]:
        counts: dict[tuple[str, str], int] = {}
        with self._lock:
            for id in self._rows.history:
                memory = self._rows.current(id)
                key = (str(memory.layer), str(memory.status))
                counts[key] = counts.get(key, 0) + 1
        return counts

    def versions(self, id: str) -> builtins.list[Memory]:
        with self._lock:
            self._rows.need(id, "versions")
            return [version.memory for version in self._rows.history[id]]

    def as_of(self, at: datetime) -> builtins.list[Memory]:
        with self._lock:
            stood = [
                [v.memory for v in self._rows.history[id] if v.at <= at] for id in sorted(self._rows.history)
            ]
        return [versions[-1] for versions in stood if versions]

    def entries(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        return [
            entry
            for entry in self._rows.entries
            if entry.number > after and (not memory or any(t.id == memory for t in entry.touched))
        ][:limit]

    def change(self, change: str) -> Entry:
        for entry in self._rows.entries:
            if entry.change == change:
                return entry
        raise NotFound(f"there is no change {change!r} in this space's ledger")

    def weights(self, memory: str) -> builtins.list[WeightChange]:
        return [weight for weight in self._rows.weights if weight.memory == memory]

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        with self._lock:
            kept = sorted(self._rows.quarantine.items())
        return [capture for id, (capture, _) in kept if id > after][:limit]

    def verify(self) -> ledger.ChainReport:
        with self._lock:
            record = self.record
            anchor = ledger.Anchor(record.anchor_number, record.anchor_hash)
            return whole.verified(self._rows, record.lineage, anchor)

    def dump(self) -> Iterator[Piece]:
        with self._lock:
            return iter(whole.dumped(self._rows))

    # --- index upkeep ------------------------------------------------------------------------------
    def unembedded(self, embedder: str, limit: int) -> builtins.list[Memory]:
        with self._lock:
            waiting = [
                (r.row, id) for id, r in self._rows.index.items() if embedder not in r.vectors and not r.never
            ]
            return [self._rows.current(id) for _, id in sorted(waiting)[:limit]]

    def embedders(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        with self._lock:
            for row in self._rows.index.values():
                for embedder in row.vectors:
                    counts[embedder] = counts.get(embedder, 0) + 1
        return counts

    def drop_vectors(self, embedder: str) -> int:
        with self._lock:
            having = {id: row for id, row in self._rows.index.items() if embedder in row.vectors}
            self._rows.sizes.pop(embedder, None)
            if having:
                self._rows.sequence += 1
            for id, row in having.items():
                rest = {name: data for name, data in row.vectors.items() if name != embedder}
                self._rows.index[id] = replace(row, seq=self._rows.sequence, vectors=rest)
            return len(having)

    def drift(self, expected: Mapping[str, tuple[bytes, bytes]]) -> builtins.list[Drift]:
        with self._lock:
            rows = self._rows
            found = [Drift("missing", id, "has no index row") for id in expected if id not in rows.index]
            for id, row in rows.index.items():
                if id not in expected:
                    found.append(Drift("extra", id, "has an index row that nothing asks for"))
                elif expected[id] != (row.record, row.words):
                    found.append(Drift("changed", id, "its index row is not what its memory says"))
        return sorted(found, key=lambda drift: (drift.id, drift.what))

    def reindex(self, rows: Mapping[str, tuple[bytes, bytes]]) -> None:
        with self._lock:
            known = {id: packed for id, packed in rows.items() if id in self._rows.history}
            if known:
                self._rows.sequence += 1
            for id, (record, words) in known.items():
                number = self._rows.numbers[id]
                old = self._rows.index.get(id, Row(number, 0, b"", b"", {}))
                self._rows.removed.pop(number, None)
                self._rows.index[id] = replace(old, seq=self._rows.sequence, record=record, words=words)

    # --- queue -------------------------------------------------------------------------------------
    def enqueue(self, jobs: Sequence[Job]) -> None:
        with self._lock:
            reference.enqueue(self._rows, tuple(jobs))

    def lease(
        self, *, now: datetime, seconds: float, kinds: Sequence[str] = (), limit: int = 1
    ) -> builtins.list[Job]:
        with self._lock:
            due = [
                waiting.job
                for waiting in self._rows.jobs.values()
                if not waiting.failed
                and waiting.job.run_at <= now
                and (waiting.held is None or waiting.held <= now)
                and (not kinds or waiting.job.kind in kinds)
            ]
            taken = [replace(job, attempts=job.attempts + 1) for job in sorted(due, key=_due)[:limit]]
            for job in taken:
                self._rows.jobs[job.id] = Waiting(job, held=now + timedelta(seconds=seconds))
            return taken

    def finish(self, job: str) -> None:
        with self._lock:
            self._rows.jobs.pop(job, None)

    def fail(self, job: str, *, error: str, retry_at: datetime | None) -> None:
        with self._lock:
            if job in self._rows.jobs:
                known = self._rows.jobs[job].job
                again = replace(known, error=error, run_at=retry_at or known.run_at)
                self._rows.jobs[job] = Waiting(again, failed=retry_at is None)

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        with self._lock:
            jobs = [waiting.job for waiting in self._rows.jobs.values() if waiting.failed == failed]
        return sorted(jobs, key=_due)[:limit]

    def close(self) -> None:
        """Nothing to let go of."""


def _due(job: Job) -> tuple[datetime, str]:
    return (job.run_at, job.id)


def _listed(memory: Memory, listing: Listing) -> bool:
    past = not listing.after or (
        memory.id < listing.after if listing.newest_first else memory.id > listing.after
    )
    return (
        past
        and (listing.layers is None or memory.layer in listing.layers)
        and (listing.kinds is None or memory.kind in listing.kinds)
        and (listing.statuses is None or memory.status in listing.statuses)
        and (listing.entity_type is None or memory.entity_type == listing.entity_type)
        and listing.marks <= memory.marks
        and (listing.session is None or memory.session == listing.session)
        and (listing.since is None or memory.created_at >= listing.since)
        and (listing.until is None or memory.created_at < listing.until)
    )
