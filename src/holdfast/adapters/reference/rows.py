"""What one space of the reference store holds, and how a plan changes it.

`applied` works on a copy and returns it, so that a plan that fails leaves nothing behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput, NotFound, StaleWrite
from holdfast.model import codec, ledger
from holdfast.model.plan import Touched
from holdfast.ports.store import Batch, Vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Indexed, Job, Plan, WeightChange

Salt = bytes | None
Seen = tuple[int, "datetime | None"]  # how often a memory was handed out, and when last


@dataclass(frozen=True, slots=True)
class Version:
    """One after-image; the salt goes when its words go."""

    memory: Memory
    at: datetime
    salt: Salt


@dataclass(frozen=True, slots=True)
class Row:
    """What an image sees of one memory. `never` says that it is not to have a vector."""

    row: int
    seq: int
    record: bytes
    words: bytes
    vectors: dict[str, bytes]
    never: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A job; taken until `held`, or parked as failed."""

    job: Job
    held: datetime | None = None
    failed: bool = False


@dataclass(slots=True)
class Rows:
    """Everything of one space."""

    sequence: int = 0
    numbers: dict[str, int] = field(default_factory=dict)  # memory id → row number, in order of insertion
    history: dict[str, tuple[Version, ...]] = field(default_factory=dict)
    accesses: dict[str, Seen] = field(default_factory=dict)
    index: dict[str, Row] = field(default_factory=dict)
    removed: dict[int, int] = field(default_factory=dict)  # row → sequence
    sizes: dict[str, int] = field(default_factory=dict)  # embedder → bytes of a vector
    entries: tuple[Entry, ...] = ()
    quarantine: dict[str, tuple[Capture, bytes]] = field(default_factory=dict)
    weights: tuple[WeightChange, ...] = ()
    jobs: dict[str, Waiting] = field(default_factory=dict)

    def copy(self) -> Rows:
        """Another set of rows: values are never changed in place, so one level is enough."""
        return replace(
            self,
            numbers=dict(self.numbers),
            history=dict(self.history),
            accesses=dict(self.accesses),
            index=dict(self.index),
            removed=dict(self.removed),
            sizes=dict(self.sizes),
            quarantine=dict(self.quarantine),
            jobs=dict(self.jobs),
        )

    def version(self, id: str) -> int:
        """The version that is stored; 0 where there is none."""
        return self.history[id][-1].memory.version if id in self.history else 0

    def current(self, id: str) -> Memory:
        count, at = self.accesses[id]
        return replace(self.history[id][-1].memory, access_count=count, accessed_at=at)

    def need(self, id: str, what: str) -> None:
        if id not in self.history:
            raise NotFound(f"{what}: there is no memory {id!r} in this space")


def applied(rows: Rows, plan: Plan, *, space: str, salt: Callable[[], bytes]) -> Rows:
    """The rows after the plan, its ledger entry last; raises as `SpaceStore.apply` does."""
    rows = rows.copy()
    _check(rows, plan)
    if plan.puts or plan.indexed or plan.purges:
        rows.sequence += 1
    touched = [_put(rows, memory, at=plan.at, salt=salt()) for memory in plan.puts]
    for item in plan.indexed:
        if item.vector and not item.keep_vector:
            fits(rows, plan.embedder, item.vector)
        _index(rows, item, plan.embedder)
    touched += [_purge(rows, id) for id in plan.purges]
    captured = [_capture(rows, capture, salt()) for capture in plan.captures]
    captured += [_drop(rows, id) for id in plan.drops]
    for weight in plan.weights:
        rows.need(weight.memory, "weights")
    rows.weights += plan.weights
    enqueue(rows, plan.jobs)
    last = rows.entries[-1] if rows.entries else None
    head = ledger.Anchor(last.number, last.hash) if last else ledger.Anchor(0, ledger.genesis(space))
    rows.entries += (ledger.link(plan, head, tuple(touched), captures=tuple(captured)).entry,)
    return rows


def _check(rows: Rows, plan: Plan) -> None:
    if plan.seen is not None and plan.seen != rows.sequence:
        raise StaleWrite(
            f"the space is at sequence {rows.sequence}, the plan was made at {plan.seen}; decide again"
        )
    for id, version in plan.reads.items():
        if rows.version(id) != version:
            raise StaleWrite(
                f"memory {id!r} is at version {rows.version(id)}, {version} was read; decide again"
            )
    if any(entry.change == plan.change for entry in rows.entries):
        raise StaleWrite(f"the change {plan.change!r} was applied already; make a new one")


def _put(rows: Rows, memory: Memory, *, at: datetime, salt: bytes) -> Touched:
    before = rows.version(memory.id)
    if memory.version != before + 1:
        raise StaleWrite(
            f"memory {memory.id!r} is at version {before}, {memory.version} was to be put; decide again"
        )
    if before == 0:
        rows.numbers[memory.id] = len(rows.numbers) + 1
        rows.accesses[memory.id] = (memory.access_count, memory.accessed_at)
    plain = replace(memory, access_count=0, accessed_at=None)
    rows.history[memory.id] = (*rows.history.get(memory.id, ()), Version(plain, at, salt))
    return Touched(memory.id, before, memory.version, ledger.digest(salt, codec.encode_image(plain)))


def _index(rows: Rows, item: Indexed, embedder: str) -> None:
    rows.need(item.id, "indexed")
    old = rows.index.get(item.id)
    never = item.vector == b""
    if item.keep_vector:
        vectors, never = (old.vectors, old.never) if old else ({}, False)
    else:
        vectors = {embedder: item.vector} if item.vector else {}
    number = rows.numbers[item.id]
    rows.removed.pop(number, None)
    rows.index[item.id] = Row(number, rows.sequence, item.record, item.words, vectors, never)


def fits(rows: Rows, embedder: str, vector: bytes) -> None:
    """Vectors of one embedder have one size, until they are all dropped."""
    size = rows.sizes.setdefault(embedder, len(vector))
    if len(vector) != size:
        problem = f"one of {embedder!r} has {len(vector)} bytes, where those stored have {size}"
        raise InvalidInput("vector", problem, "give another embedder another name")


def _purge(rows: Rows, id: str) -> Touched:
    rows.need(id, "purges")
    rows.history[id] = tuple(Version(ledger.shredded(v.memory), v.at, None) for v in rows.history[id])
    if rows.index.pop(id, None):
        rows.removed[rows.numbers[id]] = rows.sequence
    return Touched(id, rows.version(id), rows.version(id), "")


def _capture(rows: Rows, capture: Capture, salt: bytes) -> Touched:
    if capture.id in rows.quarantine:
        raise StaleWrite(f"there is a capture {capture.id!r} already; make a new id")
    rows.quarantine[capture.id] = (capture, salt)
    return Touched(capture.id, 0, 1, ledger.digest(salt, codec.encode_capture(capture)))


def _drop(rows: Rows, id: str) -> Touched:
    if id not in rows.quarantine:
        raise NotFound(f"drops: there is no capture {id!r} in quarantine")
    del rows.quarantine[id]
    return Touched(id, 1, 0, "")


def enqueue(rows: Rows, jobs: tuple[Job, ...]) -> None:
    """Adds those whose id is new and whose key nothing waiting has."""
    for job in jobs:
        keys = {
            waiting.job.key for waiting in rows.jobs.values() if not waiting.failed and waiting.held is None
        }
        if job.id not in rows.jobs and (not job.key or job.key not in keys):
            rows.jobs[job.id] = Waiting(job)


def batch(rows: Rows, embedder: str, wanted: Callable[[str, Row], bool]) -> Batch:
    """What an image needs of some rows."""
    found = [(id, row) for id, row in rows.index.items() if wanted(id, row)]
    found.sort(key=lambda item: item[1].row)
    seen = [rows.accesses[id] for id, _ in found]
    return Batch(
        sequence=rows.sequence,
        complete=False,
        rows=[row.row for _, row in found],
        ids=[id for id, _ in found],
        records=[row.record for _, row in found],
        words=[row.words for _, row in found],
        vectors=Vectors.of(row.vectors.get(embedder) for _, row in found),
        access_counts=[count for count, _ in seen],
        accessed=[at.timestamp() if at else float("nan") for _, at in seen],
    )
