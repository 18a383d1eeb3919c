"""Concepts tie words together that share no letter, in either script and language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.concepts import concepts, traits, with_broader
from holdfast.recall.lexicon import load

NOW = datetime(2025, 3, 26, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other", "concept"),
    [
        ("老花镜在抽屉里", "where are my specs", "glasses"),
        ("老花鏡在抽屜裡", "眼镜呢", "glasses"),
        ("她血压有点高", "her blood pressure", "blood_pressure"),
        ("电梯停运", "elevator maintenance", "lift"),
        ("he lost his temper", "他忽然发脾气", "anger"),
        ("we were childhood mates", "老朋友", "friend"),
        ("數據庫", "the database", "database"),
    ],
)
def test_two_wordings_touch_the_same_concept(one, other, concept):
    assert concept in concepts(one)
    assert concept in concepts(other)


def test_the_longest_wording_counts_alone():
    assert "medicine" in concepts("该吃药了")
    assert "eating" not in concepts("该吃药了")


def test_a_concept_belongs_to_a_broader_one():
    assert "eating" in with_broader(concepts("she adores soup"))
    assert with_broader(()) == ()


def test_what_a_text_offers_to_a_form_of_question():
    assert "dated" in traits("复查约在下月16号上午九点", NOW)
    assert "dated" in traits("The minibus comes at half past eleven", NOW)
    assert "numbered" in traits("打 138-0013-8000", NOW)
    assert "past" in traits("1975年搬进这间房子", NOW)
    assert traits("她爱喝茶", NOW) == ()


def test_every_concept_a_question_leads_from_exists():
    known = {name for names in load().concepts.values() for name in names} | {"when"}
    assert set(load().kinds) <= known
    assert set(load().broader) <= known
    assert {wide for names in load().broader.values() for wide in names} <= known


@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_nothing_typed_breaks_the_concepts(text):
    assert len(set(concepts(text))) == len(concepts(text))
    traits(text, NOW)
