"""Rankings by name, steps of the fallback: tables of figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from holdfast.profile import load as profiles
from holdfast.profile.schema import Recall
from holdfast.recall import record
from holdfast.recall.gather import LEAST, relevance_of
from holdfast.recall.rank import RANKINGS, Candidates, best_first, ranked
from holdfast.recall.steps import step

from .conftest import NOW

DAY = timedelta(days=1)


def candidates(room, *memories, relevance=None, similarity=None, told=None, exact=None, kind=1.1):
    count = len(memories)
    number = lambda given, unsaid: np.array([unsaid] * count if given is None else given, np.float64)
    return Candidates(
        rows=np.arange(count),
        relevance=number(relevance, 0.5),
        similarity=number(similarity, 0.5),
        told=np.array([False] * count if told is None else told),
        exact=np.array([False] * count if exact is None else exact),
        records=record.unpack([record.pack(memory) for memory in memories]),
        kind=number(None, kind),
        at=np.array([record.seconds(memory.created_at) for memory in memories]),
        accesses=np.array([memory.access_count for memory in memories]),
        accessed=np.array([record.seconds(memory.accessed_at) for memory in memories]),
    )


def scores(room, ranking, *memories, profile="assistant", **more):
    policy = profiles.load(profile)
    policy = replace(policy, recall=replace(policy.recall, **more.pop("recall", {})))
    return ranked(candidates(room, *memories, **more), record.seconds(NOW), policy, ranking=ranking)


def test_there_is_a_ranking_for_every_name():
    from holdfast.profile.schema import RANKINGS as NAMES

    assert set(RANKINGS) == set(NAMES)


@pytest.mark.parametrize(
    ("accesses", "days", "relevance", "expected"),
    [
        (0, 0, 1.0, 0.4 + 0.3),
        (50, 0, 0.5, 0.2 + 0.15 + 0.3),
        (100, 365, 0.0, 0.3),
        (250, 730, 0.0, 0.3),
        (10, 73, 0.8, 0.32 + 0.03 + 0.24),
    ],
)
def test_heat_is_the_published_sum(room, accesses, days, relevance, expected):
    memory = room.memory(access_count=accesses, at=NOW - days * DAY)
    found = scores(room, "heat", memory, profile="entities", relevance=[relevance])
    assert found.score[0] == pytest.approx(expected)
    told = found.factors_of(0)
    assert told["relevance"] == relevance
    assert told["heat"] == min(accesses / 100, 1)
    assert told["freshness"] == pytest.approx(max(0, 1 - days / 365))


def test_fading_reorders_what_is_as_relevant_and_no_more(room):
    fresh, faded = room.memory(at=NOW), room.memory(at=NOW - 700 * DAY)
    alike = scores(room, "relevance", faded, fresh, relevance=[0.50, 0.50])
    assert alike.score[1] > alike.score[0]
    apart = scores(room, "relevance", faded, fresh, relevance=[0.60, 0.50])
    assert apart.score[0] > apart.score[1]
    assert apart.score[0] >= 0.9 * 0.6


def test_the_weight_decides_more_where_the_profile_says_so(room):
    fresh, faded = room.memory(at=NOW), room.memory(at=NOW - 700 * DAY)
    found = scores(room, "weight", faded, fresh, profile="personal", relevance=[0.60, 0.55])
    assert found.score[1] > found.score[0]
    assert found.factors_of(0)["time_weight"] < found.factors_of(1)["time_weight"] == 1.0


def test_recently_verified_comes_first(room):
    never, long_ago, lately = (
        room.memory(),
        room.memory(verified_at=NOW - 60 * DAY),
        room.memory(verified_at=NOW),
    )
    found = scores(room, "verified", never, long_ago, lately, profile="care")
    assert found.score[2] > found.score[1] > found.score[0] == 0.5
    assert found.score[2] == pytest.approx(0.6)


def test_importance_leads_where_the_profile_ranks_by_it(room):
    low, core = room.memory(importance=0.5), room.memory(importance=3.0)
    found = scores(room, "importance", low, core, profile="companion", relevance=[0.6, 0.5])
    assert found.score[1] > found.score[0]


def test_equal_scores_fall_to_the_newer_and_then_by_id(room):
    old, new, twin = room.memory(at=NOW - DAY), room.memory(at=NOW), room.memory(at=NOW)
    found = scores(room, "relevance", old, twin, new, recall={"salience": 0.0})
    assert best_first(found, ["a", "c", "b"]).tolist() == [2, 1, 0]


def test_relevance_keeps_the_order_of_the_arms_and_never_ends():
    raw = np.array([-30, -8, -0.5, 0, 0.5, 8, 25, 60], np.float32)
    scale = relevance_of(raw)
    assert (np.diff(scale) > 0).all()
    assert scale[0] > 0
    assert scale[3] == LEAST
    assert scale[-1] < 1


LAYERED = Recall(fallback="layered", min_similarity=0.6)


@pytest.mark.parametrize(
    ("similarity", "told", "exact", "name", "kept", "latest"),
    [
        ([0.9, 0.7, 0.6, 0.5], [0, 0, 0, 1], [0] * 4, "vectors", [1, 1, 1, 0], 0),
        ([0.7, 0.7, 0.6, 0.5], [0, 0, 0, 1], [0] * 4, "words", [1, 1, 1, 1], 0),
        ([0.9, 0.7, 0.5, 0.5], [0, 0, 0, 1], [0] * 4, "words", [1, 1, 0, 1], 0),
        ([0.9, 0.5, 0.5, 0.5], [0, 0, 0, 0], [0] * 4, "latest", [1, 0, 0, 0], 3),
        ([0.5, 0.5, 0.5, 0.5], [0, 0, 0, 0], [0] * 4, "latest", [0, 0, 0, 0], 3),
        ([0.9, 0.7, 0.5, 0.5], [0, 0, 0, 1], [0, 0, 1, 0], "vectors", [1, 1, 1, 0], 0),
        ([-1.0, -1.0, -1.0, -1.0], [1, 1, 0, 0], [0] * 4, "words", [1, 1, 0, 0], 0),
    ],
)
@pytest.mark.row("M11")
def test_the_fallback_goes_down_the_published_steps(room, similarity, told, exact, name, kept, latest):
    found = candidates(
        room,
        *(room.memory() for _ in similarity),
        relevance=[0.2] * 4,
        similarity=similarity,
        told=np.array(told, bool),
        exact=np.array(exact, bool),
    )
    taken = step(found, np.ones(4, bool), LAYERED)
    assert (taken.name, taken.kept.astype(int).tolist(), taken.latest) == (name, kept, latest)


@pytest.mark.parametrize(
    ("similarity", "told", "name", "kept"),
    [
        ([0.9, 0.7, 0.6, 0.5], [0, 0, 0, 1], "vectors", [1, 1, 1, 0]),
        ([0.4, 0.2, 0.2, 0.2], [0, 1, 0, 1], "words", [1, 1, 0, 1]),
        ([0.4, 0.2, 0.2, 0.2], [0, 1, 0, 0], "latest", [1, 1, 0, 0]),
        ([0.4, 0.2, 0.2, 0.2], [0, 0, 0, 0], "latest", [1, 0, 0, 0]),
    ],
)
def test_what_stands_out_by_all_arms_comes_along_and_changes_no_step(room, similarity, told, name, kept):
    found = candidates(
        room,
        *(room.memory() for _ in similarity),
        relevance=[0.5, 0.3, 0.3, 0.3],
        similarity=similarity,
        told=np.array(told, bool),
    )
    taken = step(found, np.ones(4, bool), LAYERED)
    assert (taken.name, taken.kept.astype(int).tolist()) == (name, kept)


def test_what_other_thresholds_hide_counts_for_no_step(room):
    found = candidates(room, *(room.memory() for _ in range(4)), similarity=[0.9, 0.8, 0.7, 0.65])
    taken = step(found, np.array([True, True, False, False]), LAYERED)
    assert (taken.name, taken.kept.tolist()) == ("words", [True, True, False, False])


def test_without_a_fallback_every_arm_counts_at_once(room):
    found = candidates(room, room.memory(), room.memory(), similarity=[0.0, -1.0])
    assert step(found, np.ones(2, bool), Recall()).kept.tolist() == [True, False]
