"""The published figures, as a table: every formula gives them, on plain numbers and on columns alike."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holdfast.profile.load import load
from holdfast.steward import formulas
from holdfast.steward.formulas import NEVER
from holdfast.steward.salience import Traces, weigh

TABLES = tomllib.loads(Path(__file__).with_name("salience.toml").read_text(encoding="utf-8"))
PERSONAL, COMPANION, CARE, ENTITIES = (load(name) for name in ("personal", "companion", "care", "entities"))


def cases(name):
    table = TABLES[name]
    return [pytest.param(case, id=f"{table['row']}-{case}") for case in table["cases"]]


def columns(name):
    """The cases of a table, turned on their side: one array a column."""
    return [np.array(column) for column in zip(*TABLES[name]["cases"], strict=True)]


def published(value, expected, decimals):
    """Rounded as the document rounds it, the figure is the published one."""
    assert np.array_equal(np.round(value, decimals), np.asarray(expected, float)), (value, expected)


def with_user(factor):
    return replace(PERSONAL.salience, user_factor=factor)


@pytest.mark.parametrize("case", cases("time_weight"))
def test_time_weighs_as_published(case):
    kind, days, factor, expected = case
    published(formulas.time_weight(days, PERSONAL.kinds[kind], with_user(factor)), expected, 4)


@pytest.mark.parametrize("case", [*cases("semantic_boost"), *cases("semantic_boost_of_the_example")])
def test_a_mention_lifts_as_published(case):
    boost, days, expected = case
    decimals = 4 if days == 11 else 2
    published(formulas.semantic_boost(boost, days, PERSONAL.salience), expected, decimals)


@pytest.mark.parametrize("case", cases("conflict_penalty"))
def test_doubt_costs_as_published(case):
    negated, reaffirmed, uncertain, expected = case
    value = formulas.conflict_penalty(negated, reaffirmed, uncertain, salience=PERSONAL.salience)
    published(value, expected, 2)


@pytest.mark.parametrize("case", cases("momentum"))
def test_many_mentions_carry_as_published(case):
    mentions, added, expected = case
    published(formulas.momentum(mentions, added, PERSONAL.salience), expected, 2)


@pytest.mark.parametrize("case", cases("weight"))
def test_the_products_come_out_as_published(case):
    kind, active, mentioned, uncertain, expected, decimals = case
    traces = Traces(
        kind=PERSONAL.kinds[kind],
        active_days=active,
        boost=0.0 if math.isnan(mentioned) else 0.5,
        mention_days=mentioned,
        uncertain_days=uncertain,
    )
    published(weigh(traces, PERSONAL.salience)[0], expected, decimals)


@pytest.mark.parametrize("case", cases("heat"))
def test_heat_comes_out_as_published(case):
    relevance, accesses, days, expected = case
    published(formulas.heat(relevance, accesses, days, recall=ENTITIES.recall), expected, 4)


@pytest.mark.parametrize("case", cases("importance"))
def test_importance_fades_as_published(case):
    start, days, episode, protected, expected = case
    value = formulas.importance(start, days, episode, protected=protected, salience=COMPANION.salience)
    published(value, expected, 4)


@pytest.mark.parametrize("case", cases("confidence"))
def test_confidence_fades_as_published(case):
    original, days, expected, needed = case
    value = formulas.confidence(original, days, CARE.salience)
    published(value, expected, 4)
    assert (value < CARE.salience.verify_below) is needed


def test_whole_columns_give_the_same_figures():
    boost, days, expected = columns("semantic_boost")
    published(formulas.semantic_boost(boost, days, PERSONAL.salience), expected, 2)
    negated, reaffirmed, uncertain, expected = columns("conflict_penalty")
    published(
        formulas.conflict_penalty(negated.astype(bool), reaffirmed, uncertain, salience=PERSONAL.salience),
        expected,
        2,
    )
    mentions, added, expected = columns("momentum")
    published(formulas.momentum(mentions, added, PERSONAL.salience), expected, 2)
    relevance, accesses, days, expected = columns("heat")
    published(formulas.heat(relevance, accesses, days, recall=ENTITIES.recall), expected, 4)
    start, days, episode, protected, expected = columns("importance")
    value = formulas.importance(
        start, days, episode.astype(bool), protected=protected.astype(bool), salience=COMPANION.salience
    )
    published(value, expected, 4)


def test_what_did_not_happen_weighs_nothing():
    plain = weigh(Traces(kind=1.0), PERSONAL.salience)[0]
    assert plain == 1.0
    assert weigh(Traces(kind=1.0, cap=NEVER, mention_days=NEVER), PERSONAL.salience)[0] == plain
