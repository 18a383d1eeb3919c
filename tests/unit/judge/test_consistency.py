"""Whether a text contradicts itself or what is known."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.judge.rules.consistency import consistent


@pytest.mark.parametrize(
    "text",
    [
        "我对花生过敏。我对花生不过敏。",
        "我住在北京，我住在上海",
        "他会游泳，他不会游泳",
        "專案用 MySQL。專案不用 MySQL。",
        "截止日期是五月一号，截止日期是五月三号",
        "I'm allergic to nuts. I'm not allergic to nuts.",
        "The deadline is Monday. The deadline is Friday.",
        "Mum lives in Leeds. Mum doesn't live in Leeds.",
    ],
)
def test_a_text_that_contradicts_itself_does_not_hold_and_says_where(text):
    found = consistent(text)
    assert not found.holds
    assert found.score < 0.5
    assert " / " in found.reasons[-1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "我叫王强，今年七十岁，住在南京，喜欢下棋。",
        "我以前住在北京，现在住在上海",
        "我喜欢咖啡。我不喜欢咖啡了。",
        "我喜欢咖啡，不喜欢茶",
        "女儿的电话是 13800138000，儿子的电话是 13900139000",
        "我對花生過敏，我媽對花生不過敏",
        "早上的藥飯前吃，晚上的藥飯後吃",
        "I used to smoke but I quit.",
        "I like tea. I like coffee. I don't like cocoa.",
        "Backups run at two. Health checks run at four.",
    ],
)
def test_a_text_that_tells_a_change_or_two_things_holds(text):
    assert consistent(text).holds


@pytest.mark.parametrize(
    ("text", "known", "holds"),
    [
        ("我不喝酒", "我每天喝酒", False),
        ("我搬到上海了", "我住在北京", False),
        ("我已經不吃素了", "我吃素", False),
        ("I've moved to Lincoln", "I live in Norwich", False),
        ("今天天气不错", "我住在北京", True),
        ("我喜歡狗", "我喜歡貓", True),
        ("I like dogs", "I like cats", True),
    ],
)
def test_what_takes_back_what_is_known_does_not_hold(text, known, holds):
    assert consistent(text, [known]).holds is holds


@given(st.text(max_size=80), st.lists(st.text(max_size=30), max_size=3))
@settings(max_examples=100, deadline=None)
def test_any_text_is_judged(text, known):
    found = consistent(text, known)
    assert 0 <= found.score <= 1
    assert found.holds or found.reasons
