"""What is found by which words: both Chinese scripts, English, and what is neither."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.words import asked_words, indexed, only_asks, term_hash, tokens

NOW = datetime(2025, 3, 26, 18, 0, tzinfo=UTC)


def shared(text, query):
    """Whether the query finds the text by its words."""
    return bool(set(indexed(text, said=NOW).terms) & set(asked_words(query, NOW)))


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我把数据库搬到了上海", "数据库"),
        ("我把數據庫搬到了上海", "数据库"),
        ("我把数据库搬到了上海", "數據庫"),
        ("他上個月去了臺北", "台北"),
        ("上海的雨下了一天", "上海"),
        ("She paints lighthouses", "painting a lighthouse"),
        ("We went to the coast", "go"),
        ("The children were tired", "child"),
        ("他用 Ｐｙｔｈｏｎ 写代码", "python 代码"),
        ("Python 代码在仓库里", "代碼"),
        ("料号 RM05-008 到货了", "RM05-008"),
        ("料号 RM05-008 到货了", "rm05"),
        ("料号 RM05-008 到货了", "rm05-0"),
        ("料號 RM05-008 到貨了", "RM05 008"),
        ("电话是 138-0013-8000", "13800138000"),
        ("電話是 138 0013 8000", "138-0013-8000"),
        ("Ring Carol on 07700 900111", "07700900111"),
        ("Ring Carol on 07700 900111", "0111"),
        ("He writes C++ at home", "c++"),
        ("Meet at the café", "café"),
        ("约在 2024年5月7日", "2024-05-07"),
        ("The wedding is on 7 May 2024", "2024年5月7日"),
        ("吃氨氯地平", "氨氯地平"),
    ],
)
def test_a_text_is_found_by(text, query):
    assert shared(text, query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("料号 RM05-008 到货了", "KX77"),
        ("She paints lighthouses", "what did you do"),
        ("我喜欢喝茶", "为什么呢"),
        ("约在 2024年5月7日", "2023-06-08"),
    ],
)
def test_a_text_is_not_found_by(text, query):
    assert not shared(text, query)


def test_an_exact_identifier_outweighs_one_that_begins_like_it():
    words = asked_words("RM05-008", NOW)
    worth = {
        text: sum(weight for term, weight in words.items() if term in indexed(text).terms)
        for text in ("RM05-008 的供应商", "RM05-009 的供应商")
    }
    assert worth["RM05-008 的供应商"] > worth["RM05-009 的供应商"] > 0


def test_days_named_count_from_the_day_they_were_said_on():
    said = datetime(2025, 3, 25, 9, 0, tzinfo=UTC)
    there = set(indexed("明天电梯停运", said=said).terms)
    assert term_hash("~2025-03-26") in there
    assert term_hash("~2025-03-26") in asked_words("今天能坐电梯吗", NOW)


def test_a_birthday_without_a_year_is_found_by_its_day():
    text = indexed("妈妈的生日是4月30号", said=NOW)
    assert term_hash("~04-30") in text.terms
    assert term_hash("~2025-04-30") not in text.terms


def test_a_question_of_question_words_is_asked_as_it_stands():
    assert asked_words("什么", NOW)


def test_what_ends_in_a_question_asks_and_what_is_beside_does_not_count():
    assert only_asks("Did you paint that?")
    assert only_asks("你吃了吗？")
    assert not only_asks("I painted that.")
    assert indexed("Where was it?", beside=("a photo of a harbour",)).asks
    assert not indexed("At the harbour.", beside=("is it?",)).asks


def test_beginnings_of_identifiers_do_not_make_a_text_longer():
    assert indexed("RM05-008").length == len([t for t in tokens("RM05-008") if not t.endswith("*")])


def test_a_term_is_the_same_in_another_process():
    code = "from holdfast.recall.words import term_hash; print(term_hash('数据'), term_hash('paint'))"
    other = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert other.stdout.split() == [str(term_hash("数据")), str(term_hash("paint"))]


def test_many_threads_cut_the_same_words():
    texts = [
        f"The {name} gardens were flooding in nineteen places" for name in ("north", "south", "east")
    ] * 40
    expected = [tokens(text) for text in texts]
    found = {}

    def cut(number):
        found[number] = [tokens(text) for text in texts]

    threads = [Thread(target=cut, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == expected for number in range(8))


@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_nothing_typed_breaks_the_words(text):
    cut = indexed(text, said=NOW)
    assert len(cut.terms) == len(cut.counts) == len(set(cut.terms))
    assert all(0 <= term < 2**32 and count > 0 for term, count in zip(cut.terms, cut.counts, strict=True))
    assert all(weight > 0 for weight in asked_words(text, NOW).values())


@given(st.text(alphabet="RM0589-./: ()+#'*~@%的号上年月日", max_size=30))
def test_what_looks_like_syntax_is_only_text(text):
    indexed(text, said=NOW)
    asked_words(text, NOW)
