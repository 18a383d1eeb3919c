"""Houses whose time is ours: one in memory and one in a directory, with the quick embedder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast.engine import Holdfast
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

START = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a Thursday


def day(count):
    return START + timedelta(days=count)


@pytest.fixture
def clock():
    return ManualClock(START)


@pytest.fixture(params=["memory", "directory"])
def house(request, tmp_path, clock):
    where = "memory://" if request.param == "memory" else tmp_path / "house"
    own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")), clock=clock)
    with Holdfast(where, own) as hf:
        yield hf


@pytest.fixture
def me(house):
    return house.space("user:ada", profile="assistant")


def state(space):
    """Everything a person could see of the memories, by id."""
    every = space.list(status=list(STATUSES), limit=1000)
    return {m.id: (str(m.status), str(m.level), m.content, m.mentions, m.deletion) for m in every}


STATUSES = (
    "pending", "active", "review", "expired", "superseded", "merged", "rejected", "archived", "deleted",
)  # fmt: skip
