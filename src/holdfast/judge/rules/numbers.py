"""Numbers, dates, weekdays, times and identifiers of a statement, in one form however they are written.

三百二十 and 320, 周三 and Wednesday, 5月1号 and 1 May come out equal; identifiers (RM05-008) and
phone numbers are compared exactly (row A3). `values` is the only door.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from holdfast.judge.rules.numerals import CHINESE, ENGLISH, chinese_number, count, english_number
from holdfast.judge.rules.text import fold

Sort = Literal["phone", "code", "date", "weekday", "time", "number"]


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its sort, its normal form, its place in the folded text; `unit` is what follows it."""

    sort: Sort
    norm: str
    start: int
    end: int
    unit: str = ""

    def equals(self, other: Value) -> bool:
        """Whether both tell the same; a date without month or day agrees with one that has it."""
        if self.sort == other.sort == "date":
            mine, theirs = self.norm.split("-"), other.norm.split("-")
            return all(a == b or not a or not b for a, b in zip(mine, theirs, strict=True))
        if {self.sort, other.sort} == {"time", "number"}:
            clock, number = (self, other) if self.sort == "time" else (other, self)
            hour, minute = clock.norm.split(":")
            return minute == "00" and number.norm in {hour, str(int(hour) % 12)}
        return self.sort == other.sort and self.norm == other.norm

    def rivals(self, other: Value) -> bool:
        """Whether one could stand in the place of the other: same sort, another value, no other unit."""
        if self.sort != other.sort or self.equals(other):
            return False
        return self.sort != "number" or not self.unit or not other.unit or self.unit[0] == other.unit[0]


_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name[:cut]: i for i, name in enumerate(_MONTHS.split(), start=1) for cut in (3, None)}
_MONTH_NAME = "|".join(sorted(_MONTH, key=len, reverse=True))
_WEEKDAY = {"mon": 0, "tues": 1, "wednes": 2, "thurs": 3, "fri": 4, "satur": 5, "sun": 6}
_CHINESE_WEEKDAY = {c: i for i, c in enumerate("一二三四五六日")} | {"天": 6}
_LATE = {"下午", "晚上", "晚", "pm"}
_N = rf"(?:\d{{1,2}}|[{CHINESE}]{{1,3}})"

# Chinese numerals that count nothing: 一下, 一直, 万一, 十分 …
_EMPTY = re.compile(
    r"一[下点起样直般定些切会向旦共路边面时方概致味律同阵口早家手度身带行再]|[万唯统第专单]一|十分|千万|三七|四处|百货|五金|八点档|初[一十]"
)

Found = Iterator[Value]
Reader = Callable[[re.Match[str]], Found]


def _phone(m: re.Match[str]) -> Found:
    digits = re.sub(r"\D", "", m.group())
    yield Value("phone" if len(digits) >= 7 else "number", digits, m.start(), m.end())


def _date(m: re.Match[str], month: str, day: str | None) -> Found:
    number = _MONTH.get(month) or count(month)
    yield Value("date", f"{number}-{count(day)}" if day else f"{number}-", m.start(), m.end())


_BEFORE_MONTH = frozenset(
    [
        "in",
        "by",
        "since",
        "until",
        "till",
        "from",
        "next",
        "last",
        "of",
        "this",
        "every",
        "for",
        "is",
        "to",
        "before",
        "after",
    ]
)


def _english_date(m: re.Match[str]) -> Found:
    """The 3rd of May, third May, in May; but not "I may" or "they march"."""
    if count(m.group(1)):
        yield from _date(m, m.group(2), m.group(1))
    elif m.group(1) in _BEFORE_MONTH:
        yield from _date(m, m.group(2), None)


def _chinese_week(m: re.Match[str]) -> Found:
    for day in m.group(1):
        if day in _CHINESE_WEEKDAY:
            yield Value("weekday", str(_CHINESE_WEEKDAY[day]), m.start(), m.end())


def _clock(m: re.Match[str], hour: str, minute: str | None, *, part: str | None = None) -> Found:
    number = count(hour)
    if part in _LATE and number < 12:
        number += 12
    yield Value("time", f"{number}:{minute or '00'}", m.start(), m.end())


def _plain(m: re.Match[str]) -> Found:
    digits = m.group(1).replace(",", "")
    norm = digits if len(digits) > 15 or (digits[0] == "0" and digits.isdecimal()) else f"{float(digits):g}"
    if (m.group(2) or "").startswith("万"):
        norm = f"{float(digits) * 10000:g}"
    yield Value("number", norm, m.start(), m.end(1), m.group(2) or "")


def _chinese(m: re.Match[str]) -> Found:
    number = chinese_number(m.group(1))
    hollow = _EMPTY.match(m.string, max(0, m.start() - 1)) or _EMPTY.match(m.group())
    if number and not hollow:
        yield Value(
            "number", f"{number + 0.5 if m.group(2) else number:g}", m.start(), m.end(1), m.group(3) or ""
        )


def _english(m: re.Match[str]) -> Found:
    number = english_number(m.group(1))
    if number is not None:
        yield Value("number", f"{number:g}", m.start(), m.end(1), m.group(2) or "")


# In order: what an earlier pattern took, a later one does not read again.
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?(?!\d)", lambda m: _date(m, m.group(2), m.group(3))),
        (r"(?<![\d.a-z-])\+?\d(?:\d|[ -](?=\d{3})){5,16}\d(?![\d-])", _phone),
        (rf"({_N}) ?月(?:份| ?({_N})(?: ?[日号])?)?(?!个)", lambda m: _date(m, m.group(1), m.group(2))),
        (
            rf"(?<![a-z\d])(?:the )?(\d{{1,2}}|[a-z]+)(?:st|nd|rd|th)?(?: of)? ({_MONTH_NAME})(?![a-z])",
            _english_date,
        ),
        (
            rf"(?<![a-z])({_MONTH_NAME})(?: the)? (\d{{1,2}})(?:st|nd|rd|th)?(?![\d:a-z])",
            lambda m: _date(m, m.group(1), m.group(2)),
        ),
        (
            r"(?:周|星期|礼拜)([一二三四五六日天](?:[、,和跟]?[一二三四五六日天](?![月年个点]))*)",
            _chinese_week,
        ),
        (
            r"(?<![a-z])(mon|tues|wednes|thurs|fri|satur|sun)days?(?![a-z])",
            lambda m: iter([Value("weekday", str(_WEEKDAY[m.group(1)]), m.start(), m.end())]),
        ),
        (r"(?<![\d.])()(\d{1,2}):(\d{2})(?!\d)", lambda m: _clock(m, m.group(2), m.group(3))),
        (
            rf"(早上|上午|凌晨|下午|晚上|中午|早|晚)?({_N})点(半)?(?!\d)",
            lambda m: _clock(m, m.group(2), m.group(3) and "30", part=m.group(1)),
        ),
        (
            rf"(?<![\d.])(\d{{1,2}}|(?<![a-z]){ENGLISH})(?:[:.](\d{{2}}))? ?(am|pm|o'clock)(?![a-z])",
            lambda m: _clock(m, m.group(1), m.group(2), part=m.group(3)),
        ),
        (
            rf"(?<![a-z])half (?:past )?(\d{{1,2}}|{ENGLISH})(?![a-z])",
            lambda m: _clock(m, m.group(1), "30"),
        ),
        (r"(?<![a-z])(noon|midday)(?![a-z])|正午", lambda m: _clock(m, "12", "00")),
        (
            rf"({_N})[日号](?![楼院机线桌位店栋会])|(?<![a-z])the (\d{{1,2}})(?:st|nd|rd|th)(?![a-z])",
            lambda m: iter([Value("date", f"-{count(m.group(1) or m.group(2))}", m.start(), m.end())]),
        ),
        (
            (
                r"(?<![a-z0-9])(?:[a-z]+[-_/#.]?\d[a-z0-9]*|[a-z0-9]+-[a-z0-9]*\d[a-z0-9]*|\d+(?:\.\d+){2,}|\d+[a-f](?![a-z]))"
                r"(?:[-_/.][a-z0-9]+)*(?![a-z0-9])"
            ),
            lambda m: iter([Value("code", m.group(), m.start(), m.end())]),
        ),
        (
            r"(?<![\d.a-z])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?!\d)(?: ?(%|[a-z]+|[\u4e00-\u9fff]{1,2}))?",
            _plain,
        ),
        (rf"(?<!第)([{CHINESE}]{{1,9}})(半)?([\u4e00-\u9fff]{{1,2}})?", _chinese),
        (rf"(?<![a-z])({ENGLISH})(?![a-z])(?: ([a-z]+))?", _english),
    )
)


@lru_cache(maxsize=4096)
def values(text: str) -> tuple[Value, ...]:
    """Every value told in a text, in order of place; none is read twice."""
    folded = fold(text)
    taken = [False] * len(folded)
    found: list[Value] = []
    for pattern, reader in _READERS:
        for match in pattern.finditer(folded):
            for value in reader(match):
                if any(taken[value.start : value.end]) and value.sort != "weekday":
                    continue
                found.append(value)
        for value in found:
            taken[value.start : value.end] = [True] * (value.end - value.start)
    return tuple(sorted(found, key=lambda value: (value.start, value.norm)))
