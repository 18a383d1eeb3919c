"""Times that a text names ("上周三", "昨晚", "last May", "7 May 2023", "two days ago") as spans of the
calendar.

Used on the way out for a question (relative to now) and on the way in for a text (relative to when it was
said). Text comes folded (`fold.py`), so that one set of patterns (`lexicon/times.toml`) meets both Chinese
scripts and full width. What is ambiguous gives every plausible span ("on Friday": the last and the next);
what cannot be (31 April) gives none. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cache, lru_cache

from holdfast.recall import calendar_spans as calendar
from holdfast.recall.calendar_spans import Span
from holdfast.recall.lexicon import load

Found = tuple[Span, ...]
Reading = Callable[[re.Match[str], datetime], Found]

MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_MONTH = {name[:size]: i for i, name in enumerate(MONTHS, 1) for size in (3, len(name))} | {"sept": 9}
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS = {word: i for i, word in enumerate(_NUMBERS, 1)}
_COUNTS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 4}
_PARTS = {
    **dict.fromkeys(("早上", "早晨", "清晨", "清早", "一早", "上午", "早"), "morning"),
    **dict.fromkeys(("中午", "午间", "午", "midday"), "noon"),
    **dict.fromkeys(("下午", "午后"), "afternoon"),
    **dict.fromkeys(("傍晚", "晚上", "晚间", "晚"), "evening"),
    **dict.fromkeys(("夜里", "半夜", "夜间", "深夜", "夜"), "night"),
    **{part: part for part in calendar.PARTS},
}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter", "fall": "autumn"}
_SEASONS |= {season: season for season in calendar.SEASONS}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_DAYS |= {"day before yesterday": -2, "yesterday": -1, "today": 0, "tonight": 0}
_DAYS |= {"tomorrow": 1, "day after tomorrow": 2}
_YEARS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0}  # every other one is ahead
_BEFORE = frozenset({"ago", "back", "earlier", "前", "以前", "之前"})
# "Lately" as people mean it: about two weeks; "just now": some hours.
_LATELY, _JUST_NOW = timedelta(days=14), timedelta(hours=6)
_MOST_UNITS = 1000


def number(text: str | None) -> int:
    """A small number in digits, Chinese numerals or English words; 0 where it is none."""
    text = (text or "").strip()
    if text.isdecimal():
        return int(text)
    if text in _COUNTS:
        return _COUNTS[text]
    tens, ten, ones = text.partition("十")
    if ten:
        return 10 * _DIGITS.get(tens or "一", 1) + _DIGITS.get(ones or "零", 0)
    if text and all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    return 0


def _said(match: re.Match[str], *names: str) -> str:
    """The first of these groups that the match has."""
    groups = match.groupdict()
    return next((groups[name] for name in names if groups.get(name)), "")


def _date(match: re.Match[str], now: datetime) -> Found:
    named = _said(match, "month")
    month, day = _MONTH.get(named) or number(named), number(_said(match, "day"))
    year = number(_said(match, "year"))
    if not named:
        return calendar.zoned(calendar.months(year, 1, 12), now)
    if not year:
        return calendar.month_of_any_year(now, month, day) if 1 <= month <= 12 else ()
    return (
        calendar.date(now, year, month, number=day)
        if day
        else calendar.zoned(calendar.months(year, month), now)
    )


def _year_shift(match: re.Match[str], now: datetime) -> Found:
    """去年三月, 今年夏天, 前年."""
    year = now.year + _YEARS[match["shift"]]
    if match["season"]:
        return calendar.season(now, year, _SEASONS[match["season"]])
    month, day = number(match["month"]), number(match["day"])
    if not match["month"]:
        return calendar.zoned(calendar.months(year, 1, 12), now)
    return (
        calendar.date(now, year, month, number=day)
        if day
        else calendar.zoned(calendar.months(year, month), now)
    )


def _month_shift(match: re.Match[str], now: datetime) -> Found:
    """下个月, 上月16号."""
    whole = calendar.month_from(now, _up_or_down(match["offset"]))
    if match["day"] and whole:
        return calendar.date(now, whole[0].start.year, whole[0].start.month, number=number(match["day"]))
    return whole


def _up_or_down(text: str) -> int:
    return text.count("下") - text.count("上")


def _week(match: re.Match[str], now: datetime) -> Found:
    """这周, 上上周三, 下周末."""
    offset, named = _up_or_down(_said(match, "offset")), _said(match, "weekday")
    if named == "末":
        return calendar.weekend(now, offset)
    if not named:
        return calendar.week(now, offset)
    weekday = 6 if named in "日天" else number(named) - 1
    return calendar.week(now, offset, weekday=weekday, part=_PARTS.get(_said(match, "part"), ""))


def _ago(match: re.Match[str], now: datetime) -> Found:
    """Three days ago, 两个星期前, in two weeks."""
    count = number(match["count"])
    if count > _MOST_UNITS:
        return ()
    count = -count if _said(match, "ago") in _BEFORE else count
    unit = match["unit"]
    if unit in {"天", "日", "day"}:
        return calendar.day(now, count)
    if unit in {"周", "星期", "礼拜", "week"}:
        return calendar.week(now, count)
    return calendar.month_from(now, count) if unit in {"月", "month"} else calendar.year_from(now, count)


def _named_shift(match: re.Match[str], now: datetime) -> Found:
    """Last week, next month, this Friday, last May, this summer."""
    offset, unit = _SHIFTS.get(match["shift"], 1), match["unit"]
    if unit in WEEKDAYS:
        return _near_weekday(now, WEEKDAYS.index(unit), offset)
    if unit in _MONTH:
        found = calendar.month_of_any_year(now, _MONTH[unit])
        return found[:1] if offset < 0 else found[1:] if offset > 0 else found
    if unit in _SEASONS:
        return calendar.season(now, now.year + offset, _SEASONS[unit])
    if unit in _PARTS:
        return calendar.day(now, offset, _PARTS[unit])
    if unit == "weekend":
        return calendar.weekend(now, offset)
    if unit == "week":
        return calendar.week(now, offset)
    return calendar.month_from(now, offset) if unit == "month" else calendar.year_from(now, offset)


def _near_weekday(now: datetime, weekday: int, offset: int) -> Found:
    """The last such day before today, the next after it, or (no offset) the last, and today or the next."""
    ahead = (weekday - now.weekday()) % 7
    if offset > 0:
        return calendar.day(now, ahead or 7)
    before = calendar.day(now, ahead - 7)
    return before if offset else (*before, *calendar.day(now, ahead))


def _day_zh(match: re.Match[str], now: datetime) -> Found:
    return calendar.day(now, _DAYS[match["shift"]], _PARTS.get(_said(match, "part", "near"), ""))


def _day_en(match: re.Match[str], now: datetime) -> Found:
    name = match["name"]
    part = "evening" if name == "tonight" else _said(match, "part")
    return calendar.day(now, _DAYS[name], _PARTS.get(part, ""))


_READINGS: dict[str, Reading] = {
    "date": _date,
    "year_shift": _year_shift,
    "month_shift": _month_shift,
    "week": _week,
    "ago": _ago,
    "named_shift": _named_shift,
    "day_zh": _day_zh,
    "day_en": _day_en,
    "weekday": lambda match, now: _near_weekday(now, WEEKDAYS.index(match["weekday"]), 0),
    "lately": lambda _, now: calendar.stretch(now, _LATELY, calendar.DAY),
    "just_now": lambda _, now: calendar.stretch(now, _JUST_NOW, timedelta(0)),
}


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    table = load().times
    pieces = {
        "counts": _either(_COUNTS),
        "months": _either(_MONTH),
        "weekdays": _either(WEEKDAYS),
        "parts_zh": _either(part for part in _PARTS if not part.isascii()),
        "parts_en": _either(part for part in _PARTS if part.isascii()),
    }

    lists = {*pieces, "num"}

    def filled(pattern: str) -> str:
        for _ in range(2):  # a piece may hold a list
            for name, piece in (table["pieces"] | pieces).items():
                pattern = pattern.replace(f"%{name}%", f"(?:{piece})" if name in lists else piece)
        return pattern

    return tuple((re.compile(filled(one["pattern"])), _READINGS[one["reading"]]) for one in table["patterns"])


@cache
def _hint() -> re.Pattern[str]:
    return re.compile(load().times["hint"]["pattern"])


@lru_cache(maxsize=2048)
def named_times(folded: str, now: datetime) -> Found:
    """Every span the text names, in the order of the patterns, without repeats."""
    if not _hint().search(folded):
        return ()
    found: list[Span] = []
    rest = folded
    for pattern, reading in _patterns():
        match = pattern.search(rest)
        while match:
            found.extend(reading(match, now))
            rest = f"{rest[: match.start()]}{chr(10) * (match.end() - match.start())}{rest[match.end() :]}"
            match = pattern.search(rest, match.end())
    return tuple(dict.fromkeys(found))
