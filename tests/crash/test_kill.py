"""A writer killed in the middle: what it said is written is there, whole, and the chain holds."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from holdfast.testing.stores.trial import EVERYTHING


def promised(process):
    """What a writer printed before it was killed; a line that was cut short promises nothing."""
    out, _ = process.communicate(timeout=60)
    lines = [line.split() for line in out.split("\n")[:-1]]
    return {words[0]: int(words[1]) for words in lines if words[0] != "ready"}


def killed_after(process, seconds):
    assert process.stdout.readline().startswith("ready")
    time.sleep(seconds)
    process.kill()
    return promised(process)


@pytest.mark.parametrize(("mode", "rounds"), [("lone", 6), ("bulk", 4), ("purge", 4)])
def test_what_a_killed_writer_promised_is_there_and_nothing_is_half(mode, rounds, writers, opened, tmp_path):
    house, chance, promises = tmp_path / "house", random.Random(mode), {}
    for _ in range(rounds):
        promises |= killed_after(writers.start(house, mode), chance.uniform(0.05, 0.5))
    assert promises
    space = (store := opened(house)).open(store.spaces()[0])
    memories = space.list(EVERYTHING)
    found = Counter(memory.session for memory in memories)
    assert {change: found[change] for change in promises} == promises
    assert set(found.values()) == set(promises.values())
    assert {capture.id for capture in space.captures(limit=100_000)} == set(found)
    batch = space.batch(0, "e")
    shown = {memory.id for memory in memories if memory.content}
    assert shown <= set(batch.ids)
    assert list(batch.vectors) == [b"v" * 64] * len(batch.ids)
    if mode == "purge":
        bare = Counter(memory.session for memory in memories if not memory.content)
        assert {change: bare[change] for change in promises} == dict.fromkeys(promises, 1)
    assert space.verify().problems == ()
    assert [drift for drift in store.doctor() if drift.what != "left over"] == []


def test_a_house_whose_makers_are_killed_can_always_be_made(writers, opened, tmp_path):
    house, chance = tmp_path / "house", random.Random(5)
    for number in range(8):
        process = writers.start(house, "lone", name=f"space {number}")
        time.sleep(chance.uniform(0.1, 0.35))
        process.kill()
        process.communicate()
    store = opened(house)
    for record in store.spaces():
        assert store.open(record).verify().problems == ()
    assert {drift.what for drift in store.doctor()} <= {"left over"}
