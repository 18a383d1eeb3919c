"""Files that are cut, overwritten, flipped or gone: an error that says what to do, never a wrong answer."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from holdfast.adapters.sqlite import SqliteStore
from holdfast.errors import Damaged, HoldfastError, StoreError
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import seen

FLIPS = 150


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A house with one space, closed: its directory and everything that is in it."""
    house = tmp_path_factory.mktemp("sound") / "house"
    store, samples = SqliteStore(house), Samples(3)
    space = store.open(store.create(samples.record()))
    memories = [samples.full_memory() for _ in range(30)]
    rows = tuple(samples.indexed(memory.id) for memory in memories)
    space.apply(samples.plan(*memories, indexed=rows, embedder="e", captures=(samples.capture(),)))
    for memory in memories[:10]:
        space.apply(samples.plan(samples.changed(memory)))
    everything = seen(space)
    store.close()
    return house, everything


@pytest.fixture
def house(sound, tmp_path):
    return Path(shutil.copytree(sound[0], tmp_path / "house"))


def file_of(house):
    (path,) = (house / "spaces").glob("*.db")
    return path


def looked_at(house):
    """Everything of the one space; the store is closed whatever happens."""
    store = SqliteStore(house)
    try:
        return seen(store.open(store.spaces()[0]))
    finally:
        store.close()


def doctored(house):
    store = SqliteStore(house)
    try:
        return {drift.what for drift in store.doctor()}
    finally:
        store.close()


def test_a_sound_house_reads_as_it_was_written(sound, house):
    assert looked_at(house) == sound[1]
    assert doctored(house) == set()


@pytest.mark.parametrize("kept", [0, 1, 100, 4096, 20_000, 0.5, 0.9])
def test_a_file_that_was_cut_off_is_damaged(house, kept):
    path = file_of(house)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(Damaged, match="backup"):
        looked_at(house)
    assert doctored(house) & {"does not open", "damaged"}


@pytest.mark.parametrize("garbage", [b"not a database", bytes(50_000), random.Random(1).randbytes(50_000)])
def test_a_file_of_garbage_is_damaged(house, garbage):
    file_of(house).write_bytes(garbage)
    with pytest.raises(Damaged, match="backup"):
        looked_at(house)
    assert doctored(house) == {"does not open"}


def test_a_file_of_another_program_is_no_space(house):
    path = file_of(house)
    path.unlink()
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE notes (text)")
    db.close()
    with pytest.raises(Damaged, match="no space of Holdfast"):
        looked_at(house)


@pytest.mark.parametrize("seed", range(FLIPS))
def test_a_flipped_byte_is_an_error_or_is_found_or_changed_nothing(sound, house, seed):
    chance, path = random.Random(seed), file_of(house)
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    try:
        found = looked_at(house)
    except HoldfastError:
        return
    wrong = {name for name, value in sound[1].items() if value != found[name]}
    # What images are built from can be made again; accesses, weights and jobs are no decisions.
    free = {"batch", "accessed", "embedders", "unembedded", "sequence", "weights", "jobs"}
    if not found["chain"] and {"memories"} == wrong - free:
        told, kept = ([(m.id, m.content, m.version) for m in each["memories"]] for each in (found, sound[1]))
        wrong -= {"memories"} if told == kept else set()
    assert found["chain"] or wrong <= free, f"byte {place}: {wrong} went unnoticed"


def test_a_space_whose_file_is_gone_is_not_made_anew(house):
    file_of(house).unlink()
    with pytest.raises(Damaged, match=r"gone.*backup"):
        looked_at(house)
    assert doctored(house) == {"missing"}


def test_a_space_that_never_got_its_file_gets_it(tmp_path):
    store, samples = SqliteStore(tmp_path), Samples()
    record = store.create(samples.record())
    store.close()
    file_of(tmp_path).unlink()
    again = SqliteStore(tmp_path)
    again.open(record).apply(samples.plan(samples.memory()))
    assert again.doctor() == []
    again.close()


def test_a_file_that_no_space_has_is_an_orphan_and_says_whose_it_was(house):
    store = SqliteStore(house)
    shutil.copy(file_of(house), house / "spaces" / "0000.db")
    (orphan,) = store.doctor()
    assert (orphan.what, orphan.id) == ("orphan", "0000")
    assert "user:alice" in orphan.detail
    store.close()


def test_a_file_in_the_place_of_another_is_found(house):
    store = SqliteStore(house)
    first = file_of(house)
    other = store.create(replace(Samples().record("b"), id="another"))
    shutil.copy(first, house / "spaces" / f"{other.id}.db")
    assert [drift.what for drift in store.doctor()] == ["orphan"]
    store.close()


def test_an_older_copy_of_a_space_is_behind_its_anchor(house):
    path = file_of(house)
    older = path.read_bytes()
    store, samples = SqliteStore(house), Samples(11)
    space = store.open(store.spaces()[0])
    space.apply(samples.plan(samples.memory(), change="later"))
    store.close()
    path.write_bytes(older)
    store = SqliteStore(house)
    (drift,) = store.doctor()
    assert drift.what == "behind"
    (problem,) = store.open(store.spaces()[0]).verify().problems
    assert "cut off: entry 12 is gone" in problem
    store.close()


def test_what_a_dead_process_left_half_made_is_told(house):
    (house / "spaces" / ".x.db.77.abc").write_bytes(b"half")
    assert doctored(house) == {"left over"}


def test_a_damaged_catalog_is_named(house):
    (house / "catalog.db").write_bytes(b"x" * 5000)
    with pytest.raises(Damaged, match=r"catalog\.db"):
        looked_at(house)


@pytest.mark.parametrize("inside", ["", "house", "house/deep"])
def test_a_file_where_the_directory_should_be_is_named(tmp_path, inside):
    (tmp_path / "file").write_text("I am a file")
    with pytest.raises(StoreError, match="file where a directory should be"):
        SqliteStore(tmp_path / "file" / inside)
