"""Feeding the index beside the truth: what a `feed` job does, what `doctor` compares, what `repair` rebuilds.

The truth's sequence number is the outbox: the index notes how far it was fed, and everything changed since is
read from the truth and fed again. At least once, in any order; nothing is lost that the truth has.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

from holdfast.errors import Unavailable
from holdfast.model.plan import Listing
from holdfast.ports.index import Point
from holdfast.ports.store import Drift
from holdfast.recall import hot
from holdfast.recall.drift import behind
from holdfast.remember.outbox import due

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Job
    from holdfast.ports.batch import Batch
    from holdfast.ports.index import VectorIndex
    from holdfast.scope import Scope

PAGE = 1000  # memories held at a time: some 5 MB


def feed(scope: Scope, job: Job) -> None:
    """Brings what stands beside the truth up to date, and tells the index what the job names besides."""
    if scope.working is not None:
        hot.told(scope.store, scope.working, scope.profile.session)
    if scope.index is None:
        return
    feeder = _Feeder(scope, scope.index)
    at = feeder.catch_up()
    told = job.payload
    if "dropped" in told and told["dropped"] not in scope.store.embedders():
        scope.index.drop(scope.store.id, [told["dropped"]])
    gone = [id for id, memory in scope.store.get(told.get("gone", ())).items() if not memory.content]
    feeder.tell(_of(scope, told.get("touched", ())), gone, at)


def begin(scope: Scope) -> None:
    """Sends for a first feeding where the index is behind and nobody did: it was turned on, or emptied, after
    the last write. Once for each space and process; an index that is away is looked at again.
    """
    if scope.index is None or scope.store.id in scope.servers.seen:
        return
    try:
        with scope.servers.asking(scope.index.name, scope.clock.now()):
            fed = scope.index.sequence(scope.store.id, scope.embedder.name)
    except Unavailable:
        return
    if fed != scope.store.sequence():
        scope.store.enqueue([due(scope.clock)])
    scope.servers.seen.add(scope.store.id)


def drift(scope: Scope) -> list[Drift]:
    """What the index says otherwise than the truth: counts and digests of every memory (B11)."""
    if scope.index is None:
        return []
    name = scope.index.name
    try:
        late = behind(scope)[name]
        if late:
            return [Drift("late", scope.space, f"{name} is {late} changes behind; work feeds it")]
        held = dict(scope.index.stamps(scope.store.id, scope.embedder.name))
    except Unavailable as error:
        return [Drift("unreachable", scope.space, str(error))]
    found = []
    for point in _everything(scope):
        stamp = held.pop(point.id, None)
        if stamp is None:
            found.append(Drift("missing", point.id, f"is not in {name}"))
        elif stamp != point.stamp:
            found.append(Drift("changed", point.id, f"is not in {name} what its memory says"))
    return found + [Drift("extra", id, f"is in {name}, and nothing asks for it") for id in held]


def rebuild(scope: Scope) -> int:
    """Drops what stands beside the truth of a space and feeds it anew; returns how many points."""
    if scope.working is not None:
        scope.working.drop(scope.store.id)
        hot.told(scope.store, scope.working, scope.profile.session)
    if scope.index is None:
        return 0
    scope.index.drop(scope.store.id)
    _Feeder(scope, scope.index).catch_up()
    return scope.index.count(scope.store.id, scope.embedder.name)


def drop(scope: Scope) -> None:
    """Takes all of a space out of what stands beside the truth (it was erased)."""
    if scope.working is not None:
        scope.working.drop(scope.store.id)
    if scope.index is not None:
        scope.index.drop(scope.store.id)


@dataclass(slots=True)
class _Feeder:
    """One feeding of one space."""

    scope: Scope
    index: VectorIndex
    fed: dict[int, str] = field(default_factory=dict)  # row → id of what this feeding put there

    def catch_up(self) -> int:
        """Feeds until nothing is new, and says up to which sequence. What was taken away while it fed is
        taken away again: another feeder may have been quicker.
        """
        store, embedder = self.scope.store, self.scope.embedder.name
        at = self.index.sequence(store.id, embedder)
        if at > store.sequence():  # the truth was restored to an earlier state
            self.index.drop(store.id, [embedder])
            at = 0
        if at == 0:
            at = store.sequence()
            self.tell(_everything(self.scope), (), at)
        while True:
            batch = store.batch(at, embedder)
            if batch.sequence == at or batch.complete:
                return at
            at = batch.sequence
            late = [id for id, there in zip(batch.ids, batch.vectors.present, strict=True) if not there]
            purged = [self.fed[row] for row in batch.removed if row in self.fed]
            self.fed |= dict(zip(batch.rows, batch.ids, strict=True))
            self.tell(_points(self.scope, batch), [*late, *purged], at)

    def tell(self, puts: Iterable[Point], gone: Sequence[str], at: int) -> None:
        store = self.scope.store
        self.index.feed(store.id, self.scope.embedder.name, puts=puts, gone=gone, sequence=at)


def _points(scope: Scope, batch: Batch, known: Mapping[str, Memory] | None = None) -> Iterator[Point]:
    """Those of the rows that have a vector; the memories read from the truth page by page, or at hand."""
    there = [place for place, present in enumerate(batch.vectors.present) if present]
    for first in range(0, len(there), PAGE):
        places = there[first : first + PAGE]
        memories = known or scope.store.get([batch.ids[place] for place in places])
        for place in places:
            memory, vector = memories.get(batch.ids[place]), batch.vectors[place]
            if memory is not None and memory.content and vector is not None:
                yield point(memory, vector, batch.records[place])


def _of(scope: Scope, ids: Sequence[str]) -> Iterator[Point]:
    yield from _points(scope, scope.store.rows(ids, scope.embedder.name)) if ids else ()


def _everything(scope: Scope) -> Iterator[Point]:
    after = ""
    while page := scope.store.list(Listing(after=after, limit=PAGE)):
        known = {memory.id: memory for memory in page}
        yield from _points(scope, scope.store.rows(list(known), scope.embedder.name), known)
        after = page[-1].id


def point(memory: Memory, vector: bytes, record: bytes) -> Point:
    """A memory as an index knows it. Of its words it holds the entity's value and nothing else."""
    digest = blake2b(record, digest_size=8)
    digest.update(vector)
    return Point(
        id=memory.id,
        vector=vector,
        stamp=int.from_bytes(digest.digest()) >> 1,
        layer=str(memory.layer),
        kind=memory.kind,
        status=str(memory.status),
        entity_type=memory.entity_type,
        entity_value=memory.entity_value,
        session=memory.session,
        confidence=memory.confidence,
        access_count=memory.access_count,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
    )
