"""Houses whose embedder can fail, be slow, and be another one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast import Holdfast
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.errors import Unavailable
from holdfast.model.actor import LOCAL_OWNER
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

# Meanings that share no word: what finds one by another is the vector.
MEANINGS = (
    ("早上喝什么", "我起床后总要来一杯浓缩"),
    ("親人住在哪", "外婆搬去花蓮了"),
    ("what hurts him", "Bram's left shoulder aches when it rains"),
)


class Meaning(HashingEmbedder):
    """Puts a question and its answer at one place, and can be down."""

    def __init__(self, name="meaning", dimensions=64):
        super().__init__(dimensions)
        self.name, self.down, self.embedded = f"{name}/{dimensions}", False, []
        self.before = lambda: None

    def embed(self, texts):
        self.before()
        if self.down:
            raise Unavailable("the embedder is being repaired")
        self.embedded += texts
        same = dict(MEANINGS)
        return super().embed([same.get(text, text) for text in texts])


@pytest.fixture
def meanings():
    return MEANINGS


@pytest.fixture
def facts():
    return [fact for _, fact in MEANINGS]


@pytest.fixture
def embedder():
    return Meaning()


@pytest.fixture
def other():
    return Meaning("other", 96)


@pytest.fixture
def clock():
    return ManualClock(datetime(2026, 3, 1, 9, tzinfo=UTC))


@pytest.fixture
def opened(tmp_path, clock):
    """`opened(embedder)`: the house of the test with that embedder; each call a house of its own on it."""
    houses = []

    def open_house(embedder=None, where=tmp_path / "house", *, actor=LOCAL_OWNER, **own):
        houses.append(Holdfast(where, Own(embedder=embedder, clock=clock, **own), actor=actor))
        return houses[-1]

    yield open_house
    for house in houses:
        house.close()
