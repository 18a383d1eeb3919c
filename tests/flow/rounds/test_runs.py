"""A run as a whole: planned, done once, recorded, taken back; one runner at a time."""

from __future__ import annotations

import asyncio

import pytest

from holdfast.errors import InvalidInput, NotFound, Unavailable
from holdfast.model.status import Status
from holdfast.rounds.lease import SECONDS, Lease
from rounds.conftest import START, day, state
from rounds.test_time import LONG, kept


@pytest.fixture
def lived(me):
    """A space with something due for several rules."""
    kept(me, LONG["english"], kind="event")
    kept(me, LONG["simplified"], kind="event")
    kept(me, "we talked of boats", layer="session", session="s1")
    kept(me, "the voucher is valid", expires_at=day(20))
    me.forget(kept(me, "a wrong number"), at=START)
    kept(me, "the bicycle is blue", at=day(44))
    return me


@pytest.mark.row("B5")
def test_a_plan_touches_nothing_and_is_what_the_run_then_does(lived):
    before, entries = state(lived), len(lived.ledger(limit=1000))
    plan = lived.steward.plan(at=day(45))
    assert (state(lived), len(lived.ledger(limit=1000))) == (before, entries)
    assert plan.done == {"session: cold": 1, "expire: expire": 1, "compress: summary": 2, "purge: purge": 1}
    done = lived.steward.run(at=day(45))
    assert (done.steps, done.asked) == (plan.steps, plan.asked)
    assert all(step.why for step in done.steps)


@pytest.mark.row("A7")
@pytest.mark.parametrize("at", [45, 90, 200, 400])
def test_twice_gives_what_once_gives(lived, at):
    lived.steward.run(at=day(at))
    before, entries = state(lived), len(lived.ledger(limit=1000))
    again = lived.steward.run(at=day(at))
    assert (again.steps, again.changes, again.run) == ((), (), "")
    assert (state(lived), len(lived.ledger(limit=1000))) == (before, entries)


@pytest.mark.row("B10")
def test_a_whole_run_is_taken_back_but_for_what_was_purged(lived):
    before = state(lived)
    run = lived.steward.run(at=day(45)).run
    outcomes = lived.steward.undo(run, at=day(46))
    gone = {id for id, told in before.items() if told[0] == Status.DELETED}
    assert {id: told for id, told in state(lived).items() if id not in gone} == {
        id: told for id, told in before.items() if id not in gone
    }
    assert [str(out.decision) for out in outcomes].count("refused") == 1
    assert lived.verify().ok
    assert [len(one.undone) for one in lived.steward.log()] == [3]
    assert lived.steward.run(at=day(46)).done == {
        "session: cold": 1,
        "expire: expire": 1,
        "compress: summary": 2,
    }


@pytest.mark.row("B10")
def test_one_step_of_a_run_is_taken_back_alone(lived):
    changes = lived.steward.run(at=day(45), rules=["compress", "session"]).changes
    lived.undo(changes[1], at=day(46))
    assert {told[1] for told in state(lived).values()} == {"full", "archive"}


def test_the_log_tells_what_each_run_did(lived):
    first = lived.steward.run(at=day(45))
    second = lived.steward.run(at=day(400))
    log = lived.steward.log()
    assert [(run.run, run.at, run.memories) for run in log] == [
        (second.run, day(400), len(second.steps)),
        (first.run, day(45), len(first.steps)),
    ]
    assert log[0].done == second.done
    assert log[1].done == {
        "session: cold": 1,
        "expire: expire": 1,
        "compress: summary": 2,
        "purge: purge (user_delete)": 1,
    }
    assert lived.steward.log(limit=1)[0].changes == list(second.changes)
    with pytest.raises(NotFound, match="no run"):
        lived.steward.undo("nothing")


def test_a_rule_nobody_knows_is_refused_by_name(me):
    with pytest.raises(InvalidInput, match=r"rules.*tidy"):
        me.steward.run(rules=["tidy"])


def test_one_runner_at_a_time_and_a_dead_one_loses_its_lease(lived, clock):
    lease = Lease(lived._scope)
    run = lease.__enter__().run  # and its process is gone
    with pytest.raises(Unavailable, match="a steward is at work"):
        lived.steward.run(at=day(45))
    clock.advance(seconds=SECONDS + 1)
    done = lived.steward.run(at=day(45))
    assert (done.run, len(done.steps)) == (run, 5)
    assert lived.jobs() == []


@pytest.mark.row("B5")
def test_a_forecast_tells_the_day_of_everything_and_touches_nothing(lived):
    before = state(lived)
    told = lived.steward.forecast(400, at=START)
    assert state(lived) == before
    days = {(step.what): (entry.at - START).days for entry in told.calendar for step in entry.steps}
    assert days["cold"] == 1
    assert days["expire"] == 20
    assert days["purge"] == 31
    lived.steward.run(at=day(400))
    assert {str(m.level) for m in lived.list(kind="event", status="archived")} == {"archive"}
    assert told.done["compress: archive"] == 2


@pytest.mark.row("B5")
def test_the_curve_of_a_memory_is_its_weight_on_every_day(me):
    id = kept(me, "I like green tea", kind="preference")
    curve = me.steward.curve(id, days=180, at=START)
    assert len(curve) == 181
    assert [round(point.weight, 4) for point in (curve[0], curve[180])] == [1.3, 0.5452]
    assert sorted((point.weight for point in curve), reverse=True) == [point.weight for point in curve]


def test_all_spaces_of_a_house_are_tended_one_after_the_other(house):
    for name in ("user:ada", "user:bo"):
        kept(house.space(name, profile="assistant"), LONG["english"], kind="event")
    planned = house.steward.plan(at=day(31))
    assert [one.space for one in planned] == ["user:ada", "user:bo"]
    assert [one.done for one in house.steward.run(at=day(31))] == [{"compress: summary": 1}] * 2
    assert [one.done for one in house.steward.run(at=day(31))] == [{}] * 2


def test_an_event_loop_waits_for_no_steward(house):
    kept(house.space("user:ada", profile="assistant"), LONG["english"], kind="event")

    async def tended():
        me = await house.aio.space("user:ada")
        planned = await me.steward.plan(at=day(31))
        (done,) = await house.aio.steward.run(at=day(31))
        return planned.done, done.done, (await me.steward.log())[0].done

    assert asyncio.run(tended()) == ({"compress: summary": 1},) * 3
