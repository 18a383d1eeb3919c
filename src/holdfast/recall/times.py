"""Times that a text names ("上周三", "昨晚", "last May", "7 May 2023", "two days ago") as spans of the calendar. Pure.

Used on the way out for a question (relative to now) and on the way in for a text (relative to when it was said).
Text comes folded (`fold.py`), so both Chinese scripts and full width are met by the same patterns. What is ambiguous
gives every plausible span ("on Friday": the last and the next); what cannot be (31 April) gives none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache

from holdfast.recall import calendar_spans as spans_of
from holdfast.recall.calendar_spans import Span

Found = tuple[Span, ...]
Reading = Callable[[re.Match[str], datetime], Found]

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "日": 6, "天": 6}
_MONTHS = ("january february march april may june july august september october november december").split()
_MONTH = {name[:length]: i + 1 for i, name in enumerate(_MONTHS) for length in (3, len(name))} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WORDS = {w: i for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_WORDS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 4}
_PART_ZH = {
    **dict.fromkeys(("早上", "早晨", "清晨", "清早", "一早", "上午", "早"), "morning"),
    **dict.fromkeys(("中午", "午间", "午"), "noon"),
    **dict.fromkeys(("下午", "午后"), "afternoon"),
    **dict.fromkeys(("傍晚", "晚上", "晚间", "晚"), "evening"),
    **dict.fromkeys(("夜里", "半夜", "夜间", "深夜", "夜"), "night"),
}
_SEASON = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter", "fall": "autumn"}
_DAY_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEAR_ZH = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_DAY_EN = {"yesterday": -1, "today": 0, "tomorrow": 1, "tonight": 0}
_SHIFT = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "following": 1}
# "Lately" as people mean it: about two weeks; "just now": some hours.
_LATELY, _JUST_NOW = timedelta(days=14), timedelta(hours=6)


def _number(text: str) -> int | None:
    """A small number in digits, Chinese numerals or English words."""
    text = text.strip()
    if text.isdecimal():
        return int(text)
    if text in _WORDS:
        return _WORDS[text]
    tens, ten, ones = text.partition("十")
    if ten:
        return 10 * _DIGITS.get(tens or "一", 1) + (_DIGITS.get(ones, 0) if ones else 0)
    if text and all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    return None


def _part(match: re.Match[str]) -> str:
    named = match.groupdict().get("part") or ""
    return _PART_ZH.get(named, {"midday": "noon", "": ""}.get(named, named))


def _date(match: re.Match[str], now: datetime) -> Found:
    year, month, number = (match.groupdict().get(name) for name in ("year", "month", "day"))
    the_year = _number(year) if year else None
    the_month = (_MONTH.get(month) or _number(month)) if month else None
    the_day = _number(number) if number else None
    if the_month is None:
        return spans_of.zoned(spans_of.months(the_year or 0, 1, 12), now)
    if the_year is None:
        return spans_of.month_of_any_year(now, the_month, the_day) if 1 <= the_month <= 12 else ()
    if the_day is None:
        return spans_of.zoned(spans_of.months(the_year, the_month), now)
    return spans_of.date(now, the_year, the_month, the_day)


def _shifted_month(match: re.Match[str], now: datetime) -> Found:
    """下个月, 上月16号, 去年三月."""
    offset, month, number = (match.groupdict().get(name) for name in ("offset", "month", "day"))
    if match.groupdict().get("relyear"):
        year = now.year + _YEAR_ZH[match["relyear"]]
        if match["season"]:
            return spans_of.season(now, year, _SEASON[match["season"]])
        if not month:
            return spans_of.year_from(now, _YEAR_ZH[match["relyear"]])
        the_month = _number(month) or 0
        if number:
            return spans_of.date(now, year, the_month, _number(number) or 0) if 1 <= the_month <= 12 else ()
        return spans_of.zoned(spans_of.months(year, the_month), now)
    whole = spans_of.month_from(now, _offset(offset or ""))
    if number:
        return spans_of.date(now, whole[0].start.year, whole[0].start.month, _number(number) or 0)
    return whole


def _offset(text: str) -> int:
    return text.count("下") - text.count("上")


def _week(match: re.Match[str], now: datetime) -> Found:
    named, offset = match.groupdict().get("weekday"), match.groupdict().get("offset") or ""
    if named == "末":
        return spans_of.weekend(now, _offset(offset))
    weekday = None if not named else int(named) - 1 if named.isdecimal() else (_DIGITS[named] - 1) % 7
    if named in {"日", "天"}:
        weekday = 6
    return spans_of.week(now, _offset(offset), weekday, _part(match))


def _ago(match: re.Match[str], now: datetime) -> Found:
    """Three days ago, 两个星期前, in two weeks."""
    count = _number(match["count"])
    if count is None or count > 1000:
        return ()
    unit = match["unit"]
    sign = -1 if match.groupdict().get("ago") in {"ago", "back", "earlier", "前", "以前", "之前"} else 1
    if unit in {"天", "日", "day"}:
        return spans_of.day(now, sign * count)
    if unit in {"周", "星期", "礼拜", "week"}:
        return spans_of.week(now, sign * count)
    if unit in {"月", "month"}:
        return spans_of.month_from(now, sign * count)
    return spans_of.year_from(now, sign * count)


def _named_shift(match: re.Match[str], now: datetime) -> Found:
    """Last week, next month, this Friday, last May, this summer."""
    offset, unit = _SHIFT[match["shift"]], match["unit"]
    if unit in _WEEKDAYS:
        return _weekday_near(now, _WEEKDAYS.index(unit), offset)
    if unit in _MONTH:
        found = spans_of.month_of_any_year(now, _MONTH[unit])
        return found[:1] if offset < 0 else found[1:] if offset > 0 else found
    if unit in spans_of.SEASONS or unit in _SEASON:
        return spans_of.season(now, now.year + offset, _SEASON.get(unit, unit))
    if unit in spans_of.PARTS:
        return spans_of.day(now, offset, unit)
    if unit == "weekend":
        return spans_of.weekend(now, offset)
    return {"week": spans_of.week, "month": spans_of.month_from, "year": spans_of.year_from}[unit](now, offset)


def _weekday_near(now: datetime, weekday: int, offset: int) -> Found:
    """The last such day before today, the next one after it, or (no offset) both and today."""
    ahead = (weekday - now.weekday()) % 7
    if offset:
        return spans_of.day(now, (ahead or 7) if offset > 0 else ahead - 7)
    return (*spans_of.day(now, ahead - 7), *spans_of.day(now, ahead))


def _relative_day(match: re.Match[str], now: datetime) -> Found:
    if match.groupdict().get("zh"):
        return spans_of.day(now, _DAY_ZH[match["zh"]], _part(match))
    word = match["en"]
    if word.startswith("day "):
        return spans_of.day(now, -2 if "before" in word else 2)
    return spans_of.day(now, _DAY_EN[word], "evening" if word == "tonight" else _part(match))


_NUM = r"\d{1,4}|[零一二三四五六七八九十两]{1,3}"
_PARTS_ZH = "|".join(sorted(_PART_ZH, key=len, reverse=True))
_PARTS_EN = "|".join((*spans_of.PARTS, "midday"))
_MON = "|".join(sorted(_MONTH, key=len, reverse=True))
_DAYS_EN = "|".join(_WEEKDAYS)
_COUNTS = "|".join(sorted((re.escape(w) for w in _WORDS), key=len, reverse=True))
_YEAR = r"(?P<year>(?:19|20|21)\d\d)"
_NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"

# Tried in this order, each on what those before left: the longer wording first.
_PATTERNS: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (rf"(?<!\d){_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})(?!\d)", _date),
        (rf"(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}})年(?:(?P<month>{_NUM})月(?:份|(?P<day>{_NUM})[日号])?)?", _date),
        (
            rf"(?P<relyear>大前|前|去|今|明|后)年(?:的?(?P<season>[春夏秋冬])|(?P<month>{_NUM})月(?:(?P<day>{_NUM})[日号])?)?",
            _shifted_month,
        ),
        (rf"(?P<offset>[上下]+|这|本)个?月(?:的?(?P<day>{_NUM})[日号])?", _shifted_month),
        (rf"(?P<month>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})月(?!亮|饼)(?:份|(?P<day>{_NUM})[日号])?", _date),
        (
            rf"(?P<offset>[上下]+|这|本)?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末1-7])(?:的?(?P<part>{_PARTS_ZH}))?",
            _week,
        ),
        (r"(?P<offset>[上下]+|这|本)一?个?(?:周|星期|礼拜)(?!年)", _week),
        (rf"(?P<count>{_NUM})个?(?P<unit>天|日|周|星期|礼拜|月|年)(?P<ago>以前|之前|前|以后|之后|后)", _ago),
        (
            rf"(?P<zh>大前|大后|前|昨|今|明|后)(?:[天日](?:的?(?P<part>{_PARTS_ZH}))?|(?P<part2>早|晚|夜))",
            lambda match, now: _zh_day(match, now),
        ),
        (r"最近|近来|近日|这几天|这两天|前几天|这些天|这阵子|这段时间|recently|lately|these days", lambda _, now: _lately(now)),
        (r"刚才|刚刚|方才|just now|a moment ago", lambda _, now: spans_of.stretch(now, _JUST_NOW, timedelta(0))),
        (rf"\b{_NTH}(?: of)? (?P<month>{_MON})\b\.?(?:,? {_YEAR})?", _date),
        (rf"\b(?P<month>{_MON})\b\.? {_NTH}\b(?:,? {_YEAR})?", _date),
        (rf"\b(?P<month>{_MON})\b\.?(?: of)?,? {_YEAR}", _date),
        (
            rf"\b(?P<shift>{'|'.join(_SHIFT)}) (?P<unit>{_DAYS_EN}|{_MON}|week|month|year|weekend|spring|summer|autumn|fall"
            rf"|winter|{_PARTS_EN})\b",
            _named_shift,
        ),
        (rf"\b(?P<count>\d{{1,3}}|{_COUNTS}) (?P<unit>day|week|month|year)s? (?P<ago>ago|back|earlier|later|from now)\b", _ago),
        (rf"\bin (?P<count>\d{{1,3}}|{_COUNTS}) (?P<unit>day|week|month|year)s?\b", _ago),
        (
            rf"\b(?P<en>day before yesterday|day after tomorrow|yesterday|today|tomorrow|tonight)\b(?: (?P<part>{_PARTS_EN})\b)?",
            _relative_day,
        ),
        (rf"\b(?:on )?(?P<weekday>{_DAYS_EN})s?\b", lambda match, now: _weekday_near(now, _WEEKDAYS.index(match["weekday"]), 0)),
        (rf"\b(?P<month>{'|'.join(m for m in _MONTHS if m not in {'may', 'march'})})\b", _date),
        (r"\b(?:in|of|since|until|during|by) (?P<month>may|march)\b", _date),
        (rf"(?<![\d.,-]){_YEAR}(?![\d-]|[.,]\d)", _date),
    )
)
# A text that holds none of these names no time; the check spares most texts the patterns.
_HINT = re.compile(
    r"\d{4}|\d[-/.]\d|[年月周天日]|星期|礼拜|最近|近来|刚|这阵|这段|今|昨|明[早晚]|day|week|month|year|night|recent|lately|just now"
    rf"|moment|{'|'.join(m[:3] for m in _MONTHS)}|spring|summer|autumn|winter|fall|morning|noon|evening"
)


def _zh_day(match: re.Match[str], now: datetime) -> Found:
    part = _PART_ZH.get(match["part"] or match["part2"] or "", "")
    return spans_of.day(now, _DAY_ZH[match["zh"]], part)


def _lately(now: datetime) -> Found:
    return spans_of.stretch(now, _LATELY, timedelta(days=1))


@lru_cache(maxsize=2048)
def named_times(folded: str, now: datetime) -> Found:
    """Every span the text names, in the order of the patterns, without repeats."""
    if not _HINT.search(folded):
        return ()
    found: list[Span] = []
    rest = folded
    for pattern, reading in _PATTERNS:
        match = pattern.search(rest)
        while match:
            found.extend(reading(match, now))
            rest = rest[: match.start()] + "\n" * (match.end() - match.start()) + rest[match.end() :]
            match = pattern.search(rest, match.end())
    return tuple(dict.fromkeys(found))
