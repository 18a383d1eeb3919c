"""Servers that hang, and servers that came later: nobody waits for the one, nobody has to feed the other."""

from __future__ import annotations

import socket
import threading
from contextlib import closing

import pytest
from qdrant_client import QdrantClient

from holdfast.settings import IndexSettings, WorkingSettings

TOLD = (
    "我喜欢早上喝一杯拿铁",
    "奶奶的藥在左邊的抽屜",
    "The spare key hangs behind the garden door",
)
LONG = "Step {} of the migration went through; the table of orders has its new column"
ASKED = ("早上喝什么？", "奶奶的藥在哪裡？", "Where is the spare key to the garden door?")


class Hanging:
    """Takes every connection, and never says a word."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.taken = []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            if self.taken and self.taken[-1] is None:
                connection.close()
                return
            self.taken.append(connection)

    def close(self):
        asked = list(self.taken)
        self.taken.append(None)
        socket.create_connection(("127.0.0.1", self.port)).close()
        self.thread.join()
        for connection in (*asked, self.socket):
            connection.close()


@pytest.fixture
def hanging():
    with closing(Hanging()) as server:
        yield server


@pytest.mark.row("B11")
def test_an_index_that_hangs_is_asked_once_and_then_left_alone(tmp_path, opened, hanging, clock):
    url = f"http://127.0.0.1:{hanging.port}"
    house = opened(tmp_path, index=IndexSettings(name="qdrant", url=url, above=0, patience=1))
    me = house.space("user:alice", profile="assistant")
    me.remember_many(TOLD)
    for question, expected in zip(ASKED, TOLD, strict=True):
        answer = me.recall(question)
        assert answer.hits[0].memory.content == expected
        assert any("the truth's own search answered: qdrant" in told for told in answer.degraded)
    asked = len(hanging.taken)
    assert asked == 1
    clock.advance(seconds=6)
    for question in ASKED:
        me.recall(question)
    assert len(hanging.taken) == asked + 1


@pytest.mark.row("P3")
def test_a_redis_that_hangs_is_asked_once_whether_by_writes_or_answers(tmp_path, opened, hanging, clock):
    url = f"redis://127.0.0.1:{hanging.port}"
    house = opened(tmp_path, working=WorkingSettings(name="redis", url=url, timeout=0.3))
    me = house.space("project:ledger", profile="team")
    for number in range(4):
        me.remember(LONG.format(number), layer="session", confidence=0.9)
        answer = me.recall("migration")
        assert len(answer.hits) == number + 1
        assert any("working memory is the truth's own: redis" in told for told in answer.degraded)
    asked = len(hanging.taken)
    assert asked == 1
    clock.advance(seconds=6)
    me.recall("migration")
    me.recall("migration")
    assert len(hanging.taken) == asked + 1


@pytest.mark.row("B11")
@pytest.mark.parametrize("engine", ["directory", "postgres"])
def test_a_house_that_turns_an_index_on_is_fed_by_the_next_round_of_work(engine, place, opened, indexed):
    truth = place(engine)
    before = opened(truth)
    before.space("user:alice", profile="assistant").remember_many(TOLD)
    before.close()
    house = opened(truth, index=indexed)
    me = house.space("user:alice")
    assert any("has not been fed" in told for told in me.recall(ASKED[0]).degraded)
    house.work()
    for question, expected in zip(ASKED, TOLD, strict=True):
        answer = me.recall(question)
        assert answer.hits[0].memory.content == expected
        assert (answer.searched["through"], answer.degraded) == ("qdrant", ())
    assert house.doctor() == []
    assert house.work().done == 0


@pytest.mark.row("B11")
def test_an_index_that_was_lost_is_fed_anew_once_an_answer_has_missed_it(tmp_path, opened, indexed, qdrant):
    house = opened(tmp_path, index=indexed)
    me = house.space("user:alice", profile="assistant")
    me.remember_many(TOLD)
    house.work()
    assert me.recall(ASKED[1]).searched["through"] == "qdrant"
    with closing(QdrantClient(url=qdrant.url, check_compatibility=False)) as asking:
        asking.delete_collection(f"{indexed.collection}_fed")
        asking.delete_collection(indexed.collection)
    while not any("has not been fed" in told for told in me.recall(ASKED[1]).degraded):
        house.clock.advance(seconds=6)
    house.work()
    assert me.recall(ASKED[1]).searched["through"] == "qdrant"
