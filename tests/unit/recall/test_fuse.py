"""The arms put together: who comes first, under any filter, with and without vectors, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.recall.blend import Blend
from holdfast.recall.columns import joined_postings, no_postings

from .rows import NOW, Row, asked, columns_of, vector_of

HOME = (
    Row("妈妈爱喝龙井茶", kind="preference"),
    Row("老花镜放在床头柜的抽屉里", kind="place"),
    Row("张医生说血压有点高", kind="medical"),
    Row("她的表妹在苏州教书", kind="relation"),
    Row("Her walking stick hangs on the banister", kind="place"),
    Row("The boiler was serviced in June", kind="event"),
    Row("She sings alto in the chapel choir", kind="preference"),
    Row("RM05-008 来自宁波的厂家", kind="fact"),
    Row("RM05-009 来自温州的厂家", kind="fact"),
)
VECTORS_ALONE = Blend(
    words=0, vectors=1, concepts=0, coverage=0, speaker=0, time=0, kind=0, recounted=0, unasked=0, asks=0,
    length=0, feedback=0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("龙井茶", 0),
        ("龍井茶", 0),
        ("我的眼镜呢", 1),
        ("我的眼鏡呢", 1),
        ("where are my glasses", 1),
        ("医生怎么说", 2),
        ("醫生怎麼說", 2),
        ("谁在当老师", 3),
        ("where is her cane", 4),
        ("the heating", 5),
        ("does she do any music", 6),
        ("RM05-008", 7),
        ("rm05-009 的供应商", 8),
    ],
)
def test_the_answer_comes_first_by_words_and_concepts_alone(query, answer):
    assert asked(HOME, query, sighted=False)[0][0] == answer


def test_words_and_vectors_together_find_what_is_said_exactly():
    for number, row in enumerate(HOME):
        assert asked(HOME, row.text)[0][0] == number


def test_a_traditional_question_is_answered_in_the_same_order():
    for one, other in (("她爱喝什么茶", "她愛喝什麼茶"), ("血压高吗", "血壓高嗎")):
        assert asked(HOME, one, sighted=False)[0] == asked(HOME, other, sighted=False)[0]


def test_what_was_said_beside_the_words_is_found_in_a_session():
    talk = [
        Row("Shall we speak of the harbour regatta", session=0, speaker="Ada"),
        Row("My cousin steered it and came second", session=0, speaker="Bo"),
        Row("The soup is still too hot", session=1, speaker="Ada"),
        Row("The bread is not done", session=1, speaker="Bo"),
    ]
    rows, _ = asked(talk, "harbour regatta", sighted=False)
    assert rows[:2] == [0, 1]
    alone = [replace(row, session=-1) for row in talk]
    _, scores = asked(alone, "harbour regatta", sighted=False)
    assert (scores.coverage[scores.rows > 0] == 0).all()


def test_the_speaker_who_is_named_comes_first():
    talk = [Row("I repaired the kayak", session=n, speaker=name) for n, name in enumerate(("Ada", "Bo"))]
    assert asked(talk, "What did Bo repair?")[0][0] == 1
    assert asked(talk, "What did Ada repair?")[0][0] == 0


def test_a_named_time_brings_what_happened_then():
    diary = [
        Row(f"Walked the dog past gate {n}", at=NOW - timedelta(days=n), layer="episode") for n in range(1, 9)
    ]
    assert asked(diary, "昨天做了什么")[0][0] == 0
    assert asked(diary, "what did she do three days ago")[0][0] == 2


def test_days_are_told_by_summaries_and_lasting_things_by_facts():
    rows = [
        Row("早饭后去河边走了一圈", at=NOW - timedelta(hours=8), layer="episode"),
        Row("她每天早饭后去河边走一圈", layer="fact"),
    ]
    assert asked(rows, "今天去哪了")[0][0] == 0
    assert asked(rows, "她平时去河边吗")[0][0] == 1


def test_a_question_in_the_memory_answers_less_than_a_statement():
    rows = [Row("Did the parcel from Oslo come?"), Row("The parcel from Oslo came.")]
    assert asked(rows, "parcel from Oslo")[0][0] == 1


def test_each_part_of_a_compound_question_finds_its_own():
    rows, _ = asked(HOME, "老花镜在哪里？另外，谁在苏州教书？")
    assert set(rows[:2]) == {1, 3}


def test_a_bridge_leads_from_what_is_named_to_what_is_asked():
    people = [
        Row(text)
        for text in ("林晓波今年四十岁", "林晓波养蜂", "周建国养鸟", "陈美丽开花店", "何大勇今年六十岁")
    ]
    rows, scores = asked(people, "四十岁的人养什么", sighted=False)
    assert rows[0] == 0
    assert rows.index(1) < rows.index(2)
    assert scores.arms["feedback"][rows.index(1)] > scores.arms["feedback"][rows.index(2)]


def test_words_not_settled_yet_count_like_the_others():
    for query in ("龙井茶", "RM05-009", "where are my glasses"):
        settled, one = asked(HOME, query, blend=Blend(feedback=0))
        tailed, other = asked(HOME, query, tail=4, blend=Blend(feedback=0))
        assert settled == tailed
        assert np.allclose(one.score, other.score, atol=1e-5)


def test_joining_the_tail_changes_nothing():
    tailed, settled = columns_of(HOME, tail=4), columns_of(HOME)
    joined = joined_postings(tailed.postings, tailed.tail)
    assert all(
        np.array_equal(getattr(joined, n), getattr(settled.postings, n)) for n in ("terms", "rows", "counts")
    )


def test_without_a_vector_of_the_question_words_answer():
    rows, scores = asked(HOME, "龙井茶", sighted=False)
    assert rows[0] == 0
    assert not scores.similarity.any()
    assert not scores.arms["vectors"].any()


def test_a_row_whose_vector_is_late_is_found_by_its_words():
    columns = columns_of(HOME)
    columns.vectors[0], columns.has_vector[0] = 0, False
    assert asked(columns, "龙井茶")[0][0] == 0
    columns.vectors[:], columns.has_vector[:] = 0, False
    assert asked(columns, "龙井茶")[0][0] == 0


def test_an_empty_space_answers_nothing():
    for query in ("钥匙在哪？", "", "？", "where? when?"):
        rows, scores = asked([], query)
        assert rows == []
        assert set(scores.arms) >= {"words", "vectors", "concepts"}


def test_where_nothing_is_allowed_nothing_is_found():
    assert asked(HOME, "龙井茶", allowed=np.zeros(len(HOME), np.bool_))[0] == []


def test_what_is_not_allowed_lends_nothing():
    talk = [Row("harbour regatta", session=0), Row("my cousin steered", session=0), Row("soup", session=1)]
    allowed = np.array([False, True, True])
    _, scores = asked(talk, "harbour regatta", allowed=allowed)
    assert not scores.coverage.any()
    assert 0 not in scores.rows


def test_the_arms_add_up_to_the_score():
    _, scores = asked(HOME, "老花镜在哪里")
    assert np.allclose(sum(scores.arms.values()), scores.score, atol=1e-4)


def test_the_shares_of_words_and_vectors_are_the_profile_s():
    _, even = asked(HOME, "老花镜在抽屉里吗")
    _, care = asked(HOME, "老花镜在抽屉里吗", blend=Blend(words=0.3, vectors=0.7))
    even_by_row, care_by_row = (
        dict(zip(s.rows.tolist(), s.arms["words"], strict=True)) for s in (even, care)
    )
    assert care_by_row[1] == pytest.approx(0.6 * even_by_row[1], rel=1e-4)


def test_what_every_row_has_alike_adds_nothing():
    _, scores = asked([replace(row, kind="medical") for row in HOME], "医生说什么")
    assert not scores.arms["kind"].any()


def test_a_large_space_gives_the_same_winner_as_an_exact_look_at_all_of_it():
    names = ("amber", "birch", "cedar", "dune", "ember", "fjord", "grove")
    rows = [
        Row(f"{names[n % 7]} {names[n // 7 % 7]} box{n:04} on shelf s{n % 89}", session=n // 12)
        for n in range(5000)
    ]
    columns = columns_of(rows)
    for number in (17, 2044, 4999):
        query = f"where is box{number:04} on shelf s{number % 89}"
        rough = asked(columns, query)[0]
        exact = asked(columns, query, blend=Blend(all_rows=10_000))[0]
        assert rough[0] == exact[0] == number
        assert set(exact[:10]) <= set(rough)


@settings(max_examples=60)
@given(st.data())
def test_vectors_alone_give_the_order_of_a_full_scan_under_any_filter(data):
    texts = data.draw(
        st.lists(st.text(alphabet="abcdef茶水山 ", min_size=1, max_size=9), min_size=1, max_size=12)
    )
    columns = columns_of(texts)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))), np.bool_)
    query = data.draw(st.sampled_from(["abc", "茶水", "fed山", "zzz"]))
    rows, scores = asked(columns, query, allowed=allowed, blend=VECTORS_ALONE)
    assert sorted(rows) == np.flatnonzero(allowed).tolist()
    cosines = columns.vectors @ vector_of(query)
    found = cosines[[row for row in rows if columns.has_vector[row]]]
    assert (np.diff(found) <= 1e-4).all()
    assert np.allclose(scores.similarity, cosines[scores.rows], atol=1e-6)


@settings(max_examples=60)
@given(st.text(alphabet=st.characters(codec=None), max_size=60), st.integers(0, len(HOME)))
def test_nothing_typed_breaks_the_arms(query, tail):
    rows, scores = asked(HOME, query, tail=tail)
    assert sorted(rows) == list(range(len(HOME)))
    assert np.isfinite(scores.score).all()
    assert (np.diff(scores.score) <= 0).all()


def test_no_postings_are_no_postings():
    assert len(no_postings().terms) == len(no_postings().rows) == 0
