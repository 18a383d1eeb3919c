"""The contract of `ports.working` as tests. Whoever writes one runs them against it, under pytest:

    class TestMyWorking(WorkingContract):
        def make_working(self) -> Working:
            return MyWorking(…)

Spaces are new ones in every test. Nothing here imports pytest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from holdfast.ports.working import Entry
from holdfast.testing.samples import Samples

if TYPE_CHECKING:
    from holdfast.ports.working import Working

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
DAY = 86_400.0


class WorkingContract(ABC):
    """All of it."""

    @abstractmethod
    def make_working(self) -> Working: ...

    @cached_property
    def working(self) -> Working:
        return self.make_working()

    @cached_property
    def samples(self) -> Samples:
        return Samples()

    def entries(self, count: int) -> list[Entry]:
        """Newest first, a minute apart."""
        made = []
        for _ in range(count):
            self.samples.clock.advance(minutes=1)
            memory = self.samples.full_memory(access_count=0, accessed_at=None)
            made.append(Entry(memory.id, memory.created_at, memory))
        return made[::-1]

    def test_what_was_put_comes_newest_first_and_as_it_was(self) -> None:
        space, entries = uuid4().hex, self.entries(12)
        self.working.keep(space, entries, sequence=4, seconds=DAY)
        assert self.working.newest(space, 100, LONG_AGO) == (4, entries)
        assert self.working.newest(space, 5, LONG_AGO) == (4, entries[:5])
        assert self.working.newest(space, 100, entries[3].at) == (4, entries[:4])

    def test_nothing_is_known_of_a_space_that_nobody_told_of(self) -> None:
        assert self.working.newest(uuid4().hex, 5, LONG_AGO) == (-1, [])
        space = uuid4().hex
        self.working.advance(space, 1)
        assert self.working.newest(space, 5, LONG_AGO) == (-1, [])

    def test_nothing_of_another_space_is_seen(self) -> None:
        mine, theirs = uuid4().hex, uuid4().hex
        (one, two) = self.entries(2)
        self.working.keep(mine, [one], sequence=1, seconds=DAY)
        self.working.keep(theirs, [two], sequence=1, seconds=DAY)
        assert self.working.newest(mine, 5, LONG_AGO) == (1, [one])
        self.working.drop(mine)
        assert self.working.newest(mine, 5, LONG_AGO) == (-1, [])
        assert self.working.newest(theirs, 5, LONG_AGO) == (1, [two])

    def test_the_later_telling_stands_whichever_comes_last(self) -> None:
        space = uuid4().hex
        new, old = self.entries(2)
        self.working.keep(space, [new, old], sequence=9, seconds=DAY)
        self.working.keep(space, [old], sequence=8, seconds=DAY)
        assert self.working.newest(space, 5, LONG_AGO) == (9, [new, old])
        self.working.keep(space, [], sequence=10, seconds=DAY)
        assert self.working.newest(space, 5, LONG_AGO) == (10, [])

    def test_a_write_beside_it_moves_the_sequence_only_from_the_one_before(self) -> None:
        space, entries = uuid4().hex, self.entries(1)
        self.working.keep(space, entries, sequence=4, seconds=DAY)
        self.working.advance(space, 6)
        assert self.working.newest(space, 5, LONG_AGO)[0] == 4
        self.working.advance(space, 5)
        assert self.working.newest(space, 5, LONG_AGO) == (5, entries)

    def test_a_secret_has_an_entry_without_words(self) -> None:
        space = uuid4().hex
        entry = Entry("id", self.samples.clock.now() - timedelta(hours=1), None)
        self.working.keep(space, [entry], sequence=1, seconds=DAY)
        assert self.working.newest(space, 5, LONG_AGO) == (1, [entry])
