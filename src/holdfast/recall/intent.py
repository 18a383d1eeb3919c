"""What a question asks: its clauses, and for each the words, concepts, times, speakers and kinds sought.
Pure.

First step of the way out: `read_question` turns a text into a `Question`; its clauses are embedded in one
batch (`Question.texts`), and `fuse.py` weighs the space against it. Nothing typed into a question raises.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from holdfast.recall.concepts import concepts
from holdfast.recall.fold import fold, is_han, simplified
from holdfast.recall.lexicon import load
from holdfast.recall.times import named_times
from holdfast.recall.words import asked_words, term_hash

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.recall.calendar_spans import Span

# Each clause costs an embedding and a pass of the vectors; the parts of a compound question seldom number
# more.
MOST_CLAUSES = 4
# A statement beside a question is context or chatter (MemDaily, noisy files: .5 .65, 1.0 .64).
ASIDE = 0.5
# "Yesterday", "last night", "on Monday": a question that names a day of the last eight asks what happened
# on it.
FRESH = timedelta(days=8)

_CLAUSE = re.compile(r"[^。！？!?；;\n]+[。！？!?；;\n]*")
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3}\.) +(?=[A-Z])")
# Speakers under these names are roles, not people: nobody asks what "user" did by that name.
ROLES = frozenset({"user", "assistant", "system", "human", "ai", "bot", "用户", "助手", "我", "你"})


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a question that stands for itself."""

    text: str
    voiced: str
    """The text to embed: in the first person of a speaker it names, and in simplified characters."""
    weight: float
    words: Mapping[int, float]
    """Term to weight, see `words.asked_words`."""
    concepts: tuple[int, ...]
    """Terms of the concepts that the clause touches."""
    kinds: Mapping[str, float]
    """Kinds of memory that would answer, the likeliest 1."""
    recounts: bool
    """Asks what happened lately: answered by the layers of dated summaries."""
    last: bool
    """Asks for the last talk and names no topic: answered by the newest of them (C2)."""
    spans: tuple[Span, ...]
    speakers: frozenset[str]
    """Speakers named, as they were given."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the arms need it."""

    text: str
    now: datetime
    clauses: tuple[Clause, ...]

    @property
    def last(self) -> bool:
        """Whether the last talk is asked for, and not only in passing."""
        return any(clause.last and clause.weight > ASIDE for clause in self.clauses)

    @property
    def texts(self) -> list[str]:
        """What is to be embedded, a clause a row, in one call."""
        return [clause.voiced for clause in self.clauses]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(load().patterns[name])


def split_clauses(text: str) -> tuple[tuple[str, float], ...]:
    """The clauses with their weights: where something is asked, the rest is an aside; at most MOST_CLAUSES
    are kept.
    """
    parts = [part.strip() for found in _CLAUSE.findall(text) for part in _SENTENCE_END.split(found)]
    parts = [part for part in dict.fromkeys(parts) if len(part) > 1]
    if len(parts) < 2:
        return ((text, 1.0),)
    asked = [part for part in parts if part[-1] in "?？"]
    weighed = [(part, 1.0 if part in asked or not asked else ASIDE) for part in parts]
    if len(weighed) > MOST_CLAUSES:
        kept = sorted(weighed, key=lambda each: (-each[1], -len(each[0])))[:MOST_CLAUSES]
        weighed = [each for each in weighed if each in kept]
    return tuple(weighed)


@lru_cache(maxsize=512)
def _name_pattern(name: str) -> re.Pattern[str]:
    escaped = re.escape(name)
    if is_han(name[0]):
        return re.compile(escaped)
    return re.compile(rf"(?<!\w){escaped}(?:['’]s)?(?!\w)", re.IGNORECASE)


def _called(speaker: str) -> tuple[str, ...]:
    """What a speaker may be called: the whole name, and its first word."""
    name = speaker.strip()
    first = name.split(" ")[0] if name else ""
    return tuple(each for each in dict.fromkeys((name, first)) if len(each) > 1 and fold(each) not in ROLES)


def voice(text: str, speakers: tuple[str, ...]) -> tuple[str, frozenset[str]]:
    """The text in the first person of the speakers that it names, and which these are.

    What Caroline said was said as "I" and "my": turned so, the embedder finds it (LoCoMo, vectors alone:
    R@10 .22 to .51).
    """
    named = set()
    for speaker in speakers:
        for name in _called(speaker):
            pattern = _name_pattern(name)
            if not pattern.search(text):
                continue
            named.add(speaker)
            if is_han(name[0]):
                text = text.replace(name, "我")
            else:
                text = pattern.sub(lambda found: "my" if found[0].endswith(("'s", "’s")) else "I", text)
    return text, frozenset(named)


def _kinds(touched: tuple[str, ...], folded: str) -> dict[str, float]:
    asked = (*touched, "when") if _pattern("when").search(folded) else touched
    votes = Counter(kind for concept in asked for kind in load().kinds.get(concept, ()))
    most = max(votes.values(), default=1)
    return {kind: count / most for kind, count in votes.items()}


def _recounts(folded: str, spans: tuple[Span, ...], now: datetime) -> bool:
    fresh = any(s.grain in {"day", "part"} and s.start <= now and now - s.start < FRESH for s in spans)
    return fresh or _pattern("recounts").search(folded) is not None


def _clause(text: str, weight: float, now: datetime, *, speakers: tuple[str, ...]) -> Clause:
    folded = fold(text)
    voiced, named = voice(text, speakers)
    touched, spans = concepts(text), named_times(folded, now)
    last = _pattern("last_talk").search(folded.strip()) is not None
    recounts = last or _recounts(folded, spans, now)
    sought = list(touched)
    sought += ["dated"] if _pattern("when").search(folded) else []
    sought += ["numbered"] if _pattern("number").search(folded) else []
    return Clause(
        text=text,
        voiced=simplified(voiced),
        weight=weight,
        words=asked_words(text, now),
        concepts=tuple(term_hash(f"#{name}") for name in sought),
        kinds={} if recounts else _kinds(touched, folded),  # what happened is told by days, not by kinds
        recounts=recounts,
        last=last,
        spans=spans,
        speakers=named,
    )


def read_question(text: str, now: datetime, speakers: tuple[str, ...] = ()) -> Question:
    """The question, read at `now` in a space where these speakers are known."""
    clauses = tuple(_clause(part, weight, now, speakers=speakers) for part, weight in split_clauses(text))
    return Question(text, now, clauses)
