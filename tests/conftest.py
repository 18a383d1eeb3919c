"""Real servers, one of each for a process that runs tests, started when the first test asks for it."""

from __future__ import annotations

import pytest

# Failures inside the shipped suites are shown as those of a test file.
pytest.register_assert_rewrite("holdfast.testing")


@pytest.fixture(scope="session")
def postgres():
    """The server; `fresh()` makes a database."""
    from holdfast.testing.servers.postgres import PostgresServer

    with PostgresServer() as server:
        yield server


@pytest.fixture
def place(request, tmp_path, monkeypatch):
    """`place("postgres")`: where a new house of that engine is; the master key of a server's lies here."""
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "memory"))

    def where(engine):
        if engine == "memory":
            return "memory://"
        if engine == "directory":
            return tmp_path / "house"
        return request.getfixturevalue("postgres_house")

    return where


@pytest.fixture
def postgres_house(postgres):
    """The address of a database with nothing in its tables."""
    return postgres.house(_prepared)


def _prepared(url):
    from holdfast.adapters.postgres import Options, PostgresStore

    PostgresStore(url, Options(partitions=2)).close()


@pytest.fixture(scope="session")
def qdrant():
    """The server, for indexes; each test takes a collection of its own."""
    from holdfast.testing.servers.qdrant import QdrantServer

    with QdrantServer() as server:
        yield server


@pytest.fixture(scope="session")
def redis():
    """The server, for working memory; each test takes spaces of its own."""
    from holdfast.testing.servers.redis import RedisServer

    with RedisServer() as server:
        yield server


@pytest.fixture(scope="session")
def language_model():
    """The server of a small model, for the way to one and back."""
    from holdfast.testing.servers.language_model import LanguageModelServer

    with LanguageModelServer() as server:
        yield server
