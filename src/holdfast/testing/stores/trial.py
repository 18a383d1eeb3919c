"""What the parts of the contract share: a store, a space in it, samples, and a look at everything at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from holdfast.model.plan import Job, Listing
from holdfast.testing.samples import Samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.errors import HoldfastError
    from holdfast.model.memory import Memory
    from holdfast.ports.store import SpaceStore, Store

EVERYTHING = Listing(limit=1_000_000)


class Trial(ABC):
    """One test's store. `make_store` gives an empty one."""

    @abstractmethod
    def make_store(self) -> Store: ...

    @cached_property
    def store(self) -> Store:
        return self.make_store()

    @cached_property
    def samples(self) -> Samples:
        return Samples(7)

    @cached_property
    def space(self) -> SpaceStore:
        return self.store.open(self.store.create(self.samples.record()))

    def put(self, *memories: Memory, embedder: str = "e", **fields: Any) -> None:
        """Writes memories with an index row and a vector each."""
        rows = tuple(self.samples.indexed(memory.id) for memory in memories)
        plan = {"indexed": rows, "embedder": embedder, **fields}
        self.space.apply(self.samples.plan(*memories, **plan))

    def job(self, **fields: Any) -> Job:
        """A job that is due."""
        clock = self.samples.clock
        plain = {"kind": "embed", "key": "k", "payload": {}, "run_at": clock.now(), "id": clock.new_id()}
        return Job(**{**plain, **fields})

    def some(self, count: int, **fields: Any) -> list[Memory]:
        """That many new memories, written."""
        memories = [self.samples.memory(**fields) for _ in range(count)]
        self.put(*memories)
        return memories


def seen(space: SpaceStore, embedder: str = "e") -> dict[str, Any]:
    """Everything that can be read of a space, but for what chance decides: hashes and digests."""
    memories = space.list(EVERYTHING)
    batch = space.batch(0, embedder)
    fields = ("rows", "ids", "records", "words", "vectors", "access_counts")
    return {
        "sequence": space.sequence(),
        "memories": memories,
        "versions": {memory.id: space.versions(memory.id) for memory in memories},
        "batch": {name: list(getattr(batch, name)) for name in fields},
        "accessed": [None if at != at else at for at in batch.accessed],  # noqa: PLR0124 (nan)
        "embedders": space.embedders(),
        "unembedded": [memory.id for memory in space.unembedded(embedder, 1_000_000)],
        "counts": space.count(),
        "entries": [
            (
                entry.number,
                entry.change,
                entry.verb,
                entry.reasons,
                [(t.id, t.before, t.after) for t in entry.touched],
            )
            for entry in space.entries(limit=1_000_000)
        ],
        "captures": space.captures(limit=1_000_000),
        "weights": {memory.id: space.weights(memory.id) for memory in memories},
        "jobs": [space.jobs(limit=1_000_000), space.jobs(failed=True, limit=1_000_000)],
        "chain": space.verify().problems,
    }


def carried(space: SpaceStore, embedder: str = "e") -> dict[str, Any]:
    """Everything that a dump carries: all but the sequence, which begins anew where it arrives."""
    return {key: value for key, value in seen(space, embedder).items() if key != "sequence"}


@contextmanager
def refused(kind: type[HoldfastError], *words: str) -> Iterator[None]:
    """The block raises this error, and its message holds these words."""
    caught: HoldfastError | None = None
    try:
        yield
    except kind as error:
        caught = error
    assert caught is not None, f"{kind.__name__} was not raised"
    missing = [word for word in words if word not in str(caught)]
    assert not missing, f"the message does not say {missing}: {caught}"
