"""Spaces on every engine, with a judge that says what it is told and vectors as near as a test wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import sqrt

import pytest

from holdfast.engine import Holdfast
from holdfast.model.actor import Actor
from holdfast.ports.judge import Classified, Related, Relation, Sensitivity, Verdict
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
SIZE = 32


@dataclass
class ToldJudge:
    """Answers as it was told; of what it was not told it thinks nothing."""

    name: str = "told/1"
    relations: dict = field(default_factory=dict)
    classes: dict = field(default_factory=dict)
    secrets: tuple = ()
    orders: tuple = ()
    muddled: tuple = ()
    asked: list = field(default_factory=list)
    reads: int = 1_000_000  # how much of a text it looks at

    def tell(self, old, new, label, *, sure=0.9, slot=None):
        self.relations[old, new] = Related(Relation(label), sure, (f"told: {label}",), slot)

    @property
    def at_once(self):
        return self

    @property
    def patient(self):
        return self

    def hearing(self, *, behind=False):
        return self

    def relation(self, old, new, similarity=None):
        self.asked.append((old, new))
        return self.relations.get((old, new), Related(Relation.DISTINCT, 0.9))

    def extract(self, turns):
        return ()

    def sensitivity(self, text):
        text = text[: self.reads]
        spans = tuple(
            (at, at + len(word), "password") for word in self.secrets if (at := text.find(word)) >= 0
        )
        return Sensitivity(3 if spans else 0, (), spans)

    def poison(self, text):
        return Verdict(any(word in text[: self.reads] for word in self.orders), 1.0, ("gives orders",))

    def consistent(self, text, known=()):
        return Verdict(text not in self.muddled, 1.0, ("says both",))

    def classify(self, text):
        kind, slot = self.classes.get(text, ("fact", None))
        return Classified(kind, (), slot, 0.9)

    def entities(self, text):
        return ()

    def summarise(self, texts, limit=200):
        return "; ".join(texts)[:limit]

    def shaped(self, memory, reply):
        return Verdict(holds=False, score=0.0)


@pytest.fixture
def judge():
    return ToldJudge()


@pytest.fixture
def clock():
    return ManualClock(START)


@pytest.fixture(params=["memory", "directory", "postgres"])
def house(request, place, judge, clock):
    settings = Settings(embedder=EmbedderSettings(name="hashing", dimensions=SIZE))
    with Holdfast(place(request.param), Own(settings=settings, judge=judge, clock=clock)) as hf:
        yield hf


@pytest.fixture
def space(house):
    """`space("care")`: a space of that profile."""
    return lambda profile="assistant": house.space(f"user:{profile}", profile=profile)


@pytest.fixture
def agent():
    return Actor("agent", "ear")


@pytest.fixture
def near():
    """`near(0.9)`: a vector that is 0.9 alike to `near()`; the scale of the hashing embedder is the
    cosine.
    """
    made = iter(range(1, SIZE))

    def make(likeness=1.0):
        vector = [0.0] * SIZE
        vector[0] = likeness
        if likeness < 1.0:
            vector[next(made)] = sqrt(1.0 - likeness * likeness)
        return vector

    return make
