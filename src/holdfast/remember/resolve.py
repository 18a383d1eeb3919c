"""What a reference means (A11): "上次那个料号", "that part again" → the entity, or several with their scores.

The words of a reference may name a type, a time, and something of the entity or of what was said with it;
the rest points, and what points means what was last spoken of. Nothing is written, and no access counted.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from holdfast.model import check
from holdfast.model.plan import Listing
from holdfast.recall.fold import fold
from holdfast.recall.times import named_times
from holdfast.remember.entities import LISTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.recall.calendar_spans import Span
    from holdfast.scope import Scope

REFERENCE_MOST = 500
SCANNED = 10_000  # the newest entities that are looked at, of each type
SURE = 1.5  # so many times the next one's score, and it is meant
WORDS = 0.7  # what the words of a reference count for beside how long ago it was: they were chosen
OFF_TIME = 0.3  # what is left of the score of what was not spoken of at the time named
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_LATIN = re.compile(r"[a-z0-9][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that may be meant: 1 is the highest score."""

    memory: Memory
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """What a reference means: `memory` where one stands out, else None and the candidates, best first."""

    reference: str
    types: tuple[str, ...]
    memory: Memory | None
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Meant:
    """A reference as it was read."""

    types: frozenset[str]
    spans: tuple[Span, ...]
    words: frozenset[str]


def resolve(scope: Scope, reference: str, *, at: datetime | None = None, limit: int = 5) -> Resolved:
    """Looks through the entities that stand."""
    moment = check.moment("at", at) if at is not None else scope.clock.now()
    scope.require("recall", moment)
    told = check.text("reference", reference, most=REFERENCE_MOST)
    most = check.whole("limit", limit, low=1, high=1000)
    meant = read(told, moment)
    scope.images.flush(scope.store)
    found = scored(meant, [m for m in _entities(scope, meant.types) if m.created_at <= moment])[:most]
    one = len(found) == 1 or (len(found) > 1 and found[0].score >= SURE * found[1].score)
    memory = found[0].memory if found and one else None
    return Resolved(reference=told, types=tuple(sorted(meant.types)), memory=memory, candidates=tuple(found))


def _entities(scope: Scope, types: frozenset[str]) -> list[Memory]:
    wanted = Listing(statuses=LISTED, newest_first=True, limit=SCANNED)
    pages = [scope.store.list(replace(wanted, entity_type=type)) for type in sorted(types)]
    found = [memory for page in pages for memory in page] if types else scope.store.list(wanted)
    return [memory for memory in found if memory.entity_type]


def read(reference: str, now: datetime) -> Meant:
    """Types, times and words of a reference."""
    folded = fold(reference)
    types, rest = set(), folded
    named, pointing = _lexicon()
    for type, words in named.items():
        for word in words:
            if _at(word, folded):
                types.add(type)
                rest = _without(word, rest)
    spans = named_times(folded, now)
    for word in pointing:
        rest = _without(word, rest)
    return Meant(frozenset(types), tuple(spans), frozenset(_words(rest)))


def scored(meant: Meant, entities: Sequence[Memory]) -> list[Candidate]:
    """Best first; what was spoken of at the same moment is equally near."""
    times = sorted({_last(memory) for memory in entities}, reverse=True)
    place = {time: number for number, time in enumerate(times)}
    found = [_scored(meant, memory, place[_last(memory)]) for memory in entities]
    return sorted(found, key=lambda one: (-one.score, one.memory.id))


def _scored(meant: Meant, memory: Memory, place: int) -> Candidate:
    score = 1.0 / (1 + place)
    reasons = ["spoken of last" if place == 0 else f"spoken of {place} later ones ago"]
    if meant.types:
        reasons.append(f"a {memory.entity_type}")
    if meant.spans:
        then = any(time in span for span in meant.spans for time in _spoken(memory))
        score *= 1.0 if then else OFF_TIME
        reasons.append("at the time named" if then else "at another time")
    if meant.words:
        value, context = fold(memory.entity_value), fold(str(memory.metadata.get("context", "")))
        shared = {word for word in meant.words if word in value or word in context}
        score = score * (1 - WORDS) + WORDS * len(shared) / len(meant.words)
        reasons.append(f"shares {len(shared)} of {len(meant.words)} words")
    return Candidate(memory, round(score, 4), tuple(reasons))


def _last(memory: Memory) -> datetime:
    return memory.mentioned_at or memory.created_at


def _spoken(memory: Memory) -> tuple[datetime, ...]:
    return (memory.created_at, _last(memory), *memory.recent_mentions)


def _at(word: str, text: str) -> bool:
    return word in text if _HAN.search(word) else re.search(rf"\b{re.escape(word)}\b", text) is not None


def _without(word: str, text: str) -> str:
    return text.replace(word, " ") if _HAN.search(word) else re.sub(rf"\b{re.escape(word)}\b", " ", text)


def _words(text: str) -> Iterable[str]:
    """Pairs of Chinese characters, and words; single characters tell nothing."""
    for run in _HAN.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    yield from (word for word in _LATIN.findall(text) if len(word) > 1)


@cache
def _lexicon() -> tuple[dict[str, list[str]], list[str]]:
    """Type → the words that name it; and the words that only point."""
    text = resources.files("holdfast.remember").joinpath("references.toml").read_text(encoding="utf-8")
    written = tomllib.loads(text)
    return written["types"], written["pointing"]["words"]
