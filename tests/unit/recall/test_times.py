"""Times that a question names, counted from a Wednesday evening."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.fold import fold
from holdfast.recall.times import named_times

NOW = datetime(2025, 3, 26, 18, 0, tzinfo=UTC)


def spans(text, now=NOW):
    return [(f"{s.start:%Y-%m-%d}", f"{s.end:%Y-%m-%d}") for s in named_times(fold(text), now)]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("今天去哪了", "2025-03-26", "2025-03-27"),
        ("昨天誰來過", "2025-03-25", "2025-03-26"),
        ("前天", "2025-03-24", "2025-03-25"),
        ("大前天", "2025-03-23", "2025-03-24"),
        ("后天", "2025-03-28", "2025-03-29"),
        ("上周三", "2025-03-19", "2025-03-20"),
        ("上個禮拜天", "2025-03-23", "2025-03-24"),
        ("下下周六", "2025-04-12", "2025-04-13"),
        ("周一", "2025-03-24", "2025-03-25"),
        ("这个星期", "2025-03-24", "2025-03-31"),
        ("上周末", "2025-03-22", "2025-03-24"),
        ("上個月", "2025-02-01", "2025-03-01"),
        ("下月16号", "2025-04-16", "2025-04-17"),
        ("去年三月", "2024-03-01", "2024-04-01"),
        ("去年夏天", "2024-06-01", "2024-09-01"),
        ("前年", "2023-01-01", "2024-01-01"),
        ("三天前", "2025-03-23", "2025-03-24"),
        ("两个星期前", "2025-03-10", "2025-03-17"),
        ("2024年5月7日", "2024-05-07", "2024-05-08"),
        ("二〇二三年五月", "2023-05-01", "2023-06-01"),
        ("2024-04-16 19:00", "2024-04-16", "2024-04-17"),
        ("yesterday", "2025-03-25", "2025-03-26"),
        ("the day before yesterday", "2025-03-24", "2025-03-25"),
        ("last week", "2025-03-17", "2025-03-24"),
        ("last Tuesday", "2025-03-25", "2025-03-26"),
        ("next Tuesday", "2025-04-01", "2025-04-02"),
        ("last May", "2024-05-01", "2024-06-01"),
        ("next month", "2025-04-01", "2025-05-01"),
        ("last summer", "2024-06-01", "2024-09-01"),
        ("two days ago", "2025-03-24", "2025-03-25"),
        ("a couple of weeks ago", "2025-03-10", "2025-03-17"),
        ("in three days", "2025-03-29", "2025-03-30"),
        ("7 May 2023", "2023-05-07", "2023-05-08"),
        ("May 7th, 2023", "2023-05-07", "2023-05-08"),
        ("19 August, 2023", "2023-08-19", "2023-08-20"),
        ("October 2023", "2023-10-01", "2023-11-01"),
        ("in 2022", "2022-01-01", "2023-01-01"),
    ],
)
def test_a_time_is_one_span(text, start, end):
    assert spans(text) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    ["I may go", "月亮很圆", "13800138000", "31 April 2023", "第1999.5号零件", "2月30日", "March on!", ""],
)
def test_what_names_no_time_has_no_span(text):
    assert spans(text) == []


def test_a_part_of_a_day_is_that_part():
    (evening,) = named_times(fold("昨天晚上跟谁通话了"), NOW)
    assert (evening.start.hour, evening.grain) == (17, "part")
    assert evening.start.date() == datetime(2025, 3, 25, tzinfo=UTC).date()
    (night,) = named_times(fold("last night"), NOW)
    assert night.end - night.start == timedelta(hours=11)


def test_what_is_ambiguous_is_read_both_ways():
    assert spans("on Friday") == [("2025-03-21", "2025-03-22"), ("2025-03-28", "2025-03-29")]
    assert spans("in July") == [("2024-07-01", "2024-08-01"), ("2025-07-01", "2025-08-01")]


def test_lately_reaches_back_two_weeks():
    for text in ("最近", "近來", "lately"):
        (span,) = named_times(fold(text), NOW)
        assert NOW - timedelta(days=13) in span
        assert NOW - timedelta(days=20) not in span


def test_a_day_is_the_asker_s_day():
    tokyo = timezone(timedelta(hours=9))
    (today,) = named_times("today", NOW.astimezone(tokyo))
    assert today.start == datetime(2025, 3, 27, tzinfo=tokyo)


TIMELIKE = "0123456789上下这本个前后去今明昨年月日号周星期礼拜天末早晚夜春夏秋冬零一十两 -/.maydecnxtlsgo"


@given(st.text(alphabet=TIMELIKE, max_size=24), st.integers(0, 4_000_000_000))
def test_whatever_is_named_has_a_beginning_before_its_end(text, seconds):
    now = datetime.fromtimestamp(seconds, UTC)
    assert all(span.start < span.end for span in named_times(fold(text), now))
