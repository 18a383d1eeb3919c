"""Negation, correction, doubt and coming back (E3, E8, E11), and what the matrix makes of a memory (E21)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.model.layer import Layer, Level
from holdfast.model.status import Mark, Status
from holdfast.profile.load import load
from holdfast.steward.salience import (
    Action,
    balanced,
    correct,
    negate,
    next_level,
    on_batch,
    on_correction,
    on_mention,
    on_negation,
    on_time,
    reaffirm,
    to_verify,
    version_kept,
    weight,
)

from .memories import NOON, days, memory

PERSONAL, CARE, ASSISTANT = load("personal"), load("care"), load("assistant")


def penalty(told, at):
    return round(weight(told, at, PERSONAL)[1]["conflict_penalty"], 2)


def test_a_negation_drops_at_once_stays_and_refreshes_no_clock():
    told = negate(memory(), NOON + days(5), PERSONAL, content="我不喜欢咖啡了", by="user:ada")
    assert Mark.NEGATED in told.marks
    assert told.last_activated_at == told.created_at == NOON
    assert [penalty(told, NOON + days(count)) for count in (5, 100)] == [0.3, 0.3]
    step = told.corrections[-1]
    assert (step.at, step.reason, step.content, step.by) == (
        NOON + days(5),
        "negated",
        "我不喜欢咖啡了",
        "user:ada",
    )


def test_what_is_said_to_be_so_after_all_recovers_along_its_curve():
    told = reaffirm(negate(memory(), NOON, PERSONAL), NOON + days(10), PERSONAL)
    assert Mark.NEGATED not in told.marks
    assert [penalty(told, NOON + days(10 + count)) for count in (0, 7, 30, 90)] == [0.3, 0.35, 0.48, 0.72]
    assert told.last_activated_at == NOON + days(10)


def test_reaffirming_twice_does_not_start_the_recovery_again():
    told = reaffirm(negate(memory(), NOON, PERSONAL), NOON, PERSONAL)
    assert penalty(reaffirm(told, NOON + days(30), PERSONAL), NOON + days(90)) == 0.72


def test_a_second_negation_drops_again():
    told = reaffirm(negate(memory(), NOON, PERSONAL), NOON, PERSONAL)
    assert penalty(negate(told, NOON + days(30), PERSONAL), NOON + days(90)) == 0.3


def test_a_doubt_follows_the_published_curve_until_it_is_settled():
    told = balanced(memory(), NOON, PERSONAL)
    assert told.status is Status.ACTIVE
    assert [penalty(told, NOON + days(count)) for count in (0, 7, 30, 90)] == [1.0, 0.95, 0.82, 0.58]
    again = balanced(told, NOON + days(30), PERSONAL)
    assert penalty(again, NOON + days(90)) == 0.58
    assert penalty(reaffirm(told, NOON + days(30), PERSONAL), NOON + days(90)) == 1.0


def test_a_corrected_fact_expires_with_its_span_of_time():
    told = correct(memory("place"), NOON + days(9), PERSONAL, content="我住在上海浦东新区")
    assert told.status is Status.EXPIRED
    assert (told.valid_from, told.valid_to) == (NOON, NOON + days(9))
    assert told.corrections[-1].content == "我住在上海浦东新区"


def test_a_changed_preference_is_kept_as_a_trace_of_little_weight():
    told = version_kept(memory(valid_from=NOON - days(900)), NOON + days(9), PERSONAL, content="我爱喝茶")
    assert told.status is Status.SUPERSEDED
    assert told.level is Level.TRACE
    assert (told.valid_from, told.valid_to) == (NOON - days(900), NOON + days(9))
    assert weight(told, NOON + days(9), PERSONAL)[0] == 0.2


def test_negations_and_corrections_are_decided_by_standing_kind_and_confidence():
    assert on_negation(memory()) is Action.NEGATE
    assert on_negation(negate(memory(), NOON, PERSONAL)) is Action.KEEP
    assert on_correction(memory("place"), 1.0, PERSONAL) is Action.EXPIRE
    assert on_correction(memory("preference"), 1.0, PERSONAL) is Action.VERSION
    assert on_correction(memory("preference"), 0.4, PERSONAL) is Action.BALANCE
    assert on_correction(negate(memory(), NOON, PERSONAL), 1.0, PERSONAL) is Action.KEEP
    assert on_mention(negate(memory(), NOON, PERSONAL), NOON, PERSONAL) is Action.REAFFIRM


def test_passive_time_compresses_step_by_step():
    told = memory("event", last_activated_at=NOON)
    assert on_time(told, NOON + days(29), PERSONAL) is Action.KEEP
    assert on_time(told, NOON + days(30), PERSONAL) is Action.COMPRESS
    summary = replace(told, level=Level.SUMMARY)
    assert next_level(summary, NOON + days(90), PERSONAL) is None  # W is 1/1.9
    assert next_level(summary, NOON + days(234), PERSONAL) is Level.TRACE
    trace = replace(told, level=Level.TRACE)
    assert next_level(trace, NOON + days(3650), PERSONAL) is None  # W is 0.03, the document's threshold 0.01
    assert next_level(trace, NOON + days(3650), ASSISTANT) is Level.ARCHIVE
    assert next_level(replace(told, level=Level.ARCHIVE), NOON + days(9000), PERSONAL) is None


def test_what_matters_more_is_compressed_later():
    assert next_level(memory("identity"), NOON + days(44), PERSONAL) is None
    assert next_level(memory("identity"), NOON + days(45), PERSONAL) is Level.SUMMARY


def test_the_general_is_compressed_at_twice_the_age_and_the_sensitive_never():
    general, sensitive = memory("event", sensitivity=1), memory("event", sensitivity=2)
    assert on_time(general, NOON + days(59), PERSONAL) is Action.KEEP
    assert on_time(general, NOON + days(60), PERSONAL) is Action.COMPRESS
    assert on_time(sensitive, NOON + days(9000), PERSONAL) is Action.KEEP
    assert on_time(memory(layer=Layer.CONSTITUTION), NOON + days(9000), PERSONAL) is Action.KEEP


def test_a_profile_that_does_not_compress_keeps_everything_whole():
    assert on_time(memory("temporary"), NOON + days(9000), CARE) is Action.KEEP


@pytest.mark.parametrize(
    ("others", "action"), [(1, Action.KEEP), (2, Action.SUMMARISE), (9, Action.SUMMARISE)]
)
def test_a_batch_of_likes_becomes_a_summary(others, action):
    assert on_batch(memory(), [(memory(), 0.75)] * others, PERSONAL) is action


def test_what_is_less_alike_or_sensitive_is_not_of_the_batch():
    assert on_batch(memory(), [(memory(), 0.9), (memory(), 0.74)], PERSONAL) is Action.KEEP
    assert on_batch(memory(), [(memory(), 0.9), (memory(sensitivity=2), 0.9)], PERSONAL) is Action.KEEP
    assert on_batch(memory(sensitivity=2), [(memory(), 0.9)] * 9, PERSONAL) is Action.KEEP


def test_a_person_is_asked_a_few_a_day_the_most_used_first():
    faded = [memory(id=f"m{count}", confidence=0.7, access_count=count) for count in range(9)]
    at = NOON + days(30)
    assert [told.access_count for told in to_verify(faded, at, CARE)] == [8, 7, 6, 5, 4]
    done = [replace(told, verified_at=at, confidence=1.0) for told in faded[4:7]]
    rest = [*faded[:4], *done, *faded[7:]]
    assert [told.access_count for told in to_verify(rest, at, CARE)] == [8, 7]
    assert [told.access_count for told in to_verify(rest, at + days(1), CARE)] == [8, 7, 3, 2, 1]


def test_nobody_is_asked_about_what_is_sure_or_gone_or_no_fact():
    sure = memory(confidence=1.0)
    gone = memory(confidence=0.1, status=Status.DELETED)
    talk = memory(confidence=0.1, layer=Layer.SESSION)
    assert to_verify([sure, gone, talk], NOON, CARE) == []
