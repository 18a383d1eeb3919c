"""Houses whose truth has real servers beside it; each test takes a collection and spaces of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
import redis as client

from holdfast import Holdfast
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.settings import IndexSettings, Settings, WorkingSettings
from holdfast.testing.clock import ManualClock
from holdfast.testing.servers.postgres import PostgresServer
from holdfast.testing.servers.qdrant import QdrantServer
from holdfast.testing.servers.redis import RedisServer
from holdfast.wire import Own

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def clock():
    return ManualClock(NOW)


@pytest.fixture(params=["directory", "memory", "postgres"])
def truth(request, place):
    """Where the truth is: on the disk, in memory, or on a server."""
    return place(request.param)


@pytest.fixture
def opened(clock):
    """Opens houses by their settings alone, and closes them."""
    houses = []

    def opened(where, *, embedder=None, clock=clock, **beside):
        settings = replace(Settings(), **beside)
        own = Own(settings=settings, clock=clock, embedder=embedder or HashingEmbedder(128))
        houses.append(Holdfast(where, own))
        return houses[-1]

    yield opened
    for house in houses:
        house.close()


@pytest.fixture
def indexed(qdrant):
    """[index] of a collection of one's own, used for every space that has a memory."""
    return IndexSettings(name="qdrant", url=qdrant.url, collection=f"c{uuid4().hex}", above=0, patience=30)


@pytest.fixture
def working(redis):
    """[working] on the server, where nothing is left of the test before."""
    with client.Redis.from_url(redis.url) as asking:
        asking.flushall()
    return WorkingSettings(name="redis", url=redis.url)


@pytest.fixture
def mortal_qdrant():
    """A server that a test may kill."""
    with QdrantServer() as server:
        yield server


@pytest.fixture
def mortal_postgres():
    """A server that a test may kill."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def mortal_redis():
    """A server that a test may kill."""
    with RedisServer() as server:
        yield server
