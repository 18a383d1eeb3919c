"""Real servers, one of each for a process that runs tests, started when the first test asks for it."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def postgres():
    """The server; `fresh()` makes a database."""
    from holdfast.testing.servers.postgres import PostgresServer

    with PostgresServer() as server:
        yield server
