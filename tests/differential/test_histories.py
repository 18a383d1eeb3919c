"""SQLite, PostgreSQL and the reference live the same random lives."""

from __future__ import annotations

import pytest

from holdfast.adapters.postgres import Options as ServerOptions
from holdfast.adapters.postgres import PostgresStore
from holdfast.adapters.reference import ReferenceStore
from holdfast.adapters.sqlite import Options, SqliteStore
from holdfast.testing.histories import agree, arrive

HISTORIES = 60


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory):
    store = SqliteStore(tmp_path_factory.mktemp("house"), Options(open_spaces=2))
    yield store
    store.close()


@pytest.fixture(scope="module")
def on_server(postgres):
    store = PostgresStore(postgres.fresh(), ServerOptions(partitions=4))
    yield store
    store.close()


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_sqlite_agrees_with_the_reference_on_a_random_history(seed, on_disk):
    agree(ReferenceStore(), on_disk, seed=seed)


def test_sqlite_agrees_with_the_reference_on_a_long_history(on_disk):
    agree(ReferenceStore(), on_disk, seed=1_000_000, steps=1500, look=150)


@pytest.mark.parametrize("seed", range(2_000_000, 2_000_010))
def test_a_space_that_is_carried_from_one_engine_to_the_other_is_what_it_was(seed, on_disk):
    arrive(ReferenceStore(), on_disk, seed=seed)
    arrive(on_disk, ReferenceStore(), seed=seed + 100)


@pytest.mark.parametrize("seed", range(3_000_000, 3_000_040))
def test_postgres_agrees_with_the_reference_on_a_random_history(seed, on_server):
    agree(ReferenceStore(), on_server, seed=seed)


def test_postgres_agrees_with_the_reference_on_a_long_history(on_server):
    agree(ReferenceStore(), on_server, seed=4_000_000, steps=600, look=150)


@pytest.mark.parametrize("seed", range(5_000_000, 5_000_006))
def test_a_space_that_is_carried_to_the_server_and_back_is_what_it_was(seed, on_server, on_disk):
    arrive(on_disk, on_server, seed=seed)
    arrive(on_server, ReferenceStore(), seed=seed + 100)
