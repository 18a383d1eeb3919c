"""The parts the relation is judged by: text, numbers, persons, polarity, slots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.judge.rules.numbers import values
from holdfast.judge.rules.persons import persons
from holdfast.judge.rules.polarity import clause_signs
from holdfast.judge.rules.slots import told
from holdfast.judge.rules.statement import read
from holdfast.judge.rules.text import (
    LIMIT,
    clauses,
    fold,
    fold_aligned,
    language,
    sentences,
    stem,
    words,
)


def test_both_scripts_and_widths_fold_to_one():
    assert fold("我女兒在墨爾本念大學") == fold("我女儿在墨尔本念大学")
    assert fold("ＲＭ０５－００８") == "rm05-008"
    assert fold("妳穿著") == "你穿着"


@given(st.text(max_size=200))
def test_a_folded_span_is_found_again_in_the_text(text):
    folded = fold_aligned(text)
    assert len(folded.starts) == len(folded.text) + 1
    for place in range(len(folded.text)):
        start, end = folded.span(place, place + 1)
        assert 0 <= start < end <= len(text)
    assert "\0" not in folded.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我們用 Redis 存資料", "zh-Hant"),
        ("我们用 Redis 存数据", "zh-Hans"),
        ("I live in Oslo", "en"),
        ("", "en"),
        ("住在北京", "zh-Hans"),
    ],
)
def test_the_language_of_a_text(text, expected):
    assert language(text) == expected


def test_sentences_end_where_they_end_and_not_at_titles_and_figures():
    assert sentences("Dr. Amin called. It costs 3.50 now!") == ["Dr. Amin called.", "It costs 3.50 now!"]
    assert sentences("我走了。你呢？好") == ["我走了。", "你呢？", "好"]
    assert clauses("烟，我戒了：去年8:30") == ["烟，", "我戒了：", "去年8:30"]


def test_words_of_both_languages():
    assert [word.text for word in words("我妈用 Redis 6.2 存资料")] == [
        "我",
        "妈",
        "用",
        "redis",
        "6.2",
        "存",
        "资料",
    ]
    assert stem("moving") == stem("moved")
    assert len(words("a " * LIMIT)) <= LIMIT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("三百二十卷", "320 卷"),
        ("两千五百元", "2,500 元"),
        ("周三", "Wednesday"),
        ("5月1号", "1 May"),
        ("五月一日", "the 1st of May"),
        ("下午三点", "3 pm"),
        ("晚上八点半", "20:30"),
        ("four hundred boxes", "400 boxes"),
        ("twenty-five", "25"),
        ("禮拜五", "星期五"),
        ("07700 900111", "07700900111"),
    ],
)
def test_one_value_is_equal_however_it_is_written(one, other):
    assert values(one)[0].equals(values(other)[0])


def test_identifiers_are_read_whole_and_words_without_number_are_not_numbers():
    assert [value.norm for value in values("RM05-008 和 PCB-31A")] == ["rm05-008", "pcb-31a"]
    assert values("一直一起等一下，万一") == ()
    assert values("I may go") == ()


def test_values_rival_only_within_their_sort_and_unit():
    five, ten = values("5 mg")[0], values("10 mg")[0]
    assert five.rivals(ten)
    assert not five.rivals(values("2 tablets")[0])
    assert not values("5月")[0].rivals(values("5月3日")[0])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("妈妈退休了", "My mother retired", True),
        ("外婆在家", "奶奶在家", False),
        ("用户怕狗", "我怕狗", True),
        ("阿嬤喜歡花", "奶奶喜欢花", True),
        ("我大女儿来了", "我小女儿来了", False),
        ("我姐夫戒烟", "我妹夫戒烟", False),
        ("王经理出差", "黄经理出差", False),
        ("My father-in-law is here", "My father is here", False),
    ],
)
def test_whom_a_statement_is_about(one, other, same):
    a, b = read(one).subject, read(other).subject
    assert a is not None
    assert b is not None
    assert a.may_be(b) is same


def test_the_owned_person_is_the_subject():
    assert "son" in read("阿满姨的儿子搬家了").subject.kinds
    assert "sister_elder" in read("Mum's sister moved").subject.kinds
    assert persons("天气不错") == ()


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("我不喝酒", True),
        ("我沒去過", True),
        ("I don't drink", True),
        ("我从不忘记锁门", False),
        ("我没有一天不跑步", False),
        ("I never miss a class", False),
        ("味道不错", False),
        ("我喝酒", False),
    ],
)
def test_two_negations_make_a_yes(text, denied):
    assert any(sign.denied for sign in clause_signs(text)) is denied


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我住在台南", "residence"),
        ("The deadline is 3 June", "deadline"),
        ("媽媽的生日是九月二號", "birthday"),
        ("RM05-008 单价 12 元", "price"),
        ("支付模块由小赵负责", "owner"),
        ("我对芒果过敏", "allergy"),
        ("我上个月结婚了", "marriage"),
        ("My favourite colour is teal", "favourite"),
    ],
)
def test_the_slots_a_statement_speaks_of(text, slot):
    assert slot in told(text)
