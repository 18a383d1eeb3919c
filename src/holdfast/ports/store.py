"""The truth: a catalog of spaces, and for each space one ledgered store.

`SpaceStore.apply(plan)` is the only write that decides anything: memories, index rows, captures, jobs,
weight log and the ledger entry in one commit, or nothing. Every method is safe from several threads;
several processes may use one directory or server at once. Texts and ids come back exactly as given.
Errors: StaleWrite, NotFound, Unavailable (a lock not had in time), StoreError and its children.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from holdfast.model.ledger import ChainReport
from holdfast.ports.batch import Batch, Vectors

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Access, Entry, Job, Listing, Plan, WeightChange
    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece

__all__ = ["Batch", "ChainReport", "Drift", "SpaceStore", "Store", "Vectors"]


@dataclass(frozen=True, slots=True)
class Drift:
    """One thing an index says that the truth does not, or the other way round (B11)."""

    what: str
    id: str
    detail: str


class SpaceStore(Protocol):
    """One space's truth."""

    @property
    def id(self) -> str:
        """The space's id; asking costs nothing."""
        ...

    @property
    def record(self) -> SpaceRecord:
        """What the catalog says of the space now; a read of the catalog."""
        ...

    # --- write -------------------------------------------------------------------------------------
    def turn(self) -> AbstractContextManager[None]:
        """One writer at a time decides, across threads and processes, so that few plans turn stale.

        Nothing relies on it for correctness. Reentrant in a thread. Unavailable when not had in time.
        """
        ...

    def apply(self, plan: Plan) -> Entry:
        """All of the plan in one durable commit; raises StaleWrite (nothing written) where
        `plan.seen` is not the current sequence, a put's or read's version is not the stored one,
        or a new id is there already. NotFound (nothing written) where an index row, a purge or a weight
        names a memory, or a drop a capture, that is not there. Puts, index rows and purges bump the sequence;
        a plan without them does not. InvalidInput where a text cannot be written, or a vector has another
        size than those of its embedder.
        """
        ...

    def touch(self, accesses: Mapping[str, Access]) -> None:
        """Adds to access counts and moves the time of the last access forward; not ledgered, does not bump
        the sequence, unknown ids are passed over. A count of 0 only moves the time.
        """
        ...

    def store_vectors(self, embedder: str, vectors: Mapping[str, bytes], versions: Mapping[str, int]) -> int:
        """Late vectors, where the memory still has that version; bumps the sequence, writes no entry.
        Returns how many were stored.
        """
        ...

    # --- read --------------------------------------------------------------------------------------
    def sequence(self) -> int:
        """Rises with every write that an image can see; cheap (microseconds)."""
        ...

    def standing(self) -> tuple[int, str]:
        """`sequence`, and what `record` says of the embedder, in one question where the engine can; for each
        recall.
        """
        ...

    def batch(self, since: int, embedder: str) -> Batch:
        """Rows changed after `since` (0: the whole space)."""
        ...

    def rows(self, ids: Sequence[str], embedder: str) -> Batch:
        """The same of some memories: those of the ids that have an index row here."""
        ...

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist, current version, with the access counts of now. A purged memory is
        still there, without its words (`model.ledger.shredded`).
        """
        ...

    def list(self, listing: Listing) -> builtins.list[Memory]: ...

    def count(self) -> dict[tuple[str, str], int]:
        """How many memories by (layer, status)."""
        ...

    def versions(self, id: str) -> builtins.list[Memory]:
        """Every version, oldest first; a purged one has empty content. NotFound where there is none.
        Access counts are no part of history: they are 0 here and in `as_of`.
        """
        ...

    def as_of(self, at: datetime) -> builtins.list[Memory]:
        """Each memory as it stood after the last change (in the ledger's order) whose plan was made at or
        before `at`, by id.
        """
        ...

    def entries(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        """Ledger entries with a number above `after`, oldest first; of one memory where named."""
        ...

    def change(self, change: str) -> Entry:
        """The entry of a change; NotFound where there is none."""
        ...

    def weights(self, memory: str) -> builtins.list[WeightChange]: ...

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        """Quarantine, oldest id first; `after` is the last id of the page before."""
        ...

    def verify(self) -> ChainReport:
        """Recomputes the chain and compares its head with the catalog's anchor (B3)."""
        ...

    def dump(self) -> Iterator[Piece]:
        """Everything, in one snapshot, in the order of `ports.dump`."""
        ...

    # --- index upkeep ------------------------------------------------------------------------------
    def unembedded(self, embedder: str, limit: int) -> builtins.list[Memory]:
        """Memories that wait for a vector of that embedder, oldest row first; those indexed with `vector=b""`
        and those without an index row never do.
        """
        ...

    def embedders(self) -> dict[str, int]:
        """How many vectors each embedder has here."""
        ...

    def drop_vectors(self, embedder: str) -> int: ...

    def drift(self, expected: Mapping[str, tuple[bytes, bytes]]) -> builtins.list[Drift]:
        """Compares index rows with what they should be (id → record, words): missing, changed, extra."""
        ...

    def reindex(self, rows: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Writes index rows anew (id → record, words), leaving vectors alone; bumps the sequence. Ids without
        a memory are passed over.
        """
        ...

    # --- queue -------------------------------------------------------------------------------------
    def enqueue(self, jobs: Sequence[Job]) -> None:
        """Adds those whose id is new and whose key no waiting job has. A job that somebody holds does not
        wait: the same work may be asked for again while it is being done.
        """
        ...

    def lease(
        self, *, now: datetime, seconds: float, kinds: Sequence[str] = (), limit: int = 1
    ) -> builtins.list[Job]:
        """Takes due jobs that nobody holds (or whose holder's lease ran out), attempts raised by one,
        longest due first. `kinds` empty: any.
        """
        ...

    def finish(self, job: str) -> None:
        """Done. A job that is gone (its lease ran out, another finished it) is passed over."""
        ...

    def fail(self, job: str, *, error: str, retry_at: datetime | None) -> None:
        """Puts it back for `retry_at`; None: parks it as failed for a person to see. A job that
        is gone is passed over.
        """
        ...

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        """Waiting and held ones, or the failed ones; earliest due first."""
        ...

    def close(self) -> None: ...


class Store(Protocol):
    """The house: a catalog of spaces, and their stores."""

    def create(self, record: SpaceRecord) -> SpaceRecord:
        """Makes the space; where the name exists, returns what is there unchanged. InvalidInput where the id
        is that of another space.
        """
        ...

    def find(self, name: str) -> SpaceRecord | None: ...

    def spaces(self) -> list[SpaceRecord]:
        """By name."""
        ...

    def open(self, record: SpaceRecord) -> SpaceStore:
        """The same object for the same space, shared by threads; few are kept open at a time."""
        ...

    def update(self, record: SpaceRecord) -> None:
        """Stores another user factor, profile text or embedder; the name and id stay."""
        ...

    def rekey(self, id: str, key: str, *, over: str) -> bool:
        """Puts another `sealing` in place of `over` (E14); False, and nothing changed, where it is not that
        any more. Nothing else writes it. An empty key leaves no trace of the old one; Unavailable where
        somebody still reads the old state, so that it is to be done again.
        """
        ...

    def load(self, record: SpaceRecord, pieces: Iterable[Piece]) -> SpaceRecord:
        """Makes a space of what a `dump` told, its sequence anew; whole, or not at all where anything is
        raised. InvalidInput where the name or id is taken; Damaged where what came does not hold together: it
        begins at `genesis(record.lineage)` and reaches the record's anchor, read before the dump.
        """
        ...

    def doctor(self) -> list[Drift]:
        """Orphan files, spaces without a file, files that do not open."""
        ...

    def close(self) -> None: ...
