"""Servers that die in the middle of a load: nothing acknowledged is lost, nobody sees what is another's."""

from __future__ import annotations

import random
import threading
from contextlib import suppress

import pytest

from holdfast.errors import Unavailable
from holdfast.settings import IndexSettings, WorkingSettings

OPERATIONS = 160
THINGS = ("the spare key", "our dentist", "咖啡豆", "奶奶的藥", "part RM05-008", "the old boat")


class Load:
    """One thread's share of a mixed load: what it was told is kept, and what it saw of others."""

    def __init__(self, house, seed):
        self.dice = random.Random(seed)
        self.spaces = [house.space(name, profile="team") for name in ("project:one", "project:two")]
        self.kept = {me.name: [] for me in self.spaces}
        self.done, self.strange = 0, []

    def run(self):
        for _ in range(OPERATIONS):
            with suppress(Unavailable):  # nothing was acknowledged
                self.step()
            self.done += 1

    def step(self):
        me, thing = self.dice.choice(self.spaces), self.dice.choice(THINGS)
        if self.dice.random() < 0.6:
            text = f"{me.name} says: {thing} is now at place {self.dice.randrange(10**6):06}, as of noon"
            layer = self.dice.choice(("fact", "session"))
            outcome = me.remember(text, layer=layer, confidence=0.9)
            if outcome.memory is not None:
                self.kept[me.name].append(outcome.memory.id)
        else:
            hits = me.recall(f"where is {thing}?").hits
            self.strange += [h for h in hits if not h.memory.content.startswith(me.name)]


@pytest.mark.row("B11")
@pytest.mark.row("P7")
@pytest.mark.row("A1")
def test_servers_that_die_under_a_load_lose_nothing_and_show_nothing_of_others(
    tmp_path, opened, mortal_qdrant, mortal_redis, clock
):
    house = opened(
        tmp_path,
        index=IndexSettings(name="qdrant", url=mortal_qdrant.url, above=0),
        working=WorkingSettings(name="redis", url=mortal_redis.url),
    )
    loads = [Load(house, seed) for seed in range(2)]
    threads = [threading.Thread(target=load.run) for load in loads]
    for thread in threads:
        thread.start()
    for share, server in ((0.2, mortal_qdrant), (0.5, mortal_redis)):
        while sum(load.done for load in loads) < share * 2 * OPERATIONS:
            house.work()
        server.kill()
        while sum(load.done for load in loads) < (share + 0.2) * 2 * OPERATIONS:
            house.work()
        server.start()
    for thread in threads:
        thread.join()
    assert [load.done for load in loads] == [OPERATIONS] * 2
    clock.advance(seconds=15)
    house.work()
    assert [hit for load in loads for hit in load.strange] == []
    for load in loads:
        for me in load.spaces:
            assert [me.get(id).id for id in load.kept[me.name]] == load.kept[me.name]
            assert me.verify().ok
            assert me.recall("where is the spare key?").degraded == ()
    assert house.doctor() == []


@pytest.mark.row("B11")
@pytest.mark.row("P7")
@pytest.mark.row("A1")
def test_a_truth_that_dies_under_a_load_comes_back_with_all_that_was_acknowledged(
    opened, mortal_postgres, indexed, working, clock
):
    house = opened(mortal_postgres.fresh(), index=indexed, working=working)
    loads = [Load(house, seed) for seed in range(2)]
    threads = [threading.Thread(target=load.run) for load in loads]
    for thread in threads:
        thread.start()
    for share in (0.3, 0.6):
        while sum(load.done for load in loads) < share * 2 * OPERATIONS:
            with suppress(Unavailable):
                house.work()
        mortal_postgres.kill()
        mortal_postgres.start()
    for thread in threads:
        thread.join()
    assert [load.done for load in loads] == [OPERATIONS] * 2
    clock.advance(seconds=15)
    house.work()
    assert [hit for load in loads for hit in load.strange] == []
    for load in loads:
        for me in load.spaces:
            assert [me.get(id).id for id in load.kept[me.name]] == load.kept[me.name]
            assert me.verify().ok
    assert house.doctor() == []
