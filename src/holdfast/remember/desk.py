"""The desk of one batch: what was read from the space, with what is to be written laid over it.

Members of a batch see each other here. A memory changed twice is put once, with the one version that follows
the stored one. Nothing is written from here: the desk ends as the puts, captures and weight lines of a plan.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.steward.salience import weight_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from holdfast.model.layer import Layer
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import WeightChange
    from holdfast.remember.known import Standing


class Desk:
    """Reads fall through to what is stored; writes stay here."""

    def __init__(self, stored: Mapping[str, Memory], standing: Standing) -> None:
        self._stored = dict(stored)
        self._put: dict[str, Memory] = {}
        self._words: dict[tuple[Layer, int], list[str]] = {}
        self._entities: dict[int, list[str]] = {}
        self._became: dict[str, str] = {}
        self.standing = standing
        self.weights: list[WeightChange] = []
        self.captures: list[Capture] = []

    def get(self, id: str) -> Memory | None:
        """The memory as the plan would leave it; for a member of the batch, what it became part of."""
        id = self._became.get(id, id)
        return self._put.get(id) or self._stored.get(id)

    def take(self, memory: Memory) -> None:
        """One more memory that was read."""
        self._stored[memory.id] = memory

    def stored(self, id: str) -> Memory | None:
        """The memory as it was read."""
        return self._stored.get(id)

    def need(self, id: str) -> Memory:
        """The same, of a memory that must be there."""
        memory = self.get(id)
        assert memory is not None, id
        return memory

    def became(self, id: str, other: str) -> None:
        """A member of the batch made no memory of its own: who speaks of it means the other."""
        self._became[id] = other

    def add(self, memory: Memory, words: int, entity: int) -> None:
        """A new memory."""
        self._put[memory.id] = memory
        self._words.setdefault((memory.layer, words), []).append(memory.id)
        if entity:
            self._entities.setdefault(entity, []).append(memory.id)

    def change(self, memory: Memory, at: datetime, why: str = "") -> Memory:
        """Another state of a memory; with a reason, a weight that moved becomes a line of the log (E17)."""
        before = self.need(memory.id)
        stored = self._stored.get(memory.id)
        after = replace(
            memory, version=stored.version + 1 if stored else 1, updated_at=max(at, memory.created_at)
        )
        if why:
            line = weight_change(before, after, at, reason=why, profile=self.standing.profile)
            if line.delta:
                self.weights.append(line)
        self._put[memory.id] = after
        return after

    def return_to(self, before: Memory, at: datetime, why: str) -> Memory:
        """An earlier version as the newest one: all of it as it was, times too, so that it can be told apart
        from a change; only counts of accesses go on.
        """
        now = self.need(before.id)
        self.change(before, at, why)
        again = replace(
            before,
            version=self.need(before.id).version,
            access_count=now.access_count,
            accessed_at=now.accessed_at,
        )
        self._put[before.id] = again
        return again

    def same(self, layer: Layer, words: int, stored: Iterable[str]) -> list[Memory]:
        """Memories with these folded words: stored ones, then members of the batch."""
        return [self.need(id) for id in (*stored, *self._words.get((layer, words), ())) if self.get(id)]

    def entities(self, entity: int, stored: Iterable[str]) -> list[Memory]:
        """Memories of this entity, in the same order."""
        return [self.need(id) for id in (*stored, *self._entities.get(entity, ())) if self.get(id)]

    def fresh(self) -> list[Memory]:
        """The memories that this batch makes."""
        return [memory for id, memory in self._put.items() if id not in self._stored]

    def puts(self) -> tuple[Memory, ...]:
        return tuple(self._put.values())

    def reads(self, ids: Iterable[str]) -> dict[str, int]:
        """Versions of what was relied on and is not put."""
        return {id: self._stored[id].version for id in ids if id in self._stored and id not in self._put}
