"""Files that are open: few at a time, never closed under a call, never shared with a forked child."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.adapters.sqlite import Options
from holdfast.model.plan import Listing
from holdfast.testing.samples import Samples

FORKED = """
import os, sys
from holdfast.adapters.sqlite import SqliteStore
from holdfast.errors import StoreError
from holdfast.testing.samples import Samples

store, samples = SqliteStore(sys.argv[1]), Samples(1)
space = store.open(store.create(samples.record()))
space.apply(samples.plan(samples.memory()))
child = os.fork()
if child == 0:
    try:
        space.count()
    except StoreError as error:
        os._exit(7 if "forked" in str(error) else 8)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
space.apply(samples.plan(samples.memory()))
assert space.verify().ok
store.close()
"""


def open_files(house):
    """Names of the files under a directory that this process has open."""
    names = [os.path.realpath(path) for path in Path("/proc/self/fd").iterdir()]
    return [Path(name).name for name in names if name.startswith(str(house))]


def spaces_of(store, count):
    samples = Samples(1)
    return [store.open(store.create(samples.record(f"space {number:03}"))) for number in range(count)]


@pytest.mark.parametrize("most", [1, 5])
def test_no_more_files_are_open_than_was_said(most, opened, tmp_path):
    store = opened(tmp_path / "house", Options(open_spaces=most))
    samples = Samples(2)
    spaces = spaces_of(store, 20)
    for round_ in range(3):
        for number, space in enumerate(spaces):
            space.apply(samples.plan(samples.memory(content=f"{round_} {number}")))
            assert len({name.split(".")[0] for name in open_files(tmp_path / "house" / "spaces")}) <= most
    assert [len(space.list(Listing())) for space in spaces] == [3] * 20


def test_the_space_used_longest_ago_is_closed_first(opened, tmp_path):
    store = opened(tmp_path / "house", Options(open_spaces=2))
    first, second, third = spaces_of(store, 3)
    for space in (first, second, first, third):
        space.count()
    left = {name.split(".")[0] for name in open_files(tmp_path / "house" / "spaces")}
    assert left == {first.id, third.id}


def test_closing_never_breaks_a_call_under_way(opened, tmp_path):
    store = opened(tmp_path / "house", Options(open_spaces=1, connections=1))
    spaces, samples = spaces_of(store, 4), Samples(3)
    for space in spaces:
        space.apply(samples.plan(*[samples.memory() for _ in range(60)]))

    def work(number):
        for turn in range(40):
            space = spaces[(number + turn) % 4]
            assert len(space.list(Listing(limit=1000))) >= 60
            if number == 0 and turn % 10 == 0:
                store.close()
            if number == 1:
                space.apply(Samples(4).plan(change=f"change {turn}"))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(6)))
    assert all(space.verify().ok for space in spaces)


def test_a_closed_store_opens_again_when_it_is_asked(opened, tmp_path):
    store = opened()
    (space,) = spaces_of(store, 1)
    memory = Samples(5).memory()
    space.apply(Samples(5).plan(memory))
    store.close()
    assert open_files(tmp_path / "house") == []
    assert space.get([memory.id]) == {memory.id: memory}


def test_a_space_that_nobody_holds_is_forgotten_with_its_file(opened, tmp_path):
    store = opened(tmp_path / "house", Options(open_spaces=1))
    for space in spaces_of(store, 3):
        space.count()
    del space
    gc.collect()
    assert len(store._stores) == 1


def test_a_forked_child_is_told_to_open_its_own(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", FORKED, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
