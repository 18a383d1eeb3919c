"""The contract of reading: lists and their pages, versions, the past, quarantine."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.errors import NotFound, StaleWrite
from holdfast.model.layer import Layer
from holdfast.model.plan import Listing
from holdfast.model.status import Mark, Status
from holdfast.testing.stores.trial import EVERYTHING, Trial, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.model.memory import Memory


class ReadContract(Trial):
    """`get`, `list`, `count`, `versions`, `as_of`, `captures`."""

    def test_ids_that_are_not_there_are_left_out(self) -> None:
        (memory,) = self.some(1)
        assert self.space.get(["nobody", memory.id, memory.id]) == {memory.id: memory}
        assert self.space.get([]) == {}

    def test_a_list_holds_what_every_condition_lets_through(self) -> None:
        memories = [self.samples.full_memory() for _ in range(80)]
        self.put(*memories)
        cut = memories[30].created_at
        self.samples.clock.advance(hours=1)
        later = [self.samples.full_memory() for _ in range(20)]
        self.put(*later)
        memories += later
        conditions: list[tuple[Listing, Callable[[Memory], bool]]] = [
            (EVERYTHING, lambda _: True),
            (replace(EVERYTHING, layers=frozenset({"fact"})), lambda m: m.layer is Layer.FACT),
            (
                replace(EVERYTHING, layers=frozenset({"fact", "session"})),
                lambda m: m.layer in ("fact", "session"),
            ),
            (replace(EVERYTHING, layers=frozenset()), lambda _: False),
            (replace(EVERYTHING, kinds=frozenset({"自定义"})), lambda m: m.kind == "自定义"),
            (
                replace(EVERYTHING, statuses=frozenset({"active", "merged"})),
                lambda m: m.status in ("active", "merged"),
            ),
            (replace(EVERYTHING, entity_type="人名"), lambda m: m.entity_type == "人名"),
            (replace(EVERYTHING, entity_type=""), lambda m: m.entity_type == ""),
            (replace(EVERYTHING, session="晚上"), lambda m: m.session == "晚上"),
            (replace(EVERYTHING, session=""), lambda m: m.session == ""),
            (replace(EVERYTHING, marks=frozenset({"core"})), lambda m: Mark.CORE in m.marks),
            (
                replace(EVERYTHING, marks=frozenset({"core", "system"})),
                lambda m: {"core", "system"} <= m.marks,
            ),
            (replace(EVERYTHING, since=cut + timedelta(seconds=1)), lambda m: m.created_at > cut),
            (replace(EVERYTHING, until=cut + timedelta(seconds=1)), lambda m: m.created_at <= cut),
            (replace(EVERYTHING, since=later[0].created_at), lambda m: m.created_at >= later[0].created_at),
            (replace(EVERYTHING, until=later[0].created_at), lambda m: m.created_at < later[0].created_at),
        ]
        for listing, passes in conditions:
            expected = [memory for memory in memories if passes(memory)]
            assert self.space.list(listing) == expected, listing
            assert self.space.list(replace(listing, newest_first=True)) == expected[::-1], listing

    def test_conditions_hold_together(self) -> None:
        memories = [self.samples.full_memory() for _ in range(120)]
        self.put(*memories)
        listing = replace(
            EVERYTHING, layers=frozenset({"fact", "episode"}), kinds=frozenset({"note"}), session="晚上"
        )
        expected = [
            m for m in memories if m.layer in ("fact", "episode") and m.kind == "note" and m.session == "晚上"
        ]
        assert expected
        assert self.space.list(listing) == expected

    def test_pages_follow_each_other_without_a_gap_in_both_directions(self) -> None:
        ids = [memory.id for memory in self.some(25)]
        for newest_first in (False, True):
            listing, found = Listing(limit=10, newest_first=newest_first), list[str]()
            while page := self.space.list(listing):
                assert len(page) <= 10
                found += [memory.id for memory in page]
                listing = replace(listing, after=page[-1].id)
            assert found == (ids[::-1] if newest_first else ids)

    def test_a_list_shows_memories_as_they_are_now(self) -> None:
        (memory,) = self.some(1, layer=Layer.FACT)
        changed = self.samples.changed(memory, layer=Layer.EPISODE, status=Status.ARCHIVED)
        self.put(changed)
        assert self.space.list(Listing(layers=frozenset({"fact"}))) == []
        assert self.space.list(Listing(layers=frozenset({"episode"}), statuses=frozenset({"archived"}))) == [
            changed
        ]

    def test_memories_are_counted_by_layer_and_status(self) -> None:
        self.some(3)
        self.some(2, layer=Layer.SESSION, status=Status.EXPIRED)
        assert self.space.count() == {("fact", "active"): 3, ("session", "expired"): 2}

    def test_versions_of_nobody_are_not_found(self) -> None:
        with refused(NotFound, "nobody"):
            self.space.versions("nobody")

    def test_the_past_is_as_it_stood_after_the_last_change_until_then(self) -> None:
        first, second = self.some(2)
        times = [self.samples.clock.now()]
        stood = [[first, second]]
        for _ in range(3):
            self.samples.clock.advance(days=1)
            first = self.samples.changed(first, content=f"day {len(times)}")
            self.put(first)
            times.append(self.samples.clock.now())
            stood.append([first, second])
        for at, expected in zip(times, stood, strict=True):
            assert self.space.as_of(at) == expected
            assert self.space.as_of(at + timedelta(hours=23)) == expected
        assert self.space.as_of(times[0] - timedelta(microseconds=1)) == []

    def test_a_change_told_late_counts_from_the_time_it_was_made_for(self) -> None:
        (memory,) = self.some(1)
        now = self.samples.clock.now()
        later, early = self.samples.changed(memory, content="later"), self.samples.changed(memory, version=3)
        self.put(later, at=now + timedelta(days=2))
        self.put(replace(early, version=3), at=now + timedelta(days=1))
        assert self.space.as_of(now + timedelta(hours=1)) == [memory]
        assert self.space.as_of(now + timedelta(days=1)) == [replace(early, version=3)]
        assert self.space.as_of(now + timedelta(days=3)) == [replace(early, version=3)]

    def test_captures_come_back_whole_and_in_pages(self) -> None:
        captures = [self.samples.capture() for _ in range(7)]
        self.space.apply(self.samples.plan(captures=tuple(captures[:3])))
        self.space.apply(self.samples.plan(captures=tuple(captures[3:])))
        assert self.space.captures() == captures
        assert self.space.captures(limit=2) == captures[:2]
        assert self.space.captures(after=captures[4].id) == captures[5:]

    def test_captures_are_no_memories_and_bump_no_sequence(self) -> None:
        capture = self.samples.capture()
        self.space.apply(self.samples.plan(captures=(capture,)))
        assert self.space.sequence() == 0
        assert self.space.list(EVERYTHING) == []
        assert self.space.get([capture.id]) == {}

    def test_a_dropped_capture_is_gone_and_its_id_told_in_the_ledger(self) -> None:
        kept, dropped = self.samples.capture(), self.samples.capture()
        taken = self.space.apply(self.samples.plan(captures=(kept, dropped)))
        entry = self.space.apply(self.samples.plan(verb="drop", drops=(dropped.id,)))
        assert self.space.captures() == [kept]
        assert [(t.id, t.before, t.after) for t in taken.captures] == [(kept.id, 0, 1), (dropped.id, 0, 1)]
        assert [(t.id, t.before, t.after) for t in entry.captures] == [(dropped.id, 1, 0)]
        assert self.space.verify().ok
        with refused(StaleWrite):
            self.space.apply(self.samples.plan(captures=(kept,)))
