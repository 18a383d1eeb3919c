"""Buffers beside the image: access counts, memories at hand, the constitution."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta

import pytest

from holdfast.errors import Unavailable
from holdfast.model.layer import Layer, Priority
from holdfast.model.plan import Access
from holdfast.model.status import Status
from holdfast.recall import accesses as buffers
from holdfast.recall import kept as hand
from holdfast.recall.accesses import Accesses
from holdfast.recall.kept import Kept, counted
from holdfast.recall.preload import Preloaded

from .conftest import NOW

LATER = NOW + timedelta(minutes=1)


class Closed:
    """A store that cannot be written to, as often as told."""

    def __init__(self, store, times):
        self.id = store.id
        self._store = store
        self.times = times
        self.told = []

    def touch(self, accesses):
        if self.times:
            self.times -= 1
            raise Unavailable("busy")
        self.told.append(dict(accesses))
        self._store.touch(accesses)


@pytest.fixture
def one(room):
    return room.put(room.memory())[0]


def test_counts_wait_and_are_written_together(room, one):
    buffer = Accesses(patience=3600)
    for at in (LATER, NOW):
        buffer.record(room.store, [one.id], at)
    assert buffer.waiting("room") == {one.id: Access(2, LATER)}
    assert room.store.get([one.id])[one.id].access_count == 0
    assert buffer.flush(room.store)
    assert room.store.get([one.id])[one.id].access_count == 2
    assert buffer.waiting("room") == {}
    buffer.close()
    assert room.store.get([one.id])[one.id].access_count == 2


def test_counts_are_written_by_themselves_after_a_while(room, one):
    told = threading.Event()
    touch = room.store.touch
    room.store.touch = lambda counts: (touch(counts), told.set())
    buffer = Accesses(patience=0.01)
    buffer.record(room.store, [one.id], NOW)
    assert told.wait(30)
    assert room.store.get([one.id])[one.id].access_count == 1
    buffer.close()


def test_what_cannot_be_written_waits_on(room, one):
    store = Closed(room.store, times=2)
    buffer = Accesses(patience=3600)
    buffer.record(store, [one.id], NOW)
    assert not buffer.flush(store)
    buffer.record(store, [one.id], LATER)
    assert not buffer.flush(store)
    assert buffer.waiting("room") == {one.id: Access(2, LATER)}
    assert buffer.flush(store)
    assert store.told == [{one.id: Access(2, LATER)}]
    buffer.close()


def test_what_is_left_at_the_end_is_said(room, one, caplog):
    store = Closed(room.store, times=9)
    buffer = Accesses(patience=3600)
    buffer.record(store, [one.id], NOW)
    with caplog.at_level(logging.WARNING, logger="holdfast"):
        buffer.close()
    assert "access counts of 1 memories in room" in caplog.text


def test_of_an_erased_space_nothing_is_written(room, one):
    store = Closed(room.store, times=0)
    buffer = Accesses(patience=3600)
    buffer.record(store, [one.id], NOW)
    buffer.forget("room")
    buffer.close()
    assert store.told == []


def test_a_buffer_does_not_grow_with_the_number_of_answers(room, one, monkeypatch):
    monkeypatch.setattr(buffers, "MOST_ANSWERS", 10)
    buffer = Accesses(patience=3600)
    for _ in range(100):
        buffer.record(room.store, [one.id], NOW)
        assert len(buffer._spaces["room"].answers) <= 10
    assert buffer.waiting("room")[one.id].count == 100
    buffer.close()


def test_threads_lose_no_count(room, one):
    buffer = Accesses(patience=0.001)

    def record():
        for _ in range(200):
            buffer.record(room.store, [one.id], NOW)
            buffer.flush(room.store)

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    buffer.close()
    assert room.store.get([one.id])[one.id].access_count == 800


def test_memories_at_hand_are_those_of_the_version_asked_for(room, one):
    kept = Kept()
    kept.keep({one.id: one})
    assert kept.of({one.id: 1}) == {one.id: one}
    assert kept.of({one.id: 2}) == {}


def test_memories_at_hand_are_bounded(room, monkeypatch):
    monkeypatch.setattr(hand, "MOST_CHARS", 5_000)
    kept = Kept()
    for _ in range(50):
        memory = room.memory("x" * 500)
        kept.keep({memory.id: memory})
        assert kept.of({memory.id: 1})
        assert kept.nbytes <= 2 * 6_500


def test_a_memory_is_shown_with_the_accesses_of_now(one):
    again = counted(one, 3, NOW.timestamp())
    assert (again.access_count, again.accessed_at) == (3, NOW)
    assert (again.content, again.id, again.marks) == (one.content, one.id, one.marks)
    assert counted(again, 2, 0.0) is again


@pytest.mark.row("M1")
def test_the_constitution_comes_in_order_of_priority(room):
    entries = [
        room.memory("low", layer=Layer.CONSTITUTION, priority=Priority.LOW),
        room.memory("old", layer=Layer.CONSTITUTION, at=NOW - timedelta(days=9)),
        room.memory("high", layer=Layer.CONSTITUTION, priority=Priority.HIGH),
        room.memory("new", layer=Layer.CONSTITUTION),
        room.memory("gone", layer=Layer.CONSTITUTION, status=Status.DELETED),
    ]
    room.put(*entries)
    preloaded = Preloaded()
    found = preloaded.of(room.store, room.store.sequence())
    assert [memory.content for memory in found] == ["high", "old", "new", "low"]
    assert preloaded.of(room.store, room.store.sequence()) is found
    room.put(room.memory("later", layer=Layer.CONSTITUTION))
    assert len(preloaded.of(room.store, room.store.sequence())) == 5
    preloaded.forget("room")
