"""W at a time: its bounds, its fall, who is exempt; one formula for one memory and for whole columns."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.model.layer import Layer
from holdfast.model.status import Mark
from holdfast.profile.load import load
from holdfast.profile.schema import WEIGHT_FORMULAS
from holdfast.steward import formulas
from holdfast.steward.salience import (
    FORMULAS,
    NEVER,
    Traces,
    confidence_now,
    days_since,
    fate,
    heat,
    needs_verification,
    traces,
    weigh,
    weight,
)

from .memories import NOON, days, memory

PERSONAL, COMPANION, CARE, ENTITIES = (load(name) for name in ("personal", "companion", "care", "entities"))

LONG = st.floats(0, 40_000)
MAYBE = st.one_of(st.just(NEVER), LONG)
TRACES = st.builds(
    Traces,
    kind=st.floats(0.1, 10),
    active_days=LONG,
    boost=st.floats(0, 0.5),
    mention_days=MAYBE,
    recent=st.integers(0, 12),
    momentum=st.sampled_from([0.0, 0.2]),
    negated=st.booleans(),
    reaffirmed_days=MAYBE,
    uncertain_days=MAYBE,
    cap=st.one_of(st.just(NEVER), st.floats(0, 2)),
    importance=st.floats(0, 5),
    access_days=LONG,
    episode=st.booleans(),
    protected=st.booleans(),
)


def test_every_formula_a_profile_may_name_is_there():
    assert tuple(FORMULAS) == WEIGHT_FORMULAS


@given(TRACES)
def test_the_weight_stays_within_its_bounds(made):
    value, _ = weigh(made, PERSONAL.salience)
    assert (0.01 if math.isnan(made.cap) else min(0.01, made.cap)) <= value <= 2.0


@given(TRACES, LONG)
def test_the_weight_only_falls_while_nothing_happens(made, more):
    """Time passes for every clock but the one of recovery, which rises."""
    made = replace(made, reaffirmed_days=NEVER)
    later = replace(
        made,
        active_days=made.active_days + more,
        mention_days=made.mention_days + more,
        uncertain_days=made.uncertain_days + more,
        access_days=made.access_days + more,
    )
    for profile in (PERSONAL, COMPANION):
        assert weigh(later, profile.salience)[0] <= weigh(made, profile.salience)[0] * (1 + 1e-12)


@given(st.lists(TRACES, min_size=1, max_size=20))
def test_columns_and_single_memories_weigh_the_same(made):
    columns = Traces(
        **{item.name: np.array([getattr(one, item.name) for one in made]) for item in fields(Traces)}
    )
    for profile in (PERSONAL, COMPANION, CARE):
        together, factors = weigh(columns, profile.salience)
        alone = [weigh(one, profile.salience) for one in made]
        assert np.allclose(together, [value for value, _ in alone], rtol=1e-12, atol=0)
        for name, column in factors.items():
            expected = [found[name] for _, found in alone]
            assert np.allclose(np.broadcast_to(column, len(made)), expected, rtol=1e-9, atol=0)


def test_a_future_date_counts_as_no_days_at_all():
    ahead = memory(at=NOON + days(30), verified_at=NOON + days(5))
    assert traces(ahead, NOON, PERSONAL).active_days == 0.0
    assert confidence_now(ahead, NOON, CARE) == 1.0
    assert days_since(
        np.array([20.0, 0.0]) * formulas.SECONDS_A_DAY, 10 * formulas.SECONDS_A_DAY
    ).tolist() == [0, 10]


def test_the_constitution_never_decays():
    assert weight(memory(layer=Layer.CONSTITUTION), NOON + days(9000), PERSONAL) == (1.0, {})


def test_a_profile_without_a_formula_weighs_everything_alike():
    assert weight(memory(), NOON + days(900), CARE) == (1.0, {})


def test_the_weight_of_a_kept_version_is_capped():
    assert weight(memory(weight_cap=0.2), NOON, PERSONAL)[0] == 0.2


def test_a_kind_the_profile_no_longer_has_weighs_as_the_unsaid_one_does():
    gone = weight(memory("gone"), NOON, PERSONAL)[0]
    assert gone == weight(memory(PERSONAL.default_kind), NOON, PERSONAL)[0]


@pytest.mark.parametrize("marks", [{Mark.CORE}, {Mark.SYSTEM}])
def test_core_and_system_never_fade(marks):
    told = memory(marks=frozenset(marks))
    assert weight(told, NOON + days(3650), COMPANION)[0] == 1.5
    assert fate(told, NOON + days(3650), COMPANION) == "core"


def test_what_was_promoted_or_begins_as_core_never_fades():
    assert fate(memory(promoted_at=NOON), NOON + days(3650), COMPANION) == "core"
    assert fate(memory(importance=3.0), NOON + days(3650), COMPANION) == "core"


def test_a_fading_importance_is_reviewed_and_then_deleted():
    fates = [(count, fate(memory(), NOON + days(count), COMPANION)) for count in (7, 28, 29, 38, 39)]
    assert fates == [(7, "kept"), (28, "kept"), (29, "review"), (38, "review"), (39, "delete")]


def test_an_access_starts_the_days_of_grace_again():
    read = memory(accessed_at=NOON + days(20))
    assert weight(read, NOON + days(27), COMPANION)[0] == 1.5
    assert weight(read, NOON + days(28), COMPANION)[0] == pytest.approx(1.425)


def test_of_an_importance_of_nothing_nothing_is_lost():
    value, factors = weight(memory(importance=0.0), NOON + days(100), COMPANION)
    assert value == 0.0
    assert factors["time_weight"] == 1.0


def test_confidence_fades_from_when_a_person_verified_it_else_from_when_it_was_written():
    told = memory(confidence=0.9)
    assert not needs_verification(told, NOON + days(7), CARE)
    assert needs_verification(told, NOON + days(8), CARE)
    again = replace(told, verified_at=NOON + days(8), confidence=1.0)
    assert not needs_verification(again, NOON + days(17), CARE)
    assert needs_verification(again, NOON + days(18), CARE)


def test_a_mark_set_by_a_person_asks_for_verification_at_once():
    assert needs_verification(memory(marks=frozenset({Mark.NEEDS_VERIFICATION})), NOON, CARE)


def test_the_heat_of_a_memory_counts_from_when_it_was_last_changed():
    used = memory(access_count=50)
    assert heat(used, 0.5, NOON + days(73), profile=ENTITIES) == pytest.approx(0.59)
