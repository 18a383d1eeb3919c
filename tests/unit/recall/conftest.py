"""A space whose memories are put there as they are, and images of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
import pytest

from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.adapters.reference import ReferenceStore
from holdfast.model.actor import LOCAL_OWNER
from holdfast.model.memory import Memory
from holdfast.model.plan import Plan
from holdfast.model.space import SpaceRecord
from holdfast.recall import indexing
from holdfast.recall.image import Images

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Room:
    """One space of the reference store, written to by hand."""

    def __init__(self, size=16):
        self.embedder = HashingEmbedder(size)
        self.house = ReferenceStore()
        record = SpaceRecord(id="room", name="room", profile="x", profile_text="", created_at=NOW)
        self.store = self.house.open(self.house.create(record))
        self.images = Images(10**9)
        self.made = count(1)

    def memory(self, content="a word", **fields):
        number = next(self.made)
        at = fields.pop("at", NOW - timedelta(days=1) + timedelta(seconds=number))
        times = {name: fields.pop(name, at) for name in ("created_at", "updated_at", "last_activated_at")}
        return Memory(id=f"{number:06}", space="room", content=content, **times, **fields)

    def put(self, *memories, vectors=True, purges=()):
        """All in one plan. `vectors`: as the embedder makes them, False for none, or a list of rows."""
        rows = [None] * len(memories)
        if vectors is True:
            texts = [indexing.embedded_text(memory) for memory in memories]
            rows = [row.tobytes() for row in self.embedder.embed(texts)] if texts else []
        elif vectors:
            rows = [None if row is None else np.asarray(row, np.float32).tobytes() for row in vectors]
        plan = Plan(
            change=f"c{next(self.made)}",
            verb="test",
            actor=LOCAL_OWNER,
            at=NOW,
            embedder=self.embedder.name,
            puts=memories,
            indexed=tuple(indexing.indexed(m, row) for m, row in zip(memories, rows, strict=True)),
            purges=tuple(purges),
        )
        self.store.apply(plan)
        return memories

    def change(self, memory, *, vectors=True, **fields):
        """The next version of a memory."""
        changed = replace(memory, version=memory.version + 1, **fields)
        self.put(changed, vectors=vectors)
        return changed

    @property
    def image(self):
        return self.images.of(self.store, self.embedder)

    def anew(self):
        """An image built from nothing."""
        return Images(10**9).of(self.store, self.embedder)


@pytest.fixture
def room():
    return Room()


@pytest.fixture
def rooms():
    """For property tests, which need a new one every time."""
    return Room
