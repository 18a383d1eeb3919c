"""A house on a server: who may see what, servers that go and come back, and programs of different ages."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import psycopg
import pytest

from holdfast import Holdfast, InvalidInput, UnknownSpace
from holdfast.adapters.postgres import Options, PostgresStore, migrate
from holdfast.errors import NewerSchema, StoreError, Unavailable
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.testing.samples import Samples
from holdfast.wire import Own

SMALL = Settings(embedder=EmbedderSettings(name="hashing", dimensions=32), connections=4)
SAID = {
    "project:甲": "甲的料号是 RM05-008",
    "project:乙": "乙的料號是 RM05-009",
    "project:c": "C keeps RM05-010",
}


def opened(url):
    return Holdfast(url, Own(settings=SMALL, clock=ManualClock()))


@pytest.fixture
def app(postgres, postgres_house):
    """The address for a role with an application's rights, as the guide grants them."""
    database = postgres_house.rpartition("/")[2]
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"^```sql\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    made, *granted = told.splitlines()
    made = f"DO $$ BEGIN {made} EXCEPTION WHEN duplicate_object THEN END $$"
    for statement in (made, *granted):
        postgres.execute(statement, database)
    return postgres.url(database, user="app")


@pytest.fixture
def three(app):
    """Three spaces, each with what was said in it, written by the application."""
    with opened(app) as hf:
        for name, said in SAID.items():
            me = hf.space(name, profile="team")
            assert me.remember(said, layer="fact").memory
            me.capture(f"raw output of {name}")
        hf.work()
    return app


def guarded(db):
    """Every table that belongs to a space."""
    found = db.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind = 'p'"
    )
    return sorted(name for (name,) in found)


@pytest.mark.row("A1")
@pytest.mark.row("P7")
@pytest.mark.row("P5")
def test_an_application_sees_in_each_space_what_was_said_there(three):
    with opened(three) as hf:
        for name, said in SAID.items():
            me = hf.space(name)
            assert [memory.content for memory in me.list()] == [said]
            assert [hit.memory.content for hit in me.recall("RM05-008 料号 part")] == [said]
            assert [capture.content for capture in me.captures()] == [f"raw output of {name}"]
            assert hf.verify(name).ok
        assert hf.doctor() == []
        with pytest.raises(UnknownSpace):
            hf.space("project:丙")


@pytest.mark.row("P7")
def test_a_forgotten_filter_leaks_nothing(three):
    with psycopg.connect(three) as db:
        tables = guarded(db)
        assert {"memory", "version", "image", "vector", "quarantine", "entry"} <= set(tables)
        for table in tables:
            assert db.execute(f"SELECT count(*) FROM holdfast.{table}").fetchone() == (0,)
        numbers = [number for (number,) in db.execute("SELECT number FROM holdfast.space ORDER BY name")]
        for number in numbers:
            db.execute("SELECT set_config('holdfast.space', %s, true)", (str(number),))
            for table in ("memory", "version", "quarantine"):
                seen = db.execute(f"SELECT DISTINCT space FROM holdfast.{table}").fetchall()
                assert seen == [(number,)]


@pytest.mark.row("P7")
def test_nothing_is_written_into_another_space_than_the_one_that_is_set(three):
    with psycopg.connect(three) as db:
        first, second = [n for (n,) in db.execute("SELECT number FROM holdfast.space ORDER BY name LIMIT 2")]
        db.execute("SELECT set_config('holdfast.space', %s, true)", (str(first),))
        assert db.execute("UPDATE holdfast.version SET body = '{}' WHERE space = %s", (second,)).rowcount == 0
        assert db.execute("DELETE FROM holdfast.memory WHERE space = %s", (second,)).rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute("INSERT INTO holdfast.purge VALUES (%s, 1, 1)", (second,))


@pytest.mark.row("P7")
def test_the_parts_of_a_table_are_not_a_way_around(three):
    with psycopg.connect(three, autocommit=True) as db:
        for table in ("memory", "version", "quarantine"):
            for part in (0, 1):
                assert db.execute(f"SELECT count(*) FROM holdfast.{table}_{part}").fetchone() == (0,)


def test_a_server_that_was_started_anew_is_found_again(postgres, postgres_house):
    with opened(postgres_house) as hf:
        me = hf.space("user:alice", profile="assistant")
        first = me.remember("Alice lives in Berlin").memory
        postgres.kill()
        with pytest.raises(Unavailable):
            hf.space("user:alice").remember("nobody hears this")
        postgres.start()
        assert me.get(first.id).content == "Alice lives in Berlin"
        postgres.stop()
        postgres.start()
        second = me.remember("Alice has a cat").memory
        assert {first.id, second.id} == {memory.id for memory in me.list()}
        assert hf.verify("user:alice").ok


def test_what_was_acknowledged_is_there_though_connections_are_cut_all_the_time(postgres, postgres_house):
    over, acknowledged = threading.Event(), []
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'house'"

    def cutting():
        with psycopg.connect(postgres.url("postgres", user="postgres"), autocommit=True) as db:
            while not over.is_set():
                db.execute(cut)
                time.sleep(0.1)

    store = PostgresStore(postgres_house, Options(connections=3))
    samples = Samples(3)
    space = store.open(store.create(samples.record()))
    thread = threading.Thread(target=cutting)
    thread.start()
    for _ in range(60):
        memory = samples.memory()
        try:
            entry = space.apply(samples.plan(memory))
        except Unavailable:
            continue
        acknowledged.append((entry.number, memory.id))
    over.set()
    thread.join()
    assert acknowledged
    assert space.get([id for _, id in acknowledged]).keys() == {id for _, id in acknowledged}
    assert [number for number, _ in acknowledged] == sorted({number for number, _ in acknowledged})
    assert space.verify().ok
    store.close()


def test_a_database_without_pgvector_says_what_to_do(postgres):
    url = postgres.fresh()
    postgres.execute("DROP EXTENSION vector", url.rpartition("/")[2])
    with pytest.raises(StoreError, match="CREATE EXTENSION vector"):
        Holdfast(url)


def test_a_pgvector_that_is_too_old_says_what_to_do(postgres):
    url = postgres.fresh()
    postgres.execute(
        "UPDATE pg_extension SET extversion = '0.6.2' WHERE extname = 'vector'", url.rpartition("/")[2]
    )
    with pytest.raises(StoreError, match=r"0\.7 or later"):
        Holdfast(url)


def test_a_server_that_is_not_there_is_named_unavailable():
    with pytest.raises(Unavailable, match="cannot be reached"):
        Holdfast("postgresql://nobody@127.0.0.1:1/nothing")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("house@", "stranger@"), 'role "stranger" does not exist'),
        (("/house_", "/nowhere_"), "nowhere_.* does not exist"),
        (("house@", "house:hunter2@["), "is not spelt"),
        (("house@127.0.0.1:", "house:hunter2@127.0.0.1:port"), "is not spelt"),
    ],
)
def test_a_wrong_name_in_the_address_is_told_with_the_way_out_and_without_the_password(
    postgres_house, change, said
):
    with pytest.raises(InvalidInput, match=f"^where: .*{said}.*; (name|give)") as refused:
        Holdfast(postgres_house.replace(*change))
    assert "hunter2" not in str(refused.value)


@pytest.mark.row("B11")
def test_stats_doctor_and_repair_serve_a_house_on_a_server_as_any_other(postgres, postgres_house):
    with opened(postgres_house) as hf:
        me = hf.space("project:甲", profile="team")
        kept = me.remember(SAID["project:甲"], layer="fact").memory
        assert me.stats().memories == 1
        assert hf.doctor() == []
        postgres.execute("UPDATE holdfast.image SET words = ''", postgres_house.rpartition("/")[2])
        assert {drift.id for drift in hf.doctor()} == {kept.id}
        assert hf.repair("project:甲") == 1
        assert hf.doctor() == []
        assert me.recall("RM05-008").hits[0].memory.id == kept.id


@pytest.mark.row("P7")
def test_what_one_program_writes_the_image_of_another_shows_at_once(postgres_house):
    with opened(postgres_house) as one, opened(postgres_house) as other:
        mine, theirs = (hf.space("project:甲", profile="team") for hf in (one, other))
        kept = mine.remember(SAID["project:甲"], layer="fact").memory
        assert theirs.recall("料号").hits[0].memory.id == kept.id
        theirs.revise(kept.id, content="甲的料号改成了 RM05-777")
        assert "RM05-777" in mine.recall("料号").hits[0].memory.content
        mine.forget(kept.id)
        assert theirs.recall("料號").hits == ()
        theirs.restore(kept.id)
        assert [hit.memory.id for hit in mine.recall("料号").hits] == [kept.id]


def test_an_address_of_something_else_is_refused_without_telling_it():
    with pytest.raises(InvalidInput, match="postgresql://") as refused:
        Holdfast("mysql://root:secret@db/x")
    assert "secret" not in str(refused.value)


def test_many_programs_may_make_the_tables_at_once(postgres):
    url = postgres.fresh()
    made = []

    def make():
        made.append(PostgresStore(url, Options(partitions=2)))

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    for store in made:
        store.close()


def test_a_program_of_before_an_update_goes_on_while_a_newer_one_works_beside_it(postgres, monkeypatch):
    url, samples = postgres.fresh(), Samples(4)
    every = migrate.migrations()
    monkeypatch.setattr(migrate, "migrations", lambda: every[:1])
    before = PostgresStore(url, Options(partitions=2))
    old = before.open(before.create(samples.record()))
    first = samples.memory()
    old.apply(samples.plan(first, indexed=(samples.indexed(first.id),), embedder="e"))
    monkeypatch.undo()
    after = PostgresStore(url)
    new = after.open(after.spaces()[0])
    second, third = samples.memory(), samples.memory()
    old.apply(samples.plan(second, indexed=(samples.indexed(second.id),), embedder="e"))
    new.apply(samples.plan(third, indexed=(samples.indexed(third.id),), embedder="e"))
    for space in (old, new):
        assert list(space.batch(0, "e").ids) == [first.id, second.id, third.id]
        assert space.verify().ok
    again = PostgresStore(url)  # a program that knows all finds nothing to do
    assert again.doctor() == []
    for store in (before, after, again):
        store.close()


def test_a_program_that_cannot_use_a_newer_schema_says_so(postgres):
    url = postgres.fresh()
    migrate.prepare(url, Options(partitions=2))
    known = len(migrate.migrations())
    with psycopg.connect(url) as db:
        db.execute("INSERT INTO holdfast.schema (number, oldest) VALUES (%s, 0)", (known + 1,))
    PostgresStore(url).close()  # it only added
    with psycopg.connect(url) as db:
        db.execute("UPDATE holdfast.schema SET oldest = %s WHERE number = %s", (known + 1, known + 1))
    with pytest.raises(NewerSchema, match="upgrade"):
        PostgresStore(url)
