"""A question is checked where it comes in; the language of an answer is that of the question."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import InvalidInput
from holdfast.model.layer import Mode
from holdfast.profile import load as profiles
from holdfast.recall.language import Language, language_of, spoken
from holdfast.recall.question import question

ASSISTANT = profiles.load("assistant")


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("query", {"query": ""}),
        ("query", {"query": "  \n"}),
        ("query", {"query": 7}),
        ("query", {"query": "a\0b"}),
        ("query", {"query": "\ud800"}),
        ("query", {"query": "x" * 20_001}),
        ("limit", {"limit": 0}),
        ("limit", {"limit": 1001}),
        ("limit", {"limit": True}),
        ("limit", {"limit": "5"}),
        ("mode", {"mode": "all"}),
        ("layers", {"layers": "quarantine"}),
        ("layers", {"layers": ["fact", "constitution"]}),
        ("layers", {"layers": ["facts"]}),
        ("layers", {"layers": 3}),
        ("kinds", {"kinds": "gossip"}),
        ("min_confidence", {"min_confidence": 1.2}),
        ("min_confidence", {"min_confidence": float("nan")}),
        ("at", {"at": datetime(2026, 1, 1)}),  # noqa: DTZ001
        ("at", {"at": "yesterday"}),
        ("as_of", {"as_of": datetime(1969, 1, 1, tzinfo=UTC)}),
        ("language", {"language": "fr"}),
        ("entity_type", {"entity_type": 5}),
        ("session", {"session": "\0"}),
        ("colour", {"colour": "red"}),
    ],
)
def test_bad_input_is_named(field, told):
    query = told.pop("query", "coffee")
    with pytest.raises(InvalidInput) as error:
        question(query, told, ASSISTANT)
    assert error.value.field == field
    assert error.value.way_out


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=50))
def test_any_text_that_says_something_is_a_question(text):
    if text.strip():
        assert question(text, {}, ASSISTANT).query == text


def test_what_is_unsaid_is_the_profiles():
    asked = question("coffee", {"limit": None}, profiles.load("entities"))
    assert (asked.limit, asked.mode, asked.min_confidence, asked.ranking) == (5, Mode.NORMAL, 0.7, "heat")
    assert asked.layers == {"fact", "episode", "session"}


def test_a_time_keeps_the_zone_it_was_asked_in():
    asked = question("昨天", {"at": "2026-03-01T01:00+08:00"}, ASSISTANT)
    assert asked.at.utcoffset() == timedelta(hours=8)
    assert asked.at == datetime(2026, 2, 28, 17, tzinfo=UTC)


def test_working_memory_comes_only_where_it_may():
    team = profiles.load("team")
    assert question("x", {}, team).hot == 10
    assert question("x", {"mode": "review"}, team).hot == 0
    assert question("x", {"layers": "fact"}, team).hot == 0
    assert question("x", {"layers": ["fact", "session"]}, team).hot == 10


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("早上喝什么", Language.SIMPLIFIED),
        ("早上喝什麼", Language.TRADITIONAL),
        ("她住在臺北嗎 Taipei", Language.TRADITIONAL),
        ("一日三餐", Language.SIMPLIFIED),
        ("what for breakfast", Language.ENGLISH),
        ("Python 代码", Language.SIMPLIFIED),
        ("13800138000", Language.TRADITIONAL),
    ],
)
def test_the_language_is_that_of_the_question(text, language):
    assert language_of(text, "zh-Hant") is language


def test_a_wording_falls_back_on_what_there_is():
    assert spoken({"zh": "已验证", "en": "verified"}, Language.TRADITIONAL) == "已验证"
    assert spoken({"en": "verified"}, Language.SIMPLIFIED) == "verified"
    assert spoken({"fr": "vérifié"}, Language.ENGLISH) == "vérifié"
    assert spoken({}, Language.ENGLISH) == ""
