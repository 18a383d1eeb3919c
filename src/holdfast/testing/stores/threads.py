"""The contract of many at once: no write lost, no half of one seen, no lock in anybody's face."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import StaleWrite
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import EVERYTHING, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.store import SpaceStore

T = TypeVar("T")
THREADS = 6


class ThreadContract(Trial):
    """Everything, from several threads."""

    def test_no_count_is_lost_where_threads_decide_at_once(self) -> None:
        (memory,) = self.some(1, mentions=0)
        self._together(lambda _: [mention(self.space, memory.id) for _ in range(8)])
        assert self.space.get([memory.id])[memory.id].mentions == 8 * THREADS
        assert len(self.space.versions(memory.id)) == 8 * THREADS + 1
        assert self.space.verify().ok

    def test_a_turn_is_had_by_one_thread_at_a_time_and_again_by_the_same(self) -> None:
        inside: list[int] = []
        most: list[int] = []

        def enter(number: int) -> None:
            for _ in range(20):
                with self.space.turn(), self.space.turn():
                    inside.append(number)
                    most.append(len(inside))
                    inside.pop()

        self._together(enter)
        assert set(most) == {1}

    def test_a_reader_sees_whole_plans_only(self) -> None:
        pairs = self.some(2, mentions=0)
        ids = [memory.id for memory in pairs]

        def write(_: int) -> None:
            for _ in range(15):
                with self.space.turn():
                    known = self.space.get(ids)
                    next_ones = [
                        replace(m, version=m.version + 1, mentions=m.mentions + 1) for m in known.values()
                    ]
                    self.space.apply(Samples(1, clock=self.samples.clock).plan(*next_ones))

        def read(_: int) -> None:
            for _ in range(60):
                assert len({memory.mentions for memory in self.space.list(EVERYTHING)}) == 1

        self._together(lambda number: write(number) if number < 2 else read(number))

    def test_spaces_made_by_many_at_once_are_one(self) -> None:
        records = [self.samples.record("one") for _ in range(THREADS)]
        made = self._together(lambda number: self.store.create(records[number]))
        assert len(set(made)) == 1
        opened = self._together(lambda _: self.store.open(made[0]))
        assert len({id(store) for store in opened}) == 1

    def _together(self, work: Callable[[int], T]) -> list[T]:
        with ThreadPoolExecutor(THREADS) as threads:
            return list(threads.map(work, range(THREADS)))


def mention(space: SpaceStore, id: str) -> int:
    """Counts one mention, deciding again where somebody was quicker; how often it had to."""
    samples = Samples(1)
    for tries in range(10_000):
        memory = space.get([id])[id]
        plan = samples.plan(replace(memory, version=memory.version + 1, mentions=memory.mentions + 1))
        try:
            space.apply(replace(plan, change=f"{id}:{memory.version + 1}"))
        except StaleWrite:
            continue
        return tries
    raise AssertionError("always somebody was quicker")
