"""Text to terms, on the way in (`indexed`) and on the way out (`asked_words`): the words of the word arm.

Chinese is cut into characters and pairs of them, English is stemmed (irregular forms too), identifiers are kept whole
beside their parts and beginnings, numbers written in groups are joined, dates become terms of the calendar that are the
same in every language. A term is a stable 32-bit hash of a token, so terms may be stored. Pure but for caches;
never raises on any `str`.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from zlib import crc32

from holdfast.recall.calendar_spans import Span
from holdfast.recall.fold import fold, is_han
from holdfast.recall.lexicon import load
from holdfast.recall.times import named_times

# What the weights of a question's terms are worth against an English word (MemDaily, pooled R@10: an identifier or a
# number that weighs four times a character .673, all alike .666; LoCoMo has none).
HAN_WEIGHT, WORD_WEIGHT, IDENTIFIER_WEIGHT = 0.5, 1.0, 2.0

_TOKEN = re.compile(
    r"\d{1,2}:\d\d(?!\d)|[a-z0-9](?:[a-z0-9]*(?:[-_./:+@#'][a-z0-9]+)*)[+#]{0,2}|[\u3400-\u9fff\U00020000-\U0003134f]+|[^\W_]+"
)
_GROUPED = re.compile(r"(?<![\w.:-])\+?\(?\d{1,6}\)?(?:[ -]\(?\d{2,6}\)?){1,5}(?![\d:-])")
# A date, or a number that is shorter than any telephone's, stays as it is written.
_DATE = re.compile(r"(?:19|20)\d\d-\d{1,2}-\d{1,2}")
_SHORTEST_TELEPHONE = 7
_SPLIT = re.compile(r"[-_./:+@#']|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])")
_DIGIT = re.compile(r"\d")
# Beginnings of an identifier longer than this are looked for whole.
LONGEST_BEGINNING = 10

# A day that is named and lies so far back makes a memory one of former times.
LONG_AGO = timedelta(days=5 * 365)
_CLOCK = re.compile(r"\d{1,2}[:点时]\d{0,2}|[一二两三四五六七八九十]+点|o'clock|half past|\b(?:past|to) (?:\d|one|two|three|four|five"
    r"|six|seven|eight|nine|ten|eleven|twelve)|\bat (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)|\d ?[ap]m\b")

_stemmers = threading.local()


@dataclass(frozen=True, slots=True)
class Indexed:
    """The words of one text as they are stored: distinct terms, how often each stands there, and the length."""

    terms: tuple[int, ...]
    counts: tuple[int, ...]
    length: int
    asks: bool


def term_hash(token: str) -> int:
    """The term of a token: CRC-32 of its UTF-8, the same in every process and version."""
    return crc32(token.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of an English word; irregular forms by the table ("went" → "go"). Safe in threads."""
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        import Stemmer

        stemmer = _stemmers.english = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(load().irregular.get(word, word)))


def _identifier(token: str) -> Iterator[str]:
    """RM05-008: itself, its parts, and its beginnings, by which it is found too; of a long number its last four."""
    if ":" in token or _DATE.fullmatch(token):
        yield token
        return
    parts = [part for part in _SPLIT.split(token) if part]
    joined = "".join(parts)
    yield joined
    if joined.isdecimal():
        if len(joined) >= _SHORTEST_TELEPHONE:
            yield f"*{joined[-4:]}"
        return
    if len(parts) > 1:
        yield from parts
    yield from (f"{joined[:size]}*" for size in range(2, min(len(joined), LONGEST_BEGINNING + 1)))


def _joined(match: re.Match[str]) -> str:
    """138-0013-8000 and 07700 900111 as one number."""
    digits = re.sub(r"\D", "", match[0])
    return digits if len(digits) >= _SHORTEST_TELEPHONE and not _DATE.match(match[0]) else match[0]


def _english(token: str) -> Iterator[str]:
    if token.endswith("'s"):
        token = token[:-2]
    if "'" in token:
        token = token.split("'")[0]
    parts = [part for part in _SPLIT.split(token) if part]
    if len(parts) > 1 or token[-1] in "+#":
        yield token if token[-1] in "+#" else stem("".join(parts))
    for part in parts:
        if part not in load().stop_words:
            yield stem(part)


@lru_cache(maxsize=65536)
def _of_token(token: str) -> tuple[str, ...]:
    if is_han(token[0]):
        stop = load().stop_characters
        single = [c for c in token if c not in stop]
        return (*single, *(token[i : i + 2] for i in range(len(token) - 1)))
    if _DIGIT.search(token):
        return tuple(dict.fromkeys(_identifier(token)))
    return tuple(_english(token))


def tokens(text: str) -> list[str]:
    """The tokens of a text in order, repeats included; an identifier's beginnings end in an asterisk."""
    folded = _GROUPED.sub(_joined, fold(text))
    found: list[str] = []
    for match in _TOKEN.finditer(folded):
        found.extend(_of_token(match[0]))
    return found


def date_tokens(spans: tuple[Span, ...]) -> list[str]:
    """Terms of the calendar: "~2023", "~2023-05", "~05", "~05-07", "~2023-05-07"; a loose stretch has none."""
    found: list[str] = []
    for span in spans:
        start = span.start
        if span.grain in {"stretch", "week"}:
            continue
        if not span.yearless:
            found.append(f"~{start:%Y}")
        if span.grain == "year":
            continue
        found.append(f"~{start:%m}")
        if not span.yearless:
            found.append(f"~{start:%Y-%m}")
        if span.grain != "month":
            found.append(f"~{start:%m-%d}")
            if not span.yearless:
                found.append(f"~{start:%Y-%m-%d}")
    return list(dict.fromkeys(found))


def indexed(text: str, *, said: datetime | None = None) -> Indexed:
    """The words of a memory: its text, the day it was said, and the days that it names ("tomorrow" from `said`)."""
    found = tokens(text)
    length = sum(not token.endswith("*") for token in found)
    if said is not None:
        day = Span(said, said, "day")
        found += date_tokens((day, *named_times(fold(text), said)))
    found += [f"#{concept}" for concept in (*concepts(text), *traits(text, said))]
    counts = Counter(term_hash(token) for token in found)
    return Indexed(tuple(counts), tuple(min(n, 65535) for n in counts.values()), length, only_asks(text))


@cache
def _concept_entries() -> tuple[dict[str, tuple[str, ...]], int]:
    """Chinese entries as they stand, English ones stemmed word by word; and the longest, in words or characters."""
    entries: dict[str, tuple[str, ...]] = {}
    for entry, names in load().concepts.items():
        words = [entry] if is_han(entry[0]) else [" ".join(stem(part) for part in entry.split("_"))]
        for word in words:
            entries[word] = tuple(dict.fromkeys((*entries.get(word, ()), *names)))
    return entries, max(len(e) if is_han(e[0]) else e.count(" ") + 1 for e in entries)


_UNIT = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]")


@lru_cache(maxsize=4096)
def concepts(text: str) -> tuple[str, ...]:
    """The everyday concepts that a text touches: the longest entry at each place counts, and is then passed over."""
    entries, longest = _concept_entries()
    units = [u if is_han(u[0]) else stem(u) for u in _UNIT.findall(fold(text))]
    found: dict[str, None] = {}
    at = 0
    while at < len(units):
        join = "" if is_han(units[at][0]) else " "
        for size in range(min(longest, len(units) - at), 0, -1):
            names = entries.get(join.join(units[at : at + size]))
            if names:
                found.update(dict.fromkeys(names))
                at += size - 1
                break
        at += 1
    return tuple(found)


def traits(text: str, said: datetime | None) -> tuple[str, ...]:
    """What a text offers to a question of a form: "dated" to "when", "numbered" to "which number", "past" to "before"."""
    folded = fold(text)
    found = []
    spans = named_times(folded, said) if said else ()
    if spans or _CLOCK.search(folded):
        found.append("dated")
    if any(token.isdecimal() and len(token) >= _SHORTEST_TELEPHONE for token in tokens(text)):
        found.append("numbered")
    if said and any(span.end < said - LONG_AGO for span in spans):
        found.append("past")
    return tuple(found)


def only_asks(text: str) -> bool:
    """Whether a text ends in a question: what was asked is seldom the answer (LoCoMo R@10 +.008)."""
    return text.rstrip()[-1:] in {"?", "？"}


@cache
def _question_words() -> re.Pattern[str]:
    return re.compile("|".join(load().question_words))


def asked_words(text: str, now: datetime) -> dict[int, float]:
    """The words of a question with their weights; dates in it count as they were meant on that day.

    A question of nothing but stop words is asked as it stands, and an identifier's first part finds it.
    """
    weights: dict[int, float] = {}
    bare = _question_words().sub(" ", fold(text))
    for token in tokens(bare) or tokens(text):
        if token.endswith("*"):
            continue
        if token.startswith("*"):
            weight = WORD_WEIGHT
        elif is_han(token[0]):
            weight = HAN_WEIGHT
        else:
            weight = IDENTIFIER_WEIGHT if _DIGIT.search(token) else WORD_WEIGHT
        weights[term_hash(token)] = weight
        if _DIGIT.search(token) and len(token) > 2:
            weights[term_hash(f"{token}*")] = weight
    for token in date_tokens(named_times(fold(text), now)):
        weights[term_hash(token)] = WORD_WEIGHT
    return weights
