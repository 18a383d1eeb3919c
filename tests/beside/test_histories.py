"""Random lives in a house with Qdrant and Redis beside it, and in the reference without: the same answers."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from holdfast.testing.clock import ManualClock

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
THINGS = ("the spare key", "dentist", "咖啡", "奶奶的藥", "RM05-008", "the old boat", "billing service")
PLACES = ("the garden door", "pier nine", "左边的抽屉", "左邊的抽屜", "Tuesday", "顺达", "the blue folder")


class Life:
    """What happens in one house; the same seed happens the same way."""

    def __init__(self, house, clock, seed):
        self.house, self.clock, self.chance = house, clock, random.Random(seed)
        self.spaces = [house.space(name, profile="team") for name in ("project:one", "project:two")]
        self.known = {space.name: [] for space in self.spaces}

    def step(self):
        chance = self.chance
        self.clock.advance(minutes=chance.randrange(1, 90))
        me = chance.choice(self.spaces)
        known = self.known[me.name]
        verb = chance.choice(("remember", "remember", "session", "recall", "recall", "change", "work"))
        if verb == "change" and known:
            return self.change(me, chance.choice(known))
        if verb == "recall":
            self.house._images._kept.clear()  # one that grew weighs words a little otherwise
            answer = me.recall(f"where is {chance.choice(THINGS)}?", limit=chance.choice((3, 8)))
            return [(hit.memory.content, hit.hot, round(hit.score, 5)) for hit in answer.hits]
        if verb == "work":
            self.house.work()
            return None
        number = f"noted as number {chance.randrange(10**6):06} in the book"
        text = f"{chance.choice(THINGS)} / {chance.choice(PLACES)}; {number}"
        layer = "session" if verb == "session" else "fact"
        outcome = me.remember(text, layer=layer, confidence=0.9)
        if outcome.memory is not None:
            known.append(outcome.memory.id)
        return str(outcome.decision)

    def change(self, me, id):
        """One of the changes that its status allows, or the error that says why not."""
        verb = self.chance.choice(("forget", "restore", "archive", "affirm", "revise"))
        try:
            if verb == "revise":
                return str(me.revise(id, content=f"{self.chance.choice(THINGS)}, moved lately").decision)
            return str(getattr(me, verb)(id).decision)
        except Exception as error:  # noqa: BLE001 (compared with what the other house raises)
            return type(error).__name__


@pytest.mark.row("B11")
@pytest.mark.parametrize("seed", range(2))
def test_a_house_with_servers_beside_it_lives_as_the_reference_does(
    truth, opened, indexed, working, clock, seed
):
    beside = Life(opened(truth, index=indexed, working=working), clock, seed)
    other = ManualClock(START)
    alone = Life(opened("memory://", clock=other), other, seed)
    for step in range(70):
        one, two = beside.step(), alone.step()
        assert one == two, f"seed {seed}, step {step}"
    beside.house.work()
    assert beside.house.doctor() == []
    for me in beside.spaces:
        assert me.stats().behind == {"qdrant": 0}
        assert all(hit.memory.space == me.name for hit in me.recall("the key").hits)
