"""Spans of the calendar, counted from a moment: the arithmetic beneath `times.py`. Pure.

Every function answers with half-open spans in the time zone of the moment it is given; a date that does not
exist (31 April) gives no span rather than an error, since people say such things.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

Grain = Literal["part", "day", "week", "month", "year", "stretch"]

DAY = timedelta(days=1)
# Hours of the parts of a day, as people use the words; a night reaches into the next morning.
PARTS = {"morning": (5, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 29)}
# Meteorological seasons: first month and number of months.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
LAST_YEAR, FIRST_YEAR = 2200, 1900


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that a text names: from `start` up to but not including `end`."""

    start: datetime
    end: datetime
    grain: Grain
    yearless: bool = False
    """The text named no year: one of two readings, the last and the next."""

    def __contains__(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


def midnight(moment: datetime) -> datetime:
    """The beginning of the day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day(now: datetime, offset: int, part: str = "") -> tuple[Span, ...]:
    """The day so many days from now, or a part of it."""
    try:
        start = midnight(now) + offset * DAY
    except OverflowError:
        return ()
    if part:
        begin, finish = PARTS[part]
        return (Span(start + timedelta(hours=begin), start + timedelta(hours=finish), "part"),)
    return (Span(start, start + DAY, "day"),)


def week(now: datetime, offset: int, *, weekday: int | None = None, part: str = "") -> tuple[Span, ...]:
    """The week (Monday to Sunday) so many weeks from now, or one day of it (Monday is 0)."""
    monday = -now.weekday() + 7 * offset
    if weekday is not None:
        return day(now, monday + weekday, part)
    first = day(now, monday)
    return tuple(Span(each.start, each.start + 7 * DAY, "week") for each in first)


def weekend(now: datetime, offset: int) -> tuple[Span, ...]:
    """Saturday and Sunday of the week so many weeks from now."""
    first = day(now, -now.weekday() + 7 * offset + 5)
    return tuple(Span(each.start, each.start + 2 * DAY, "stretch") for each in first)


def months(year: int, month: int, count: int = 1) -> tuple[Span, ...]:
    """Whole months as one naive span; the caller gives it the zone (`zoned`)."""
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12):
        return ()
    last = year * 12 + month - 1 + count
    grain: Grain = "month" if count == 1 else "year" if (count, month) == (12, 1) else "stretch"
    return (Span(datetime(year, month, 1), datetime(last // 12, last % 12 + 1, 1), grain),)  # noqa: DTZ001


def month_from(now: datetime, offset: int) -> tuple[Span, ...]:
    """The month so many months from now."""
    index = now.year * 12 + now.month - 1 + offset
    return zoned(months(index // 12, index % 12 + 1), now)


def year_from(now: datetime, offset: int) -> tuple[Span, ...]:
    """The year so many years from now."""
    return zoned(months(now.year + offset, 1, 12), now)


def date(now: datetime, year: int, month: int, *, number: int) -> tuple[Span, ...]:
    """One day of the calendar."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return ()
    try:
        start = midnight(now).replace(year=year, month=month, day=number)
    except ValueError:
        return ()
    return (Span(start, start + DAY, "day"),)


def month_of_any_year(now: datetime, month: int, number: int | None = None) -> tuple[Span, ...]:
    """A month or a day without a year: the last one begun by now, and the next."""
    found: list[Span] = []
    for year in range(now.year - 1, now.year + 2):
        one = date(now, year, month, number=number) if number else zoned(months(year, month), now)
        found.extend(replace(span, yearless=True) for span in one)
    past = [span for span in found if span.start <= now]
    return (*past[-1:], *[span for span in found if span.start > now][:1])


def season(now: datetime, year: int, name: str) -> tuple[Span, ...]:
    """A season; the winter of a year begins in its December."""
    return zoned(months(year, SEASONS[name], 3), now)


def stretch(now: datetime, back: timedelta, ahead: timedelta) -> tuple[Span, ...]:
    """A loose stretch around now: "lately", "these days"."""
    return (Span(now - back, now + ahead, "stretch"),)


def zoned(spans: tuple[Span, ...], now: datetime) -> tuple[Span, ...]:
    """Naive spans with the zone of the moment."""
    zone = now.tzinfo
    return tuple(
        replace(s, start=s.start.replace(tzinfo=zone), end=s.end.replace(tzinfo=zone)) for s in spans
    )
