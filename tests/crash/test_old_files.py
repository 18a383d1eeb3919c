"""Files of other schemas: an older one is migrated when it is opened, a newer one is left alone."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite import SqliteStore
from holdfast.adapters.sqlite.files import CATALOG, SPACE, migrate, version_of
from holdfast.errors import NewerSchema
from holdfast.model.plan import Listing
from holdfast.testing.samples import Samples
from holdfast.testing.stores.threads import mention

OLD = Path(__file__).parents[1] / "data" / "schema_1"
CONTENTS = ["我不喜欢喝咖啡了", "奶奶的藥在左邊的抽屜", "The blue folder is on the shelf"]


@pytest.fixture
def old_house(tmp_path):
    return Path(shutil.copytree(OLD, tmp_path / "house"))


def schema(path):
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return version_of(db)
    finally:
        db.close()


def only_space(house):
    (path,) = (house / "spaces").glob("*.db")
    return path


def test_a_house_of_the_first_schema_opens_with_everything_in_it(old_house):
    assert schema(only_space(old_house)) == schema(old_house / "catalog.db") == 1
    store = SqliteStore(old_house)
    (record,) = store.spaces()
    space = store.open(record)
    assert (record.name, record.user_factor, record.anchor_number) == ("家", 1.0, 4)
    memories = space.list(Listing(session="早上"))
    assert [memory.content for memory in memories] == CONTENTS
    assert [memory.content for memory in space.versions(memories[0].id)] == [
        "我喜欢喝咖啡",
        "我不喜欢喝咖啡了",
    ]
    assert [memory.access_count for memory in memories] == [3, 3, 3]
    assert space.captures()[0].content == "原始输出 raw output"
    assert [vector is not None for vector in space.batch(0, "old").vectors] == [True] * 3
    assert [(weight.old_weight, weight.new_weight) for weight in space.weights(memories[0].id)] == [
        (1.0, 0.5)
    ]
    assert [(job.key, job.error, job.attempts) for job in space.jobs()] == [("embed:1", "", 2)]
    assert space.verify().problems == ()
    store.close()
    assert schema(only_space(old_house)) == len(SPACE.migrations())
    assert schema(old_house / "catalog.db") == len(CATALOG.migrations())


def test_a_migrated_space_is_written_on_as_any_other(old_house):
    store = SqliteStore(old_house)
    space = store.open(store.spaces()[0])
    (first, *_) = space.list(Listing())
    mention(space, first.id)
    new = Samples(9).memory(entity_type="part_number", entity_value="RM05-008")
    space.apply(Samples(9).plan(new))
    space.fail("job-1", error="模型不在", retry_at=None)
    assert space.jobs(failed=True)[0].error == "模型不在"
    assert space.list(Listing(entity_type="part_number")) == [new]
    assert space.verify().problems == ()
    store.close()


def test_many_who_open_an_old_house_at_once_migrate_it_once(old_house):
    stores = [SqliteStore(old_house) for _ in range(4)]
    with ThreadPoolExecutor(8) as threads:
        spaces = [store.open(store.spaces()[0]) for store in stores]
        found = list(threads.map(lambda number: spaces[number % 4].list(Listing()), range(16)))
    assert all([memory.content for memory in memories] == CONTENTS for memories in found)
    for store in stores:
        store.close()


def test_a_migration_that_fails_leaves_the_old_schema(old_house, monkeypatch):
    steps = [*SPACE.migrations()[:2], ("3 half", "CREATE TABLE half (x); CREATE TABLE half (x)")]
    monkeypatch.setattr(type(SPACE), "migrations", lambda _: steps)
    db = apsw.Connection(str(only_space(old_house)))
    with pytest.raises(apsw.SQLError):
        migrate(db, SPACE)
    assert version_of(db) == 1
    assert not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall()
    db.close()


@pytest.mark.parametrize("newer", ["catalog", "space"])
def test_a_newer_schema_is_named_and_left_alone(old_house, newer):
    path = old_house / "catalog.db" if newer == "catalog" else only_space(old_house)
    db = apsw.Connection(str(path))
    db.execute("PRAGMA user_version = 99")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerSchema, match=r"schema 99.*upgrade"):
        _ = (store := SqliteStore(old_house)).open(store.spaces()[0]).list(Listing())
    assert path.read_bytes() == before


def test_a_new_file_has_gone_through_every_migration(tmp_path):
    store = SqliteStore(tmp_path)
    samples = Samples()
    store.open(store.create(samples.record())).apply(samples.plan())
    store.close()
    assert schema(only_space(tmp_path)) == len(SPACE.migrations()) >= 2
    assert schema(tmp_path / "catalog.db") == len(CATALOG.migrations()) >= 2


def test_a_migrated_file_has_the_schema_of_a_new_one(old_house, tmp_path):
    def tables(path):
        db = apsw.Connection(str(path))
        found = db.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
        ).fetchall()
        db.close()
        return found

    old, new = SqliteStore(old_house), SqliteStore(tmp_path / "new")
    old.open(old.spaces()[0]).count()
    new.create(Samples().record())
    old.close()
    new.close()
    assert tables(only_space(old_house)) == tables(only_space(tmp_path / "new"))
