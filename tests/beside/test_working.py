"""Redis beside the truth: the newest of working memory, for every process, for a day."""

from __future__ import annotations

import pytest
import redis as client

from holdfast.settings import WorkingSettings

LONG = "Step {} of the migration went through; the table of orders has its new column"


@pytest.fixture
def asking(redis):
    """Looks at the server past everything of ours."""
    told = client.Redis.from_url(redis.url, decode_responses=True)
    yield told
    told.close()


def fill(me, clock, count, *, first=0):
    for number in range(first, first + count):
        clock.advance(seconds=30)
        me.remember(LONG.format(number), layer="session", confidence=0.9)


def hot(answer):
    return [hit.memory.content for hit in answer.hits if hit.hot]


@pytest.mark.row("P3")
@pytest.mark.row("P6")
def test_one_setting_keeps_working_memory_in_redis_trimmed_and_for_a_day(
    truth, opened, working, asking, clock
):
    house = opened(truth, working=working)
    me = house.space("project:ledger", profile="team")
    fill(me, clock, 53)
    key = f"holdfast:{{{house.spaces()[0].id}}}:working"
    assert asking.type(key) == "list"
    assert asking.llen(key) == 50
    assert LONG.format(52) in asking.lindex(key, 0)
    assert 86_000 < asking.ttl(key) <= 86_400
    answer = me.recall("the migration of orders")
    assert hot(answer) == [LONG.format(number) for number in range(52, 42, -1)]
    assert {(hit.score, hit.label) for hit in answer.hits if hit.hot} == {(1.0, "⚡️ temporary context")}
    assert answer.degraded == ()


@pytest.mark.row("P3")
def test_the_same_is_hot_with_redis_and_without(tmp_path, opened, working, clock):
    beside, alone = (opened(tmp_path / "house", working=working), opened(tmp_path / "house"))
    me = beside.space("project:ledger", profile="team")
    fill(me, clock, 12)
    me.forget(me.recall("step").hits[2].memory.id)
    me.remember("The orders table is owned by the billing group, as agreed with them", confidence=1.0)
    for question in ("the migration of orders", "订单表的迁移", "訂單表的遷移"):
        one, other = me.recall(question), alone.space("project:ledger").recall(question)
        assert [hit.memory.id for hit in one.hits] == [hit.memory.id for hit in other.hits]
        assert len(hot(one)) == 10


@pytest.mark.row("P7")
def test_no_project_sees_the_working_memory_of_another(truth, opened, working, clock):
    house = opened(truth, working=working)
    mine, theirs = (house.space(name, profile="team") for name in ("project:one", "project:two"))
    fill(mine, clock, 3)
    fill(theirs, clock, 3, first=100)
    assert hot(mine.recall("migration")) == [LONG.format(number) for number in (2, 1, 0)]
    assert hot(theirs.recall("migration")) == [LONG.format(number) for number in (102, 101, 100)]


def test_what_redis_was_not_told_the_truth_shows(tmp_path, opened, working, clock):
    """Another process writes without Redis: the copy is behind, and is not asked further."""
    beside, alone = (opened(tmp_path / "house", working=working), opened(tmp_path / "house"))
    me = beside.space("project:ledger", profile="team")
    fill(me, clock, 2)
    fill(alone.space("project:ledger"), clock, 1, first=7)
    assert hot(me.recall("migration"))[0] == LONG.format(7)


@pytest.mark.row("P3")
def test_without_its_server_the_truth_holds_working_memory_and_says_so(tmp_path, opened, mortal_redis, clock):
    house = opened(tmp_path, working=WorkingSettings(name="redis", url=mortal_redis.url))
    me = house.space("project:ledger", profile="team")
    fill(me, clock, 3)
    mortal_redis.kill()
    fill(me, clock, 2, first=3)
    answer = me.recall("migration")
    assert hot(answer) == [LONG.format(number) for number in (4, 3, 2, 1, 0)]
    assert any("working memory is the truth's own: redis" in told for told in answer.degraded)
    mortal_redis.start()
    clock.advance(seconds=15)
    house.work()
    answer = me.recall("migration")
    assert (hot(answer), answer.degraded) == ([LONG.format(n) for n in (4, 3, 2, 1, 0)], ())
    fill(me, clock, 1, first=5)
    assert hot(me.recall("migration"))[0] == LONG.format(5)


def test_a_secret_leaves_no_words_in_redis(truth, opened, working, asking, clock):
    house = opened(truth, working=working)
    me = house.space("user:alice", profile="assistant")
    fill(me, clock, 1)
    me.remember("The password of the safe is hunter2-Ax9", label="safe", sensitivity=3, layer="session")
    found = asking.lrange(f"holdfast:{{{house.spaces()[0].id}}}:working", 0, -1)
    assert LONG.format(0) in str(found)
    assert "hunter2" not in str(found)
