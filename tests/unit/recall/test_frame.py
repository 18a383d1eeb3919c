"""Who sees what: modes, statuses, levels, marks, deadlines and filters, as masks over a frame."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from holdfast.model.layer import Layer, Level, Mode
from holdfast.model.status import HIDDEN_MARKS, LEVELS, RECALLED, Mark, Status
from holdfast.recall import record
from holdfast.recall.exact import exactly_named
from holdfast.recall.frame import Sieve

from .conftest import NOW

HOUR = timedelta(hours=1)


def seen(frame, mode=Mode.NORMAL, *, now=NOW, layers=("fact", "episode", "session"), **more):
    sieve = Sieve(
        mode=mode,
        layers=frozenset(layers),
        now=record.seconds(now),
        session_from=record.seconds(now - 24 * HOUR),
        **more,
    )
    return {frame.ids[row] for row in np.flatnonzero(frame.allowed(sieve))}


@pytest.mark.parametrize("mode", Mode)
def test_a_mode_sees_the_statuses_levels_and_marks_of_its_table(room, mode):
    every = [
        room.memory(f"{status} {level} {mark}", status=status, level=level, marks=frozenset({mark}))
        for status in Status
        for level in Level
        for mark in Mark
    ]
    room.put(*every, vectors=False)
    expected = {
        m.id
        for m in every
        if m.status in RECALLED[mode] and m.level in LEVELS[mode] and not m.marks & HIDDEN_MARKS[mode]
    }
    assert seen(room.image.frame, mode) == expected


def test_normal_recall_never_sees_what_waits_or_was_turned_away(room):
    room.put(room.memory(status=Status.PENDING), room.memory(status=Status.REJECTED))
    frame = room.image.frame
    assert seen(frame) == seen(frame, Mode.REVIEW) == set()
    assert len(seen(frame, Mode.DEBUG)) == 2


def test_what_has_run_out_of_time_is_out_of_normal_recall_at_that_moment(room):
    (fact,) = room.put(room.memory(expires_at=NOW))
    frame = room.image.frame
    assert seen(frame, now=NOW - HOUR) == {fact.id}
    assert seen(frame, now=NOW) == set()
    assert seen(frame, Mode.REVIEW, now=NOW + HOUR) == {fact.id}


def test_working_memory_ends_with_its_hours_and_facts_do_not(room):
    old = NOW - 30 * HOUR
    turn, fact = room.put(room.memory(layer=Layer.SESSION, at=old), room.memory(at=old))
    frame = room.image.frame
    assert seen(frame) == {fact.id}
    assert seen(frame, now=NOW - 10 * HOUR) == {turn.id, fact.id}
    assert seen(frame, Mode.REVIEW) == {turn.id, fact.id}


def test_filters_narrow_what_a_query_sees(room):
    one, two, three = room.put(
        room.memory(kind="preference", session="a", confidence=0.5),
        room.memory(kind="event", entity_type="part_number", entity_value="RM05-008", confidence=0.9),
        room.memory(kind="event", layer=Layer.EPISODE, session="a", confidence=0.7),
    )
    frame = room.image.frame
    assert seen(frame, kinds=frozenset({"event"})) == {two.id, three.id}
    assert seen(frame, session="a") == {one.id, three.id}
    assert seen(frame, session="b") == set()
    assert seen(frame, entity_type="Part_Number") == {two.id}
    assert seen(frame, entities=True) == {two.id}
    assert seen(frame, min_confidence=0.7) == {two.id, three.id}
    assert seen(frame, layers=["episode"]) == {three.id}
    assert seen(frame, layers=["constitution", "quarantine"]) == set()


@pytest.mark.parametrize(
    "query",
    ["谁供应 RM05-008？", "ＲＭ05-008在哪", "who makes rm05-008?", "料號：RM05-008。"],
)
def test_an_identifier_that_a_question_says_is_found_exactly(room, query):
    room.put(
        room.memory("a", entity_type="part_number", entity_value="RM05-008"),
        room.memory("b", entity_type="part_number", entity_value="RM05-009"),
    )
    assert exactly_named(room.image.frame, query).tolist() == [0]


@pytest.mark.parametrize("query", ["氨氯地平怎么吃", "氨氯地平怎麼吃", "妈妈的氨氯地平呢"])
def test_a_drug_within_a_chinese_question_is_found_exactly(room, query):
    room.put(room.memory("a", entity_type="drug", entity_value="氨氯地平"), room.memory("b"))
    assert exactly_named(room.image.frame, query).tolist() == [0]


def test_a_name_of_several_words_is_found_exactly(room):
    room.put(room.memory("a", entity_type="person", entity_value="Ann Example Smith"))
    assert exactly_named(room.image.frame, "where does Ann Example Smith live").tolist() == [0]
    assert exactly_named(room.image.frame, "where does Ann live").tolist() == []


def test_without_entities_nothing_is_looked_for(room):
    room.put(room.memory("a"))
    assert exactly_named(room.image.frame, "a").tolist() == []
