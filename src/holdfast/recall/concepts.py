"""What a text is about in everyday terms, so that a question finds a memory with which it shares no word.

Concepts come from `lexicon/concepts.toml` ("specs", "老花镜" → glasses); traits say what a text offers to a
question of some form (a date to "when"). Pure but for caches; never raises on any `str`.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache, lru_cache

from holdfast.recall.fold import fold, is_han
from holdfast.recall.lexicon import load
from holdfast.recall.stems import stem
from holdfast.recall.times import named_times

# A day that is named and lies so far back makes a memory one of former times.
LONG_AGO = timedelta(days=5 * 365)
# As long a number as a telephone's.
SHORTEST_TELEPHONE = 7

_UNIT = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]")
_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CLOCK = re.compile(
    r"\d{1,2}[:点时]\d{0,2}|[一二两三四五六七八九十]+点|o'clock|half past|\d ?[ap]m\b"
    rf"|\b(?:past|to) (?:\d|{_HOUR})\b|\bat (?:\d|{_HOUR}|noon)\b"
)
_LONG_NUMBER = re.compile(rf"(?:\d[ -]?){{{SHORTEST_TELEPHONE},}}")


@cache
def _entries() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[int, ...]]]:
    """Chinese entries as they stand, English ones stemmed word by word; and how long, in words or characters,
    those are that begin with a unit, longest first.
    """
    entries: dict[str, tuple[str, ...]] = {}
    for entry, names in load().concepts.items():
        known = entry if is_han(entry[0]) else " ".join(stem(part) for part in entry.split("_"))
        entries[known] = tuple(dict.fromkeys((*entries.get(known, ()), *names)))
    sizes: dict[str, set[int]] = {}
    for entry in entries:
        units = list(entry) if is_han(entry[0]) else entry.split(" ")
        sizes.setdefault(units[0], set()).add(len(units))
    return entries, {first: tuple(sorted(known, reverse=True)) for first, known in sizes.items()}


@lru_cache(maxsize=4096)
def concepts(text: str) -> tuple[str, ...]:
    """The concepts that a text touches: the longest entry at each place counts, and is then passed over."""
    entries, sizes = _entries()
    units = [unit if is_han(unit[0]) else stem(unit) for unit in _UNIT.findall(fold(text))]
    found: dict[str, None] = {}
    at = 0
    while at < len(units):
        for size in sizes.get(units[at], ()):
            join = "" if is_han(units[at][0]) else " "
            names = entries.get(join.join(units[at : at + size]))
            if names:
                found.update(dict.fromkeys(names))
                at += size - 1
                break
        at += 1
    return tuple(found)


def with_broader(touched: tuple[str, ...]) -> tuple[str, ...]:
    """The concepts, and those that they belong to: who speaks of soup speaks of eating."""
    wider = (name for concept in touched for name in load().broader.get(concept, ()))
    return tuple(dict.fromkeys((*touched, *wider)))


def traits(text: str, said: datetime) -> tuple[str, ...]:
    """What a text offers to a form of question: "dated" to "when", "numbered" to "which number", "past" to
    "then".
    """
    folded = fold(text)
    spans = named_times(folded, said)
    found = ["dated"] if spans or _CLOCK.search(folded) else []
    if _LONG_NUMBER.search(folded):
        found.append("numbered")
    if any(span.end < said - LONG_AGO for span in spans):
        found.append("past")
    return tuple(found)
