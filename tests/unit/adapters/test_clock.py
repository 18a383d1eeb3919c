"""Ids rise strictly, whatever the clock does and however many ask."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from holdfast.adapters.clock import SystemClock
from holdfast.testing.clock import ManualClock

UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def test_ids_are_uuid7_and_rise_strictly():
    clock = SystemClock()
    ids = [clock.new_id() for _ in range(5000)]
    assert ids == sorted(set(ids))
    assert all(UUID7.fullmatch(id) for id in ids)


def test_an_id_tells_the_millisecond_it_was_made_in():
    before = time.time_ns() // 1_000_000
    id = SystemClock().new_id()
    after = time.time_ns() // 1_000_000
    assert before <= int(id.replace("-", "")[:12], 16) <= after + 1


def test_ids_rise_where_the_clock_goes_back(monkeypatch):
    clock = SystemClock()
    first = clock.new_id()
    monkeypatch.setattr(time, "time_ns", lambda: 1_000_000_000)
    assert clock.new_id() > first


def test_threads_never_get_the_same_id():
    clock = SystemClock()
    with ThreadPoolExecutor(8) as threads:
        parts = list(threads.map(lambda _: [clock.new_id() for _ in range(2000)], range(8)))
    assert len({id for part in parts for id in part}) == 16_000
    assert all(part == sorted(part) for part in parts)


def test_the_time_has_a_zone():
    assert SystemClock().now().tzinfo is UTC


def test_a_manual_clock_stands_still_until_it_is_moved():
    clock = ManualClock(datetime(2026, 3, 1, tzinfo=UTC))
    assert clock.now() == clock.now() == datetime(2026, 3, 1, tzinfo=UTC)
    assert clock.advance(days=1, hours=2) == datetime(2026, 3, 2, 2, tzinfo=UTC)
    clock.set(datetime(2020, 1, 1, tzinfo=UTC))
    assert clock.now() + timedelta(0) == datetime(2020, 1, 1, tzinfo=UTC)


def test_a_manual_clock_makes_the_same_rising_ids_every_time():
    one, two = ManualClock(), ManualClock()
    ids = [one.new_id() for _ in range(100)]
    assert ids == sorted(set(ids)) == [two.new_id() for _ in range(100)]
    one.set(datetime(2000, 1, 1, tzinfo=UTC))
    assert one.new_id() > ids[-1]
    assert UUID7.fullmatch(ids[0])
