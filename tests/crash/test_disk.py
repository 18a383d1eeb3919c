"""A disk that is full, a directory that may not be written: named, and nothing half written."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.adapters.sqlite import SqliteStore
from holdfast.errors import StoreError
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import EVERYTHING, seen

# No file may grow past a limit, which is as good as a full disk and needs no rights. Writes until it is met.
FILLER = """
import resource, signal, sys
from holdfast.adapters.sqlite import SqliteStore
from holdfast.errors import StoreError
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import seen

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store, samples = SqliteStore(sys.argv[1]), Samples(1)
space = store.open(store.create(samples.record()))
size, hard = int(sys.argv[2]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
for number in range(10_000):
    memories = [samples.memory(content="满" * 3000) for _ in range(int(sys.argv[3]))]
    try:
        space.apply(samples.plan(*memories))
    except StoreError as error:
        told = str(error)
        break
    sys.stdout.write("".join(memory.id + "\\n" for memory in memories))
sys.stderr.write(told)
before = seen(space)
try:
    space.apply(samples.plan(*[samples.memory(content="满" * 30_000) for _ in range(40)]))
except StoreError:
    assert seen(space) == before
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
memory = samples.memory(content="有地方了")
space.apply(samples.plan(memory))
sys.stdout.write(memory.id + "\\n")
store.close()
"""


@pytest.mark.row("B1")
def test_a_house_on_a_read_only_mount_is_read_and_not_written(tmp_path, monkeypatch):
    with Holdfast(tmp_path) as hf:
        hf.space("u", profile="assistant").remember("我喜欢喝茶，I take tea")
    before = sorted(tmp_path.rglob("*"))
    mounted = os.statvfs(tmp_path)
    flags = os.statvfs_result((*mounted[:8], mounted.f_flag | os.ST_RDONLY, mounted.f_namemax))
    monkeypatch.setattr(os, "statvfs", lambda path: flags)
    with Holdfast(tmp_path) as hf:
        me = hf.space("u")
        assert [hit.memory.content for hit in me.recall("tea 茶")] == ["我喜欢喝茶，I take tea"]
        assert "tea" in me.context("tea").text
        assert hf.verify("u").ok
        with pytest.raises(StoreError, match=r"may not be written; .* mount it for writing"):
            me.remember("I take coffee now")
        assert len(me.list()) == 1
    assert sorted(tmp_path.rglob("*")) == before
    (tmp_path / "catalog.db-wal").write_bytes(b"something written last")
    with pytest.raises(StoreError, match="copy the whole directory"), Holdfast(tmp_path) as hf:
        hf.spaces()


@pytest.mark.parametrize(("size", "many"), [(600_000, 1), (1_500_000, 7), (3_000_000, 100)])
def test_a_full_disk_is_named_and_what_was_written_before_and_after_is_there(size, many, tmp_path):
    command = [sys.executable, "-c", FILLER, str(tmp_path), str(size), str(many)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "nothing was written" in ran.stderr
    store = SqliteStore(tmp_path)
    space = store.open(store.spaces()[0])
    assert [memory.id for memory in space.list(EVERYTHING)] == ran.stdout.split()
    assert space.verify().problems == ()
    assert store.doctor() == []
    store.close()


@contextmanager
def nobody():
    """Someone without rights over files: `nobody` where the tests run as root, else whoever runs them."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def closed_house():
    """A house in a directory that everybody may enter and nobody may write to."""
    with tempfile.TemporaryDirectory() as name:
        top, house = Path(name), Path(name) / "house"
        store, samples = SqliteStore(house), Samples(1)
        space = store.open(store.create(samples.record()))
        space.apply(samples.plan(samples.memory()))
        everything = seen(space)
        store.close()
        for path in (*house.rglob("*"), house):
            path.chmod(0o555 if path.is_dir() else 0o444)
        top.chmod(0o755)
        yield house, everything
        for path in (house, *house.rglob("*")):
            path.chmod(0o755)


def test_a_house_that_may_not_be_written_says_so(closed_house):
    house, everything = closed_house
    with nobody():
        with pytest.raises(StoreError, match=r"may not be written|cannot be opened"):
            write_to(house)
        with pytest.raises(StoreError, match=r"may not be written|cannot be opened"):
            SqliteStore(house / "new")
    store = SqliteStore(house)
    assert seen(store.open(store.spaces()[0])) == everything
    store.close()


def test_a_file_that_may_not_be_written_can_be_read_and_says_so_when_written(closed_house):
    house, everything = closed_house
    for path in (house, *house.rglob("*")):
        if path.is_dir():
            path.chmod(0o777)
    (file,) = (house / "spaces").glob("*.db")
    (house / "catalog.db").chmod(0o666)
    with nobody():
        store = SqliteStore(house)
        space = store.open(store.spaces()[0])
        with pytest.raises(StoreError, match=f"{file.name} may not be written"):
            space.apply(Samples(2).plan(change="new"))
        assert seen(space)["memories"] == everything["memories"]
        store.close()


def write_to(house):
    store = SqliteStore(house)
    try:
        store.open(store.spaces()[0]).apply(Samples(2).plan(change="new"))
    finally:
        store.close()
