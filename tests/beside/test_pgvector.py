"""pgvector beside the truth that lies in the same database: one setting, and no other server."""

from __future__ import annotations

from time import sleep

import numpy as np
import psycopg
import pytest

from holdfast.adapters.postgres import PostgresStore
from holdfast.errors import InvalidInput
from holdfast.ports.index import Point
from holdfast.settings import IndexSettings
from holdfast.testing.clock import ManualClock
from holdfast.testing.samples import Samples

TOLD = (
    "我喜欢早上喝一杯拿铁",
    "奶奶的藥在左邊的抽屜",
    "The spare key hangs behind the garden door",
    "Our dentist is called Marlow and works on Tuesdays",
)
ASKED = (
    ("早上喝什么？", TOLD[0]),
    ("奶奶的藥在哪裡？", TOLD[1]),
    ("Where is the spare key to the garden door?", TOLD[2]),
)
LARGE = IndexSettings(name="pgvector", above=0)


@pytest.mark.row("P5")
@pytest.mark.row("B11")
def test_a_space_too_large_for_memory_is_searched_through_pgvector(postgres_house, opened):
    house = opened(postgres_house, index=LARGE)
    me, other = (house.space(name, profile="assistant") for name in ("user:ada", "user:bea"))
    for said in TOLD:
        me.remember(said)
    other.remember("The spare key of another house lies under the mat")
    house.work()
    for asked, wanted in ASKED:
        answer = me.recall(asked)
        assert answer.searched["through"] == "pgvector"
        assert answer.hits[0].memory.content == wanted
        assert {hit.memory.content for hit in answer.hits} <= set(TOLD)
    assert house.doctor() == []
    (memory,) = [hit.memory for hit in me.recall("dentist").hits if "Marlow" in hit.memory.content]
    me.forget(memory.id)
    assert memory.id not in {hit.memory.id for hit in me.recall("What is our dentist called?").hits}
    house.work()
    assert house.doctor() == []


@pytest.mark.row("B11")
def test_what_drifted_in_the_database_is_named_and_rebuilt(postgres, postgres_house, opened):
    house = opened(postgres_house, index=LARGE)
    me = house.space("user:ada", profile="assistant")
    ids = [me.remember(said).memory.id for said in TOLD]
    house.work()
    database = postgres_house.rpartition("/")[2]
    postgres.execute(f"DELETE FROM holdfast.point WHERE id = '{ids[0]}'", database)
    postgres.execute(f"UPDATE holdfast.point SET stamp = 1 WHERE id = '{ids[1]}'", database)
    assert {(drift.what, drift.id) for drift in house.doctor()} == {("missing", ids[0]), ("changed", ids[1])}
    house.repair("user:ada")
    assert house.doctor() == []


def test_what_was_just_fed_is_found_through_the_hnsw_index(postgres):
    url = postgres.fresh()
    store, when = PostgresStore(url), ManualClock().now()
    store.create(Samples(1).record("large"))
    (record,) = store.spaces()
    plain = {"stamp": 1, "layer": "fact", "kind": "fact", "status": "active"}
    rows = np.random.default_rng(1).standard_normal((2000, 32)).astype("<f4")
    points = (
        Point(id=f"{n:04}", vector=row.tobytes(), created_at=when, updated_at=when, **plain)
        for n, row in enumerate(rows)
    )
    store.index.feed(record.id, "e", puts=points, gone=(), sequence=1)
    assert store.index.search(record.id, "e", vector=rows[7].tobytes(), limit=10)[0].id == "0007"
    store.close()
    for _ in range(100):  # a server counts what a connection did when that has ended
        if _scans(postgres.url(url.rpartition("/")[2], user="postgres")):
            return
        sleep(0.1)
    pytest.fail("the space was searched another way")


def _scans(url):
    """How often the HNSW indexes of a database were asked."""
    asked = (
        "SELECT sum(idx_scan) FROM pg_stat_user_indexes WHERE relname ~ '^point' AND indexrelname ~ 'near'"
    )
    with psycopg.connect(url) as db:
        return db.execute(asked).fetchall()[0][0]


def test_pgvector_needs_a_house_on_postgresql(opened):
    with pytest.raises(InvalidInput, match="postgresql://"):
        opened("memory://", index=LARGE)
