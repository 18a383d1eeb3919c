"""Several processes and threads on one directory: no write is lost, and nobody meets a lock."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest

from holdfast.adapters.sqlite import Options
from holdfast.errors import Unavailable
from holdfast.model.plan import Listing
from holdfast.testing.samples import Samples
from holdfast.testing.stores.threads import mention
from holdfast.testing.stores.trial import EVERYTHING

PROCESSES, TIMES = 4, 25


def started(store, **fields):
    """A space with one memory that nobody has mentioned."""
    samples = Samples(1)
    space = store.open(store.create(samples.record("家")))
    memory = samples.memory(mentions=0, **fields)
    space.apply(samples.plan(memory))
    return space, memory


@pytest.mark.parametrize("mode", ["mention", "turn"])
def test_no_mention_is_lost_where_processes_and_threads_write_at_once(mode, writers, opened, tmp_path):
    space, memory = started(opened())
    others = [writers.start(tmp_path / "house", mode, count=TIMES) for _ in range(PROCESSES)]
    with ThreadPoolExecutor(3) as threads:
        for _ in range(3):
            threads.submit(lambda: [mention(space, memory.id) for _ in range(TIMES)])
    for process in others:
        writers.ended(process)
        assert process.returncode == 0
    assert space.get([memory.id])[memory.id].mentions == TIMES * (PROCESSES + 3)
    assert len(space.entries(limit=10_000)) == TIMES * (PROCESSES + 3) + 1
    assert space.verify().problems == ()


def test_a_turn_spares_processes_from_deciding_again(writers, opened, tmp_path):
    started(opened())
    others = [writers.start(tmp_path / "house", "turn", count=TIMES) for _ in range(PROCESSES)]
    tries = [int(words[1]) for process in others for words in writers.ended(process) if words[0] != "ready"]
    assert tries == [0] * (PROCESSES * TIMES)


def test_processes_that_write_their_own_memories_lose_none(writers, opened, tmp_path):
    others = [writers.start(tmp_path / "house", "lone", count=TIMES) for _ in range(PROCESSES)]
    promised = {words[0] for process in others for words in writers.ended(process)} - {"ready"}
    space = (store := opened()).open(store.spaces()[0])
    assert {memory.session for memory in space.list(EVERYTHING)} == promised
    assert len(promised) == PROCESSES * TIMES
    assert space.verify().problems == ()


def test_processes_that_make_the_same_space_at_once_make_one(writers, opened, tmp_path):
    others = [writers.start(tmp_path / "house", "lone", count=1) for _ in range(PROCESSES)]
    ids = {words[1] for process in others for words in writers.ended(process) if words[0] == "ready"}
    store = opened()
    assert [record.id for record in store.spaces()] == list(ids)
    assert store.doctor() == []


def test_what_another_process_wrote_is_seen_at_once(opened, tmp_path):
    here, there = opened(), opened()
    space, memory = started(here)
    other = there.open(there.spaces()[0])
    assert other.get([memory.id]) == {memory.id: memory}
    before = other.sequence()
    changed = Samples(2).changed(memory, content="新的")
    space.apply(Samples(2).plan(changed))
    assert other.sequence() == before + 1
    assert other.get([memory.id]) == {memory.id: changed}


def test_who_waits_too_long_for_a_writer_is_told_so(opened, tmp_path):
    store = opened(tmp_path / "house", Options(patience=0.2))
    space, memory = started(store)
    (path,) = (tmp_path / "house" / "spaces").glob("*.db")
    db = apsw.Connection(str(path))
    db.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match=r"busy.*try again"):
        mention(space, memory.id)
    assert space.get([memory.id]) == {memory.id: memory}, "readers wait for nobody"
    db.execute("ROLLBACK")
    db.close()
    mention(space, memory.id)


def test_who_waits_patiently_for_a_writer_gets_through(opened, tmp_path):
    space, memory = started(opened())
    (path,) = (tmp_path / "house" / "spaces").glob("*.db")
    db = apsw.Connection(str(path))
    db.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(mention, space, memory.id)
        time.sleep(0.3)
        assert not waiting.done()
        db.execute("ROLLBACK")
        assert waiting.result(timeout=30) == 0
    db.close()


@pytest.mark.parametrize("same", [True, False], ids=["one store", "two stores"])
def test_who_waits_too_long_for_a_turn_is_told_so(same, opened, tmp_path):
    options = Options(patience=0.2)
    store = opened(tmp_path / "house", options)
    space, _ = started(store)
    rival = space if same else (two := opened(tmp_path / "house", options)).open(two.spaces()[0])
    entered, leave = threading.Event(), threading.Event()

    def keep():
        with space.turn():
            entered.set()
            leave.wait(30)

    holder = threading.Thread(target=keep)
    holder.start()
    entered.wait(30)
    with pytest.raises(Unavailable, match="turn"), rival.turn():
        pass
    leave.set()
    holder.join()
    with rival.turn():
        assert rival.list(Listing())
