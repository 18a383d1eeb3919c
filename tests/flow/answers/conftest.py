"""Spaces on every engine, through the public verbs; vectors are made of words, so likeness is overlap."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.engine import Holdfast
from holdfast.errors import Unavailable
from holdfast.model.actor import Actor
from holdfast.ports.judge import Classified, Related, Relation, Sensitivity, Verdict
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

START = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


class Fragile:
    """The hashing embedder, which fails when told to and counts what it was asked."""

    def __init__(self):
        self._inner = HashingEmbedder(128)
        self.name, self.dimensions = self._inner.name, self._inner.dimensions
        self.calibration = self._inner.calibration
        self.down = False
        self.texts = []

    def embed(self, texts):
        if self.down:
            raise Unavailable("the embedder is asleep")
        self.texts += texts
        return self._inner.embed(texts)


class QuietJudge:
    """Has no opinion: recall asks no judge, and what is remembered here should stay as it is."""

    name = "quiet/1"

    @property
    def at_once(self):
        return self

    patient = at_once

    def hearing(self, *, behind=False):
        return self

    def relation(self, old, new, similarity=None):
        return Related(Relation.DISTINCT, 0.9)

    def extract(self, turns):
        return ()

    def sensitivity(self, text):
        return Sensitivity(0)

    def poison(self, text):
        return Verdict(holds=False, score=0.0)

    def consistent(self, text, known=()):
        return Verdict(holds=True, score=1.0)

    def classify(self, text):
        return Classified("fact")

    def entities(self, text):
        return ()

    def summarise(self, texts, limit=200):
        return "; ".join(texts)[:limit]

    def shaped(self, memory, reply):
        return Verdict(holds=False, score=0.0)


@pytest.fixture
def embedder():
    return Fragile()


@pytest.fixture
def clock():
    return ManualClock(START)


@pytest.fixture(params=["memory", "directory", "postgres"])
def house(request, place, embedder, clock):
    with Holdfast(place(request.param), Own(embedder=embedder, judge=QuietJudge(), clock=clock)) as hf:
        yield hf


@pytest.fixture
def space(house):
    """`space("care")`: a space of that profile."""
    return lambda profile="assistant": house.space(f"user:{profile}", profile=profile)


@pytest.fixture
def me(space):
    return space()


@pytest.fixture
def agent():
    return Actor("agent", "ear")


@pytest.fixture
def entry():
    """`entry(space, words)`: a confirmed entry of the constitution."""

    def make(space, words, **told):
        change = space.constitution.propose(words, **told)
        token = change.token
        while token:
            token = change.confirm(token)
        return change.outcome.memory

    return make


def kept(space, content, **told):
    """The memory that a statement became."""
    out = space.remember(content, **told)
    assert out.memory is not None, out.reasons
    return out.memory


def contents(answer):
    return [hit.memory.content for hit in answer]
