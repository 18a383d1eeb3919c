"""What a mention changes: clocks, counts, the boost; three in a day are one decision (E2, E4, E6, E7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.model.memory import RECENT_KEPT
from holdfast.model.status import Mark
from holdfast.profile.load import load
from holdfast.steward.salience import (
    Action,
    boosted,
    importance_now,
    mentioned,
    on_mention,
    weight,
    weight_change,
)

from .memories import NOON, days, hours, memory

PERSONAL = load("personal")


def after(*times, of=None):
    """A memory mentioned at these hours after it was written."""
    told = of or memory()
    for hour in times:
        told = mentioned(told, NOON + hours(hour), PERSONAL)
    return told


def factors(told, at):
    return weight(told, at, PERSONAL)[1]


def test_a_mention_moves_the_active_clock_and_nothing_moves_the_created_one():
    told = mentioned(memory(), NOON + days(14), PERSONAL)
    assert told.created_at == NOON
    assert told.last_activated_at == told.updated_at == told.mentioned_at == NOON + days(14)
    assert told.mentions == 2


def test_before_its_first_mention_nothing_is_lifted_and_afterwards_it_is():
    assert factors(memory(), NOON)["semantic_boost"] == 1.0
    told = mentioned(memory(), NOON + days(2), PERSONAL)
    assert factors(told, NOON + days(2))["semantic_boost"] == 1.5
    assert factors(told, NOON + days(9))["semantic_boost"] == pytest.approx(1.35, abs=0.005)


def test_three_sayings_within_a_day_are_one_merge_with_a_smaller_boost():
    once = after(1)
    assert on_mention(memory(), NOON + hours(1), PERSONAL) is Action.REINFORCE
    assert on_mention(once, NOON + hours(2), PERSONAL) is Action.MERGE
    told = mentioned(once, NOON + hours(2), PERSONAL)
    assert told.boost == 0.3
    assert told.momentum == 0.2
    assert told.mentions == 3


def test_the_added_momentum_lasts_as_long_as_three_sayings_lie_within_a_day():
    told = after(1, 2)
    plain = factors(replace(told, momentum_until=None), NOON + hours(23))["momentum"]
    assert factors(told, NOON + hours(23))["momentum"] == pytest.approx(plain + 0.2)
    assert factors(told, NOON + hours(25))["momentum"] == pytest.approx(plain)


def test_two_sayings_a_day_apart_are_not_frequent():
    assert on_mention(after(25), NOON + hours(50), PERSONAL) is Action.REINFORCE
    assert after(25, 50).boost == 0.5


def test_mentions_count_towards_momentum_for_three_days():
    told = after(24, 72)
    at = NOON + hours(72)
    assert factors(told, at)["momentum"] == pytest.approx(1 + 0.3 * (1 - 2.718281828**-1.0), abs=1e-6)
    assert factors(told, at + days(3) + hours(1))["momentum"] == 1.0


def test_a_mention_told_late_counts_and_turns_no_clock_back():
    told = after(48)
    late = mentioned(told, NOON + hours(12), PERSONAL)
    assert late.mentioned_at == late.last_activated_at == NOON + hours(48)
    assert late.mentions == 3
    assert late.recent_mentions == (NOON + hours(12), NOON + hours(48))
    assert late.boost == told.boost


def test_only_the_newest_mentions_are_kept():
    told = after(*range(1, 40))
    assert len(told.recent_mentions) == RECENT_KEPT
    assert told.recent_mentions[-1] == NOON + hours(39)
    assert told.mentions == 40


def test_the_weight_log_reads_as_the_documents_example():
    """Last active 102 days and 9 hours ago; that it was mentioned 11 days ago becomes known today."""
    before = memory(at=NOON - days(102) - hours(9))
    line = weight_change(
        before,
        mentioned(before, NOON - days(11), PERSONAL),
        NOON,
        reason="用户提及，语义强化",
        profile=PERSONAL,
    )
    assert line.old_weight == 0.7273
    assert line.new_weight == 1.5443
    assert round(line.delta, 4) == 0.8170
    assert line.reason == "用户提及，语义强化"
    assert line.factors == {
        "time_weight": 0.9220,
        "semantic_boost": 1.2885,
        "conflict_penalty": 1.0,
        "importance": 1.3,
        "momentum": 1.0,
    }


def test_importance_grows_by_a_boost_from_where_it_has_faded_to():
    companion = load("companion")
    at = NOON + days(17)
    told = memory(importance=2.0)
    grown = boosted(told, at, companion)
    assert grown.importance == pytest.approx(2.0 * 0.95**10 + 0.3)
    assert importance_now(grown, at + days(7), companion) == pytest.approx(grown.importance)


STEPS = st.lists(st.integers(0, 60 * 24 * 5), min_size=1, max_size=25)


@given(
    kind=st.sampled_from(sorted(PERSONAL.kinds)),
    steps=STEPS,
    factor=st.floats(0.1, 10),
    negated=st.booleans(),
    frequent_boost=st.floats(0, 0.5),
    frequent_momentum=st.floats(0, 0.5),
)
def test_a_mention_never_lowers_the_weight(kind, steps, factor, negated, frequent_boost, frequent_momentum):
    """Minutes between mentions at random; also where a profile makes frequent ones worth little."""
    salience = replace(
        PERSONAL.salience,
        user_factor=factor,
        frequent_boost=frequent_boost,
        frequent_momentum=frequent_momentum,
        weight_max=100.0,
    )
    profile = replace(PERSONAL, salience=salience)
    told = memory(kind, marks=frozenset({Mark.NEGATED}) if negated else frozenset())
    at = NOON
    for step in steps:
        at += timedelta(minutes=step)
        before = weight(told, at, profile)[0]
        told = mentioned(told, at, profile)
        assert weight(told, at, profile)[0] >= before * (1 - 1e-12)


@given(late=st.integers(0, 60 * 24 * 30), steps=STEPS)
def test_a_mention_told_late_never_lowers_it_either(late, steps):
    told, at = memory(), NOON
    for step in steps:
        at += timedelta(minutes=step)
        told = mentioned(told, at, PERSONAL)
    again = mentioned(told, max(NOON, at - timedelta(minutes=late)), PERSONAL)
    assert weight(again, at, PERSONAL)[0] >= weight(told, at, PERSONAL)[0] * (1 - 1e-12)
