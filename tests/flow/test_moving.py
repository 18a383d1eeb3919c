"""Moving house: a space arrives whole in the other house, with its past and its proof, or not at all."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, InvalidInput, moving
from holdfast.errors import StaleWrite
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

SMALL = Settings(embedder=EmbedderSettings(name="hashing", dimensions=32))
SAID = ("我每天早上喝咖啡", "奶奶的藥在左邊的抽屜", "Alice lives in Berlin", "the spare key is under the pot")


def opened(where, clock):
    return Holdfast(where, Own(settings=SMALL, clock=clock))


def lived(hf, name="user:alice"):
    """A space with a past: edits, something forgotten, something purged, something captured."""
    me = hf.space(name, profile="assistant")
    kept = [me.remember(said).memory for said in SAID]
    me.revise(kept[2].id, content="Alice lives in Munich")
    me.forget(kept[3].id)
    me.capture("原始输出")
    me.remember("我的保险箱密码是 blauer-Elefant-77", label="保险箱")
    me.recall("Alice")
    return me


@pytest.fixture(params=["directory to postgres", "postgres to directory"])
def houses(request, place):
    first, _, second = request.param.partition(" to ")
    clock = ManualClock()
    with opened(place(first), clock) as home, opened(place(second), clock) as there:
        yield home, there


@pytest.mark.row("P5")
@pytest.mark.row("B3")
def test_a_space_arrives_with_versions_ledger_and_chain(houses):
    home, there = houses
    lived(home)
    heard = []
    (moved,) = moving.move(home, there, told=lambda space, done, of: heard.append((space, done, of)))
    assert (moved.memories, moved.captures, moved.carried) == (5, 1, True)
    assert heard[-1] == ("user:alice", heard[-1][2], heard[-1][2])
    before, after = home.space("user:alice"), there.space("user:alice")
    assert there.verify("user:alice") == home.verify("user:alice")
    assert there.verify("user:alice").entries == moved.entries
    assert after.list(limit=100) == before.list(limit=100)
    (alice,) = [memory for memory in after.list() if "Munich" in memory.content]
    assert [version.content for version in after.history(alice.id)] == [SAID[2], "Alice lives in Munich"]
    for asked in ("Where does Alice live?", "早上喝什么", "奶奶的藥"):
        told = [[hit.memory.id for hit in me.recall(asked)] for me in (before, after)]
        assert told[0] == told[1]
    assert [capture.content for capture in after.captures()] == ["原始输出"]
    (sealed,) = [memory for memory in after.list() if memory.sealed]
    assert "blauer-Elefant-77" in after.open(sealed.id).content
    assert there.doctor() == []
    out = after.remember("Alice has a cat")
    assert there.verify("user:alice").ok
    assert out.memory.id not in {memory.id for memory in before.list()}


def test_a_move_that_was_stopped_goes_on_with_what_is_missing(houses):
    home, there = houses
    for name in ("project:甲", "project:乙", "project:c"):
        lived(home, name)
    key = home.keys.create("kitchen", role="agent", spaces=["project:甲"])

    class StoppedError(Exception):
        pass

    def stop(space, _done, _of):
        if space == "project:乙":
            raise StoppedError

    with pytest.raises(StoppedError):
        moving.move(home, there, told=stop)
    moved = moving.move(home, there)
    assert {one.space for one in moved} == {"project:甲", "project:乙", "project:c"}
    assert {one.carried for one in moved} >= {True}
    assert there.keys.holder(key.token) == key.key
    again = moving.move(home, there)
    assert [one.carried for one in again] == [False] * 3
    assert [one.digest for one in again] == [one.digest for one in moved]


def test_what_is_written_meanwhile_is_not_left_behind(houses, monkeypatch):
    home, there = houses
    me = lived(home)
    monkeypatch.setattr(moving, "STEP", 1)
    written = []

    def write_once(_space, _done, _of):
        if not written:
            written.append(me.remember("said while the boxes were carried").memory.id)

    moving.move(home, there, told=write_once)
    assert there.space("user:alice").get(written[0]).content == "said while the boxes were carried"


def test_a_space_that_is_written_to_all_the_time_is_not_moved(houses, monkeypatch):
    home, there = houses
    me = lived(home)
    monkeypatch.setattr(moving, "STEP", 1)
    with pytest.raises(StaleWrite, match="pause its writers"):
        moving.move(home, there, told=lambda *_: me.remember("again"))
    assert there.spaces() == []


def test_another_space_of_that_name_is_not_touched(houses):
    home, there = houses
    lived(home)
    there.space("user:alice", profile="assistant").remember("another Alice")
    with pytest.raises(InvalidInput, match="another 'user:alice'"):
        moving.move(home, there)
    assert [memory.content for memory in there.space("user:alice").list()] == ["another Alice"]
