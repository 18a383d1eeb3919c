"""What a question is taken to ask."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.intent import ASIDE, MOST_CLAUSES, read_question, split_clauses, voice

NOW = datetime(2025, 3, 26, 18, 0, tzinfo=UTC)


def only(text, speakers=()):
    (clause,) = read_question(text, NOW, speakers).clauses
    return clause


def test_a_plain_question_is_one_clause_of_full_weight():
    for text in ("吃什么药", "女兒電話", "where did I leave my keys?", "Is Dr. Smith in?"):
        assert split_clauses(text) == ((text, 1.0),)


def test_parts_of_a_compound_question_are_asked_apart():
    parts = split_clauses("我的上司叫什么？另外，表妹的生日是哪天？")
    assert [weight for _, weight in parts] == [1.0, 1.0]


def test_chatter_beside_a_question_is_an_aside():
    parts = dict(split_clauses("今天天气真好。我的電話是多少？"))
    assert parts == {"今天天气真好。": ASIDE, "我的電話是多少？": 1.0}
    parts = dict(split_clauses("Lovely weather today. What is my number?"))
    assert parts == {"Lovely weather today.": ASIDE, "What is my number?": 1.0}


def test_of_many_clauses_the_questions_stay():
    text = "好。" + "".join(f"说了第{n}件事情。" for n in range(9)) + "那么钥匙在哪？"
    kept = split_clauses(text)
    assert len(kept) == MOST_CLAUSES
    assert kept[-1] == ("那么钥匙在哪？", 1.0)


def test_a_speaker_is_spoken_of_in_the_first_person():
    assert voice("Where does Ada's dog sleep?", ("Ada", "Bo")) == ("Where does my dog sleep?", {"Ada"})
    assert voice("Did ada meet Bo?", ("Ada", "Bo")) == ("Did I meet I?", {"Ada", "Bo"})
    assert voice("小林昨天去哪了", ("小林",)) == ("我昨天去哪了", {"小林"})
    assert voice("Canada is cold", ("Ada",)) == ("Canada is cold", frozenset())
    assert voice("what did the user say", ("user",)) == ("what did the user say", frozenset())
    assert voice("What does Ada eat?", ("Ada Stone",)) == ("What does I eat?", {"Ada Stone"})


@pytest.mark.parametrize(
    "text",
    [
        *("今天去哪了", "誰來過", "昨天晚上跟谁通话了", "上次聊了什么", "前天吃了什么"),
        *("where did I go today", "who has been round to see me", "what did we talk about last night"),
    ],
)
def test_what_happened_lately_is_recounted(text):
    clause = only(text)
    assert clause.recounts
    assert not clause.kinds


@pytest.mark.parametrize(
    "text", ["喜欢吃什么", "老朋友", "以前住哪裡", "what did I do for a living", "my old friend"]
)
def test_what_lasts_is_not_recounted(text):
    assert not only(text).recounts


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *[
            ("喜欢吃什么", "preference"),
            ("喜歡吃什麼", "preference"),
            ("what does she like to eat", "preference"),
        ],
        *[("医生说", "medical"), ("醫生說", "medical"), ("what did the doctor say", "medical")],
        *[
            ("老朋友", "relation"),
            ("my old friend", "relation"),
            ("以前住哪", "place"),
            ("where are my keys", "place"),
        ],
        *[("什么时候复查", "event"), ("when is the next appointment", "event")],
    ],
)
def test_a_question_leans_to_the_kinds_that_answer_it(text, kind):
    kinds = only(text).kinds
    assert kinds[kind] == max(kinds.values()) == 1.0


def test_the_ten_queries_of_the_care_design_are_read_alike_in_both_scripts():
    simplified = ("喜欢吃什么", "以前住哪", "医生说", "不能吃", "什么时候", "谁来过")
    traditional = ("喜歡吃什麼", "以前住哪", "醫生說", "不能吃", "什麼時候", "誰來過")
    for one, other in zip(simplified, traditional, strict=True):
        a, b = only(one), only(other)
        assert (a.words, a.concepts, a.kinds, a.recounts) == (b.words, b.concepts, b.kinds, b.recounts)


@given(st.text(alphabet=st.characters(codec=None), max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_nothing_typed_breaks_a_question(text, speakers):
    question = read_question(text, NOW, tuple(speakers))
    assert 1 <= len(question.clauses) <= MOST_CLAUSES
    assert len(question.texts) == len(question.clauses)


def test_what_is_embedded_is_the_same_in_both_scripts():
    one, other = only("我的眼镜放在哪里"), only("我的眼鏡放在哪裡")
    assert one.voiced == other.voiced
    assert only("眼鏡はどこですか").voiced == "眼鏡はどこですか"
    assert only("Where are my Glasses").voiced == "Where are my Glasses"
