"""What is said of one person neither repeats, replaces nor takes back what is known of another."""

from __future__ import annotations

from itertools import permutations

import pytest

from holdfast.judge.rules.relation import relation
from holdfast.ports.judge import Relation

JOINS = {Relation.DUPLICATE, Relation.REFINES, Relation.NEGATES, Relation.CORRECTS}
RETIRES = {Relation.NEGATES, Relation.CORRECTS}

ZH = {
    "known": ["{}住在北京", "{}喜欢喝咖啡", "{}的电话是13800138000", "{}在银行上班", "{}开一辆丰田"],
    "news": [
        "{}搬到上海了",
        "{}不喜欢咖啡了",
        "{}的电话换成13900139000了",
        "{}换工作了，现在在学校教书",
        "{}换车了，现在开比亚迪",
    ],
    "persons": ["我", "我女儿", "王芳", "我妈妈"],
}
HANT = {
    "known": ["{}住在北京", "{}喜歡喝咖啡", "{}的電話是13800138000", "{}在銀行上班"],
    "news": ["{}搬到上海了", "{}不喜歡咖啡了", "{}的電話換成13900139000了", "{}換工作了，現在在學校教書"],
    "persons": ["我", "我女兒", "小雨", "我媽媽"],
}
EN = {
    "known": [
        "{} used to live in Leeds and still lives there",
        "{} likes coffee",
        "{} works at the bank",
        "{} drives a Volvo",
    ],
    "news": [
        "{} moved to Bath",
        "{} no longer likes coffee",
        "{} started a new job, now works at a school",
        "{} bought a new car, drives a Fiat now",
    ],
    "persons": ["The user", "My daughter", "Tom", "My sister Ann"],
}


def _of_two(book):
    for known, news in zip(book["known"], book["news"], strict=True):
        for one, other in permutations(book["persons"], 2):
            yield known.format(one), news.format(other)


@pytest.mark.parametrize("similarity", [None, 0.7])
@pytest.mark.parametrize("book", [ZH, HANT, EN], ids=["simplified", "traditional", "English"])
def test_news_of_one_person_leaves_what_is_known_of_another(book, similarity):
    wrong = [pair for pair in _of_two(book) if relation(*pair, similarity).label in JOINS]
    assert not wrong


@pytest.mark.parametrize("similarity", [None, 0.8])
@pytest.mark.parametrize("book", [ZH, HANT, EN], ids=["simplified", "traditional", "English"])
def test_the_same_of_two_persons_is_said_of_each(book, similarity):
    said = [
        (known.format(one), known.format(other))
        for known in book["known"]
        for one, other in permutations(book["persons"], 2)
    ]
    assert not [pair for pair in said if relation(*pair, similarity).label in JOINS]


@pytest.mark.parametrize("book", [ZH, HANT, EN], ids=["simplified", "traditional", "English"])
def test_news_of_the_same_person_still_replaces_what_was_known(book):
    for known, news in list(zip(book["known"], book["news"], strict=True))[1:]:
        for person in book["persons"]:
            pair = known.format(person), news.format(person)
            assert relation(*pair).label in RETIRES, pair


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Beijing", "My friend Tom has moved to Bath"),
        ("My daughter Lily lives in Leeds", "我搬到上海浦东新区了"),
        ("我搬到上海浦东新区了", "Lily has moved to Bath"),
        ("我女兒小雨住在蘇州", "I moved to Bristol"),
        ("我住在北京", "她搬到上海了"),
        ("I live in Leeds", "He moved to Bath"),
        ("我住在北京", "今年小雨搬到上海了"),
        ("I live in Leeds", "Last month Lily moved to Bath"),
    ],
)
def test_whoever_it_is_and_in_whichever_language(old, new):
    assert relation(old, new, 0.7).label not in JOINS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Nora lives in Ely", "She has moved to Hull"),
        ("Nora is allergic to soya", "He isn't allergic to soya"),
        ("小王住在北京", "她搬到上海了"),
        ("小王對蝦過敏", "他對蝦不過敏了"),
    ],
)
def test_he_or_she_is_nobody_with_a_name(old, new):
    assert relation(old, new).label not in JOINS
    assert relation(old, new, 0.8).label not in JOINS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("小王负责网关", "小李接手了网关"),
        ("项目经理是老周", "项目经理换成了吴姐"),
        ("會議紀要由小秦寫", "會議紀要以後由小葛寫"),
        ("My daughter Lily lives in Leeds", "Lily has moved to Bath"),
        ("我女儿小雨住在苏州", "小雨搬到无锡了"),
        ("My son wants to be a pilot", "My son no longer wants to be a pilot, he told me"),
    ],
)
def test_what_is_handed_on_and_who_is_called_by_name_are_followed(old, new):
    assert relation(old, new, 0.7).label in RETIRES
