"""Random histories for two engines at once: the same calls must have the same outcomes, errors too.

Ids, keys and times come from small pools, so that versions clash, purged memories come back and leases run
out: where engines differ. A history is a function of its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.model.plan import Access, Entry, Indexed, Job, Listing, Plan, WeightChange
from holdfast.ports.store import Batch
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import carried, seen

if TYPE_CHECKING:
    from random import Random

    from holdfast.model.memory import Memory
    from holdfast.ports.store import SpaceStore, Store

Call = Callable[["SpaceStore"], Any]
SIZES = {"e": 8, "f": 12}  # bytes of a vector by embedder


def agree(first: Store, second: Store, *, seed: int, steps: int = 60, look: int = 10) -> None:
    """Lives the history of a seed in a space of both; outcomes must agree, and now and then everything."""
    history = History(seed)
    record = replace(history.samples.record(f"history {seed}"), id=f"history-{seed}")
    spaces = [store.open(store.create(record)) for store in (first, second)]
    for step in range(steps):
        name, call = history.next(spaces[0])
        outcomes = [outcome(call, space) for space in spaces]
        assert outcomes[0] == outcomes[1], f"seed {seed}, step {step}: {name}"
        if step % look == look - 1 or step == steps - 1:
            for embedder in SIZES:
                one, two = (seen(space, embedder) for space in spaces)
                other = {key: (one[key], two[key]) for key in one if one[key] != two[key]}
                assert not other, f"seed {seed}, after step {step}, {name}: {other}"


def arrive(first: Store, second: Store, *, seed: int, steps: int = 60) -> None:
    """Lives a history in one house and carries the space into the other: it must be what it was, and dump the
    same again.
    """
    history = History(seed)
    record = replace(history.samples.record(f"history {seed}"), id=f"history-{seed}")
    home = first.open(first.create(record))
    for _ in range(steps):
        _, call = history.next(home)
        outcome(call, home)
    arrived = second.open(second.load(home.record, home.dump()))
    for embedder in SIZES:
        assert carried(arrived, embedder) == carried(home, embedder), f"seed {seed}"
    assert list(arrived.dump()) == list(home.dump()), f"seed {seed}"


def outcome(call: Call, space: SpaceStore) -> Any:
    """What a call answers, or the error it raises; without what chance decides (salts, and so digests)."""
    try:
        return _plain(call(space))
    except HoldfastError as error:
        return type(error)


def _plain(answer: Any) -> Any:
    if isinstance(answer, list):
        return [_plain(item) for item in answer]
    if isinstance(answer, Entry):
        touched = [(t.id, t.before, t.after) for t in (*answer.touched, *answer.captures)]
        return (answer.number, answer.change, answer.verb, answer.at, answer.reasons, touched)
    if isinstance(answer, Batch):
        rows = zip(answer.rows, answer.ids, answer.records, answer.words, answer.vectors, strict=True)
        return (
            answer.sequence,
            answer.complete,
            list(rows),
            list(answer.access_counts),
            list(answer.removed),
        )
    return answer


@dataclass(slots=True)
class History:
    """A source of calls."""

    seed: int
    samples: Samples = field(init=False)
    ids: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.samples = Samples(self.seed)
        self.ids = [self.samples.clock.new_id() for _ in range(9)]

    @property
    def chance(self) -> Random:
        return self.samples.chance

    def next(self, space: SpaceStore) -> tuple[str, Call]:
        """The next call; its arguments may depend on what `space` holds by now."""
        self.samples.clock.advance(hours=self.chance.choice((0, 0, 1, 30)))
        kinds = (self._apply, self._apply, self._apply, self._upkeep, self._queue, self._read)
        return self.chance.choice(kinds)(space)

    def _apply(self, space: SpaceStore) -> tuple[str, Call]:
        plan = self._plan(space)
        return f"apply {plan.change}", lambda space: space.apply(plan)

    def _plan(self, space: SpaceStore) -> Plan:
        chance = self.chance
        known = space.get(self.ids)
        puts = tuple(self._put(known) for _ in range(chance.choice((0, 1, 1, 1, 3))))
        embedder = chance.choice(tuple(SIZES))
        indexed = tuple(self._indexed(memory.id, embedder) for memory in puts if chance.random() < 0.8)
        quarantine = [capture.id for capture in space.captures()]
        return self.samples.plan(
            *puts,
            at=self.samples.clock.now() - timedelta(hours=chance.choice((0, 0, 5))),
            indexed=indexed,
            embedder=embedder,
            reads=dict.fromkeys(self._few(0.1), chance.randrange(3)),
            seen=chance.choice((None, None, None, space.sequence(), space.sequence() - 1)),
            captures=tuple(self.samples.capture() for _ in range(chance.choice((0, 0, 0, 1, 2)))),
            drops=tuple(chance.sample(quarantine, 1)) if quarantine and chance.random() < 0.2 else (),
            purges=tuple(self._few(0.04)),
            jobs=tuple(self._job() for _ in range(chance.choice((0, 0, 0, 1)))),
            weights=tuple(self._weight(id) for id in self._few(0.05)),
        )

    def _put(self, known: dict[str, Memory]) -> Memory:
        """Mostly the next version of some memory, now and then one that comes too late or too early."""
        id = self.chance.choice(self.ids)
        now = known[id].version if id in known else 0
        version = max(1, now + self.chance.choice((1,) * 12 + (0, 2)))
        return self.samples.full_memory(id=id, version=version)

    def _indexed(self, id: str, embedder: str) -> Indexed:
        chance = self.chance
        size = SIZES[embedder] + chance.choice((0,) * 20 + (4,))
        vector = chance.choice((None, b"", *[chance.randbytes(size)] * 4))
        return self.samples.indexed(id, vector=vector, keep_vector=chance.random() < 0.2)

    def _upkeep(self, space: SpaceStore) -> tuple[str, Call]:
        chance, few = self.chance, self._few(0.4)
        embedder = chance.choice(tuple(SIZES))
        current = {id: memory.version for id, memory in space.get(self.ids).items()}
        vectors = {id: chance.randbytes(SIZES[embedder]) for id in few}
        packed = {id: (chance.randbytes(4), chance.randbytes(3)) for id in few}
        accesses = {id: Access(chance.randrange(3), self.samples.time()) for id in few}
        calls: dict[str, Call] = {
            "store_vectors": lambda space: space.store_vectors(embedder, vectors, current),
            "touch": lambda space: space.touch(accesses),
            "reindex": lambda space: space.reindex(packed),
            "drift": lambda space: space.drift(packed),
            "drop_vectors": lambda space: space.drop_vectors(embedder),
            "unembedded": lambda space: space.unembedded(embedder, 3),
        }
        name = chance.choice(("store_vectors", "store_vectors", "touch", "touch", *calls))
        return f"{name} {embedder} {few}", calls[name]

    def _queue(self, space: SpaceStore) -> tuple[str, Call]:
        chance, now = self.chance, self.samples.clock.now()
        ids = [job.id for job in (*space.jobs(), *space.jobs(failed=True))]
        id, jobs = chance.choice((*ids, "gone")), [self._job(), self._job()]
        retry = chance.choice((None, now, now + timedelta(hours=1)))
        kinds = chance.choice(((), ("embed",), ("judge", "brief")))
        calls: dict[str, Call] = {
            "enqueue": lambda space: space.enqueue(jobs),
            "lease": lambda space: space.lease(now=now, seconds=3600, kinds=kinds, limit=2),
            "finish": lambda space: space.finish(id),
            "fail": lambda space: space.fail(id, error="失败", retry_at=retry),
        }
        name = chance.choice(tuple(calls))
        return f"{name} {id} {kinds} {retry}", calls[name]

    def _read(self, space: SpaceStore) -> tuple[str, Call]:
        chance, id = self.chance, self.chance.choice((*self.ids, "nobody"))
        since, embedder, listing = (
            chance.randrange(-1, space.sequence() + 2),
            chance.choice("efg"),
            self._listing(),
        )
        at, after = self.samples.clock.now() - timedelta(hours=chance.randrange(60)), chance.randrange(9)
        memory = chance.choice((id, ""))
        calls: dict[str, Call] = {
            "batch": lambda space: space.batch(since, embedder),
            "list": lambda space: space.list(listing),
            "as_of": lambda space: space.as_of(at),
            "versions": lambda space: space.versions(id),
            "entries": lambda space: space.entries(memory=memory, after=after, limit=4),
            "change": lambda space: space.change(id),
            "weights": lambda space: space.weights(id),
            "captures": lambda space: space.captures(after=id, limit=2),
        }
        name = chance.choice(("batch", "list", "list", *calls))
        return f"{name} {id} {since} {embedder} {listing} {at}", calls[name]

    def _listing(self) -> Listing:
        plain, chance = Listing(), self.chance
        other = self.samples.full_memory()
        wanted: dict[str, Any] = {
            "layers": frozenset({str(other.layer), "fact"}),
            "kinds": frozenset({other.kind}),
            "statuses": frozenset({str(other.status), "active", "merged"}),
            "entity_type": other.entity_type,
            "marks": frozenset(map(str, other.marks)),
            "session": other.session,
            "since": self.samples.clock.now() - timedelta(hours=30),
            "until": self.samples.clock.now() - timedelta(hours=5),
            "after": chance.choice(self.ids),
            "limit": chance.randrange(1, 5),
            "newest_first": True,
        }
        return replace(
            plain, **{name: wanted[name] for name in chance.sample(sorted(wanted), chance.randrange(4))}
        )

    def _few(self, share: float) -> list[str]:
        return [
            id
            for id in (*self.ids, "nobody")
            if self.chance.random() < (share if id != "nobody" else share / 4)
        ]

    def _job(self) -> Job:
        chance, clock = self.chance, self.samples.clock
        run_at = clock.now() + timedelta(hours=chance.choice((-1, 0, 2)))
        kind, key = chance.choice(("embed", "judge")), chance.choice(("", "a", "b"))
        return Job(id=clock.new_id(), kind=kind, key=key, payload={"n": chance.randrange(9)}, run_at=run_at)

    def _weight(self, id: str) -> WeightChange:
        numbers = (self.chance.random(), self.chance.random())
        now = self.samples.clock.now()
        return WeightChange(
            memory=id, at=now, old_weight=numbers[0], new_weight=numbers[1], reason="提及", factors={"C": 0.5}
        )
