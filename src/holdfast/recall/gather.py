"""First half of the way out: which memories could answer, and how well, from every arm over the image.

Asks the embedder once; where it cannot be reached, words answer and the answer says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import Unavailable
from holdfast.model.layer import Layer, Mode
from holdfast.recall import record
from holdfast.recall.bonuses import last_talks
from holdfast.recall.exact import exactly_named
from holdfast.recall.frame import Sieve, layer_flags
from holdfast.recall.fuse import HALF_WAY, Blend, fuse
from holdfast.recall.intent import read_question
from holdfast.recall.nearest import similarities
from holdfast.recall.rank import Candidates

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.profile.schema import Profile, Recall
    from holdfast.recall import intent
    from holdfast.recall.frame import Frame
    from holdfast.recall.fuse import Scores
    from holdfast.recall.question import Question
    from holdfast.recall.view import View
    from holdfast.scope import Scope

EXACT = 0.5
"""What a row named exactly gains of what is missing to a relevance of 1: it leads unless it is quite beside
the point (M11, layer 1).
"""
READ = 4000
"""Characters of a question; the words of ten thousand would take seconds and say no more."""
LEAST = 0.05
UNKNOWN = -1.0
"""In place of a similarity: there is no vector to compare."""
TELLING = ("concepts", "time", "layer")
_EPISODES = layer_flags([Layer.EPISODE])


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the arms found, and how it was looked for. `exact`: the rows that the question names
    exactly; `last`: the newest talks, newest first, where it asks for these, which are among the `exact`.
    """

    frame: Frame
    scores: Scores
    allowed: NDArray[np.bool_]
    exact: NDArray[np.intp]
    last: NDArray[np.int64]
    blind: bool
    """There is no vector of the question: words answer alone."""
    degraded: tuple[str, ...]

    @property
    def found(self) -> int:
        """How many rows the arms looked at closely."""
        return len(self.scores.rows)


def gather(scope: Scope, frame: Frame, question: Question, *, now: datetime) -> Gathered:
    """Every row that the question may see, by relevance. The zone of `now` says what "yesterday" means."""
    recall = scope.profile.recall
    text, note = within_reach(question.query)
    read = read_question(text, now, frame.columns.speakers)
    allowed = frame.allowed(sieve(question, now, scope.profile))
    timed = read.last or any(clause.spans for clause in read.clauses)
    if recall.fallback == "layered" and question.mode is Mode.NORMAL and not timed:
        # M11, layer 3: summaries of the last days; where a time is named it finds the older ones (M6).
        since = record.seconds(now - timedelta(days=recall.session_days))
        allowed &= ((frame.flags & np.uint16(_EPISODES)) == 0) | (frame.columns.at >= since)
    vectors, degraded = _embedded(scope, read)
    scores = fuse(frame.columns, read, vectors, allowed=allowed, blend=_blend(recall))
    exact = exactly_named(frame, question.query) if recall.exact_names else np.empty(0, np.intp)
    last = last_talks(frame.columns, allowed) if read.last else np.empty(0, np.int64)
    exact = np.union1d(exact[allowed[exact]], last)
    return Gathered(frame, scores, allowed, exact, last, vectors is None, (*note, *degraded))


def candidates(gathered: Gathered, view: View, scope: Scope, *, most: int) -> Candidates:
    """The most relevant of what was found, and all that is named exactly, with what ranks and weighs them."""
    frame, scores, profile = gathered.frame, gathered.scores, scope.profile
    rows = scores.rows[:most].astype(np.intp)
    named = np.zeros(len(rows), np.bool_)
    places: slice | NDArray[np.intp] = slice(0, most)
    if len(gathered.exact):
        chosen = np.isin(scores.rows, gathered.exact)
        named = chosen.copy()
        chosen[:most] = True
        places = np.flatnonzero(chosen)
        rows, named = scores.rows[places].astype(np.intp), named[places]
    relevance = relevance_of(scores.score[places])
    relevance[named] += EXACT * (1.0 - relevance[named])
    near = similarities(scope.embedder.calibration, scores.similarity[places])
    near[~frame.columns.has_vector[rows] | gathered.blind] = UNKNOWN
    accesses, accessed = view.accesses(rows)
    default = profile.kinds[profile.default_kind]
    kinds = np.array([profile.kinds.get(name, default) for name in frame.columns.kinds] or [default])
    return Candidates(
        rows=rows,
        relevance=relevance,
        similarity=near,
        told=_told(scores, places),
        exact=named,
        records=frame.packed(rows),
        kind=kinds[frame.columns.kind[rows]],
        at=frame.columns.at[rows],
        accesses=accesses,
        accessed=accessed,
    )


def within_reach(query: str) -> tuple[str, tuple[str, ...]]:
    """A question of usual length whole; of a page its beginning and its end, where what is asked mostly
    stands.
    """
    if len(query) <= READ:
        return query, ()
    half = READ // 2
    return f"{query[:half]}\n{query[-half:]}", (
        f"read the first and last {half:,} characters of the question",
    )


def sieve(question: Question, now: datetime, profile: Profile) -> Sieve:
    """What the question may see."""
    return Sieve(
        mode=question.mode,
        layers=question.layers,
        now=record.seconds(now),
        session_from=record.seconds(now - timedelta(hours=profile.session.hours)),
        kinds=question.kinds,
        session=question.session,
        entity_type=question.entity_type,
        min_confidence=question.min_confidence,
        entities=question.entities,
    )


def relevance_of(score: NDArray[np.float32]) -> NDArray[np.float64]:
    """The arms' sum on a scale from 0 to 1 in the same order: LEAST for an average row, about one half at
    HALF_WAY, and never 0, so that salience can order what is hardly relevant too.
    """
    above = np.maximum(score, 0.0, dtype=np.float64)
    below = LEAST * np.exp(np.minimum(score, 0.0, dtype=np.float64) / HALF_WAY)
    return np.asarray(below + (1.0 - LEAST) * above / (above + HALF_WAY), np.float64)


def _told(scores: Scores, places: slice | NDArray[np.intp]) -> NDArray[np.bool_]:
    """What anything but likeness found: a word, a concept, the time or the kind of telling asked for."""
    told = scores.coverage[places] > 0
    for arm in TELLING:
        if arm in scores.arms:
            told |= scores.arms[arm][places] > 0
    return np.asarray(told)


def _embedded(scope: Scope, read: intent.Question) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    try:
        return scope.embedder.embed(read.texts), ()
    except Unavailable as error:
        return None, (f"words only: {error}",)


@lru_cache(maxsize=64)
def _blend(recall: Recall) -> Blend:
    """The weights that a document names, else those measured best."""
    if recall.vector is None or recall.words is None:
        return Blend()
    return Blend(words=recall.words, vectors=recall.vector)
