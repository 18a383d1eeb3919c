"""Text to terms, on the way in (`indexed`) and on the way out (`asked_words`): the words of the word arm.

Chinese is cut into characters and pairs of them, English is stemmed, identifiers are kept whole beside
their parts and beginnings, numbers written in groups are joined, dates become terms of the calendar that
are the same in every language. A term is a stable 32-bit hash of a token, so terms may be stored. Pure but
for caches; never raises on any `str`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from holdfast.recall.calendar_spans import Span
from holdfast.recall.concepts import SHORTEST_TELEPHONE, concepts, traits, with_broader
from holdfast.recall.fold import fold
from holdfast.recall.lexicon import load
from holdfast.recall.stems import stem
from holdfast.recall.times import named_times

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

# What a question's terms weigh: a Chinese character or pair, an English word, an identifier or number
# (MemDaily pooled R@10 .673 so, .666 with all alike; LoCoMo asks for no identifiers).
HAN_WEIGHT, WORD_WEIGHT, IDENTIFIER_WEIGHT = 0.5, 1.0, 2.0
# Beginnings of an identifier longer than this are looked for whole.
LONGEST_BEGINNING = 10
# A count is stored in two bytes.
MOST_COUNT = 65535
# So many last digits of a long number are a name for it.
LAST_DIGITS = 4

# Scripts written without spaces; and words, with the marks that join the parts of an identifier, or follow
# it (C++).
_HAN = r"\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003134f"
_PART = rf"[^\W_{_HAN}]+"
_TOKEN = re.compile(rf"(?P<han>[{_HAN}]+)|\d{{1,2}}:\d\d(?!\d)|{_PART}(?:[-_./:+@#']{_PART})*[+#]{{0,2}}")
_GROUPED = re.compile(r"(?<![\w.:-])\+?\(?\d{1,6}\)?(?:[ -]\(?\d{2,6}\)?){1,5}(?![\d:-])")
_DATE = re.compile(r"(?:19|20)\d\d-\d{1,2}-\d{1,2}")
_SPLIT = re.compile(r"[-_./:+@#']|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Indexed:
    """The words of one text as they are stored: distinct terms, how often each stands there, and the
    length.
    """

    terms: tuple[int, ...]
    counts: tuple[int, ...]
    length: int
    asks: bool


def term_hash(token: str) -> int:
    """The term of a token: CRC-32 of its UTF-8, the same in every process and version."""
    return crc32(token.encode("utf-8", "surrogatepass"))


def _identifier(token: str) -> Iterator[str]:
    """RM05-008: itself, its parts, and its beginnings, by which it is found too; of a long number its last
    four.
    """
    if ":" in token or _DATE.fullmatch(token):
        yield token
        return
    parts = [part for part in _SPLIT.split(token) if part]
    joined = "".join(parts)
    yield joined
    if joined.isdecimal():
        if len(joined) >= SHORTEST_TELEPHONE:
            yield f"*{joined[-LAST_DIGITS:]}"
        return
    if len(parts) > 1:
        yield from parts
    yield from (f"{joined[:size]}*" for size in range(2, min(len(joined), LONGEST_BEGINNING + 1)))


def _joined(match: re.Match[str]) -> str:
    """138-0013-8000 and 07700 900111 as one number."""
    digits = re.sub(r"\D", "", match[0])
    return digits if len(digits) >= SHORTEST_TELEPHONE and not _DATE.match(match[0]) else match[0]


def _english(token: str) -> Iterator[str]:
    token = token.split("'", maxsplit=1)[0]  # Carol's, don't
    parts = [part for part in _SPLIT.split(token) if part]
    if len(parts) > 1 or token[-1] in "+#":
        yield token if token[-1] in "+#" else stem("".join(parts))
    for part in parts:
        if part not in load().stop_words:
            yield stem(part)


@lru_cache(maxsize=65536)
def _cut(run: str) -> tuple[str, ...]:
    """A run of Chinese as characters, less those that are grammar, and pairs."""
    stop = load().stop_characters
    return (*(c for c in run if c not in stop), *(run[i : i + 2] for i in range(len(run) - 1)))


@lru_cache(maxsize=65536)
def _parted(token: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_identifier(token)) if _DIGIT.search(token) else _english(token))


def _weighed(text: str) -> Iterator[tuple[str, float]]:
    """Each token with its weight in a question."""
    for match in _TOKEN.finditer(_GROUPED.sub(_joined, fold(text))):
        if match["han"]:
            for token in _cut(match[0]):
                yield token, HAN_WEIGHT
        else:
            for token in _parted(match[0]):
                yield token, IDENTIFIER_WEIGHT if _DIGIT.search(token) else WORD_WEIGHT


def tokens(text: str) -> list[str]:
    """The tokens of a text in order, repeats included; an identifier's beginnings end in an asterisk."""
    return [token for token, _ in _weighed(text)]


def date_tokens(spans: tuple[Span, ...]) -> list[str]:
    """Terms of the calendar: "~2023", "~2023-05", "~05", "~05-07", "~2023-05-07"; a loose stretch has none.

    A month or day without a year has only the terms that hold in every year.
    """
    found: list[str] = []
    for span in spans:
        start = span.start
        if span.grain in {"stretch", "week"}:
            continue
        year, month, day = f"{start.year:04}", f"{start.month:02}", f"{start.day:02}"
        with_year = [f"~{year}"] if span.grain == "year" else [f"~{year}", f"~{year}-{month}"]
        without = [] if span.grain == "year" else [f"~{month}"]
        if span.grain in {"day", "part"}:
            with_year.append(f"~{year}-{month}-{day}")
            without.append(f"~{month}-{day}")
        found += without if span.yearless else without + with_year
    return list(dict.fromkeys(found))


def indexed(text: str, *, said: datetime | None = None, beside: tuple[str, ...] = ()) -> Indexed:
    """The words of a memory: its text, the day it was said, and the days it names ("tomorrow" counts from
    `said`).

    `beside`: what is told beside the text (labels, captions) and found like it, but says nothing of its
    form.
    """
    whole = "\n".join((text, *beside))
    found = tokens(whole)
    length = sum(not token.endswith("*") for token in found)
    about = with_broader(concepts(whole))
    if said is not None:
        about += traits(whole, said)
        found += date_tokens((Span(said, said, "day"), *named_times(fold(whole), said)))
    found += [f"#{name}" for name in dict.fromkeys(about)]
    counts = Counter(term_hash(token) for token in found)
    return Indexed(tuple(counts), tuple(min(n, MOST_COUNT) for n in counts.values()), length, only_asks(text))


def only_asks(text: str) -> bool:
    """Whether a text ends in a question: what was asked is seldom the answer (LoCoMo R@10 +.008)."""
    return text.rstrip()[-1:] in {"?", "？"}


@cache
def _question_words() -> re.Pattern[str]:
    return re.compile("|".join(load().question_words))


def asked_words(text: str, now: datetime) -> dict[int, float]:
    """The words of a question with their weights; dates in it count as they were meant at `now`.

    A question of nothing but question words is asked as it stands. An identifier is also found by its
    beginning, and a long number by its last digits.
    """
    weights: dict[int, float] = {}
    bare = _question_words().sub(" ", fold(text))
    for token, weight in tuple(_weighed(bare)) or tuple(_weighed(text)):
        if token.endswith("*"):
            continue
        weights[term_hash(token)] = weight
        if _DIGIT.search(token) and len(token) > 2:
            weights[term_hash(f"{token}*")] = weight
        if token.isdecimal() and len(token) == LAST_DIGITS:
            weights[term_hash(f"*{token}")] = weight
    for token in date_tokens(named_times(fold(text), now)):
        weights[term_hash(token)] = WORD_WEIGHT
    return weights
