"""From a question and a space to one ordered list: the arms weighed together, with every factor kept for `explain`.

`fuse` scans the arms over all allowed rows, takes the best as candidates (all, in a small space), and adds what is
cheap only for some: session, speaker, time, kind, layer, and the words that a candidate shares with the best one.
Pure numpy. A score is a sum of standard deviations and bonuses: about 0 for an average row, 5 to 25 for an answer;
`Scores.relevance` maps it to 0..1 in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall.arms import (
    Entries,
    Kernel,
    Saturation,
    concept_scores,
    flat_entries,
    lent,
    rarity,
    scale_of,
    settled,
    similarities,
    spread,
    word_scores,
)
from holdfast.recall.columns import Columns
from holdfast.recall.intent import Clause, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Up to so many rows every one is a candidate; above, the best of the scan (and those of the time asked for).
ALL_ROWS, CANDIDATES = 2048, 512
# Handed on to the ranking, which re-orders by salience: more than any limit asked for, less than is slow to carry.
MOST_KEPT = 400
# `relevance` is one half here: between what an average row and a plain answer have.
HALF_WAY = 8.0
# Layers of dated summaries: what happened lately stands there (M11 layer 3, C2).
RECOUNTED = ("session", "episode")


@dataclass(frozen=True, slots=True)
class Blend:
    """Weights of the recipe; a profile may give others (care: words .3, vectors .7). See docs/retrieval.md."""

    words: float = 0.5
    vectors: float = 0.5
    concepts: float = 0.5
    coverage: float = 5.0
    session: float = 0.2
    speaker: float = 1.5
    time: float = 1.5
    kind: float = 1.0
    recounted: float = 1.5
    unasked: float = 0.6
    asks: float = 0.8
    length: float = 0.4
    feedback: float = 4.0
    feedback_terms: int = 12
    kernel: Kernel = field(default_factory=Kernel)
    saturation: Saturation = field(default_factory=Saturation)


@dataclass(frozen=True, slots=True)
class Scores:
    """The candidates, best first; every array has one entry a candidate."""

    rows: NDArray[np.int64]
    score: NDArray[np.float32]
    similarity: NDArray[np.float32]
    """Raw cosine of the row itself to the clause that found it (what thresholds and calibration speak of)."""
    coverage: NDArray[np.float32]
    """Share of the question's words, by rarity, that the row or its neighbours hold: 0..1."""
    clause: NDArray[np.int64]
    """Which clause of the question found it best."""
    arms: dict[str, NDArray[np.float32]]
    """What each arm added to the score."""

    @property
    def relevance(self) -> NDArray[np.float32]:
        """The score on a scale of 0..1, in the same order; one half at HALF_WAY."""
        above = np.maximum(self.score, 0)
        return above / (above + np.float32(HALF_WAY))

    def place(self, arm: str) -> NDArray[np.int64]:
        """The rank (from 1) that each candidate has by one arm alone."""
        order = np.argsort(-self.arms[arm], kind="stable")
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(1, len(order) + 1)
        return places


def fuse(
    columns: Columns,
    question: Question,
    vectors: NDArray[np.float32] | None,
    *,
    allowed: NDArray[np.bool_] | None = None,
    blend: Blend | None = None,
) -> Scores:
    """The allowed rows in the order in which they answer the question.

    `vectors` holds one unit vector a clause (`Question.texts`), or is None where the embedder is down: words answer
    then. Equal scores fall by row, the later written first.
    """
    blend = blend or Blend()
    if allowed is not None and allowed.all():
        allowed = None
    kernel = blend.kernel if (columns.next >= 0).any() else None
    cosines = None if vectors is None or not len(vectors) else similarities(columns, vectors, allowed)
    found = [
        _Pass(columns, clause, blend, kernel=kernel, allowed=allowed).score(None if cosines is None else cosines[number])
        for number, clause in enumerate(question.clauses)
    ]
    return _merged(found, [clause.weight for clause in question.clauses])


def _merged(found: list[Scores], weights: list[float]) -> Scores:
    """Each row at its best clause, the best rows first."""
    if len(found) == 1 and weights == [1.0]:
        return _taken(found[0], np.argsort(-found[0].score[::-1], kind="stable"), reverse=True)
    joined = Scores(
        rows=np.concatenate([each.rows for each in found]),
        score=np.concatenate([each.score * np.float32(weight) for each, weight in zip(found, weights, strict=True)]),
        similarity=np.concatenate([each.similarity for each in found]),
        coverage=np.concatenate([each.coverage for each in found]),
        clause=np.repeat(np.arange(len(found)), [len(each.rows) for each in found]),
        arms={arm: np.concatenate([each.arms[arm] for each in found]) for arm in found[0].arms},
    )
    order = np.lexsort((-joined.rows, -joined.score))
    _, first = np.unique(joined.rows[order], return_index=True)
    return _taken(joined, order[np.sort(first)])


def _taken(scores: Scores, order: NDArray[np.int64], *, reverse: bool = False) -> Scores:
    """The candidates in this order, MOST_KEPT at most; `reverse`: the order counts from the end."""
    kept = order[:MOST_KEPT]
    kept = len(scores.rows) - 1 - kept if reverse else kept
    return Scores(
        rows=scores.rows[kept],
        score=scores.score[kept],
        similarity=scores.similarity[kept],
        coverage=scores.coverage[kept],
        clause=scores.clause[kept],
        arms={arm: values[kept] for arm, values in scores.arms.items()},
    )


@dataclass(slots=True)
class _Pass:
    """One clause over one space."""

    columns: Columns
    clause: Clause
    blend: Blend
    kernel: Kernel | None = field(kw_only=True)
    allowed: NDArray[np.bool_] | None = field(kw_only=True)

    def score(self, cosines: NDArray[np.float32] | None) -> Scores:
        """Scan all rows roughly, choose candidates, weigh these exactly."""
        columns, blend, allowed = self.columns, self.blend, self.allowed
        share = np.float32(2 / (blend.words + blend.vectors))
        similar = np.zeros(columns.rows, np.float32)
        if cosines is not None:
            similar = lent(columns, settled(columns, cosines), self.kernel)
            similar = scale_of(similar, allowed).standing(similar) * share * np.float32(blend.vectors)
        rough = self.looked_up()
        words, concepts = (lent(columns, each, self.kernel) for each in self.matched(rough))
        scales = scale_of(words, allowed), scale_of(concepts, allowed)
        base = similar + scales[0].standing(words) + scales[1].standing(concepts) * np.float32(blend.concepts)
        rows = self.candidates(base)
        words, concepts = self.matched(rough, rows)
        coverage = words / np.float32(max(self.ceiling(rough), 1e-9))
        lexical = scales[0].standing(words) * np.float32(0.5) + np.float32(blend.coverage) * coverage
        arms = {
            "words": lexical * share * np.float32(blend.words),
            "vectors": similar[rows],
            "concepts": scales[1].standing(concepts) * np.float32(blend.concepts),
        }
        arms |= self.bonuses(rows, arms["words"] + arms["vectors"] + arms["concepts"])
        total = np.sum(list(arms.values()), axis=0, dtype=np.float32)
        arms["feedback"] = self.feedback(rows, total)
        own = np.zeros(len(rows), np.float32) if cosines is None else cosines[rows]
        return Scores(rows, total + arms["feedback"], own, coverage, np.zeros(len(rows), np.int64), arms)

    def looked_up(self) -> Entries:
        """The entries of the words, then of the concepts, found in one pass."""
        terms = np.fromiter((*self.clause.words, *self.clause.concepts), np.uint32)
        return flat_entries(self.columns, terms, self.allowed)

    def ceiling(self, entries: Entries) -> float:
        """What a row could score at most by its words."""
        weights = np.fromiter(self.clause.words.values(), np.float32, len(self.clause.words))
        return float(weights @ entries.rarity[: len(weights)])

    def matched(
        self, entries: Entries, rows: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores by words and by concepts: of all rows each for itself, or of some with what neighbours lend."""
        columns, split = self.columns, len(self.clause.words)
        lengths = columns.lengths / np.float32(max(float(columns.lengths.mean()) if columns.rows else 0.0, 1e-9))
        if rows is not None:
            entries, lengths = spread(columns, entries, self.kernel, rows), lengths[rows]
        weights = np.fromiter(self.clause.words.values(), np.float32, split)
        of_words = entries.term < split
        words = Entries(entries.term[of_words], entries.row[of_words], entries.count[of_words], entries.rarity[:split])
        rest = ~of_words
        notions = Entries(entries.term[rest] - split, entries.row[rest], entries.count[rest], entries.rarity[split:])
        return word_scores(words, weights, lengths, self.blend.saturation), concept_scores(notions, len(lengths))

    def candidates(self, base: NDArray[np.float32]) -> NDArray[np.int64]:
        """The rows to look at closely, ascending."""
        if self.columns.rows <= ALL_ROWS:
            return np.arange(self.columns.rows) if self.allowed is None else np.flatnonzero(self.allowed)
        open_rows = base if self.allowed is None else np.where(self.allowed, base, -np.inf)
        best = np.argpartition(open_rows, len(base) - CANDIDATES)[len(base) - CANDIDATES :]
        timely = self.timely(open_rows)
        rows = np.unique(np.concatenate((best, timely)))
        return rows if self.allowed is None else rows[self.allowed[rows]]

    def timely(self, base: NDArray[np.float32]) -> NDArray[np.int64]:
        """The best rows of the times that the clause names: "what happened yesterday" shares no word with the answer."""
        inside = np.zeros(self.columns.rows, np.bool_)
        for span in self.clause.spans:
            inside |= (self.columns.at >= span.start.timestamp()) & (self.columns.at < span.end.timestamp())
        rows = np.flatnonzero(inside)
        return rows[np.argsort(-base[rows])[:CANDIDATES]]

    def bonuses(self, rows: NDArray[np.int64], base: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        columns, blend, clause = self.columns, self.blend, self.clause
        named = [name in clause.speakers for name in columns.speakers]
        spoke = np.append(np.array(named, np.float32), np.float32(0)).take(columns.speaker[rows])
        kinds = np.array([clause.kinds.get(name, 0.0) for name in columns.kinds] or [0.0], np.float32)
        told = np.array([name in RECOUNTED for name in columns.layers] or [False], np.float32)
        toward = blend.recounted if clause.recounts else -blend.unasked
        return {
            "session": np.float32(blend.session) * self.best_of_session(rows, base),
            "speaker": np.float32(blend.speaker) * spoke,
            "time": np.float32(blend.time) * self.timeliness(rows),
            "kind": np.float32(blend.kind) * kinds.take(columns.kind[rows]),
            "layer": np.float32(toward) * told.take(columns.layer[rows]),
            "asks": np.float32(-blend.asks) * columns.asks[rows],
            "length": np.float32(blend.length) * np.log(np.maximum(columns.lengths[rows], 1)),
        }

    def best_of_session(self, rows: NDArray[np.int64], base: NDArray[np.float32]) -> NDArray[np.float32]:
        """The best score of a row's session: its other rows are about the same."""
        if self.kernel is None:
            return np.zeros(len(rows), np.float32)
        session = self.columns.session[rows]
        best = np.full(int(session.max(initial=-1)) + 2, -np.inf, np.float32)
        np.maximum.at(best, session, base)
        best[-1] = 0
        return best.take(session)

    def timeliness(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """1 within a time that the clause names, falling with the distance from it, the slower the longer it is."""
        near = np.zeros(len(rows), np.float32)
        at = self.columns.at[rows]
        for span in self.clause.spans:
            start, end = span.start.timestamp(), span.end.timestamp()
            away = np.maximum(np.maximum(start - at, at - end), 0)
            near = np.maximum(near, np.exp(-away / max(86400.0, 0.25 * (end - start))).astype(np.float32))
        return near

    def feedback(self, rows: NDArray[np.int64], total: NDArray[np.float32]) -> NDArray[np.float32]:
        """What each candidate shares of the rare words of the best one: from "the 40-year-old" to his name, to his job."""
        shared = np.zeros(len(rows), np.float32)
        if not len(rows) or not self.blend.feedback:
            return shared
        columns, best = self.columns, rows[int(np.argmax(total))]
        held = [each.terms[np.flatnonzero(each.rows == best)].tolist() for each in (columns.postings, columns.tail)]
        new = [term for term in (*held[0], *held[1]) if term not in self.clause.words]
        terms = np.array(new, np.uint32)
        low = np.searchsorted(columns.postings.terms, terms, "left")
        high = np.searchsorted(columns.postings.terms, terms, "right")
        holding = high - low
        chosen = np.flatnonzero(holding > 1)
        chosen = chosen[np.argsort(holding[chosen], kind="stable")[: self.blend.feedback_terms]]
        worth = rarity(columns.rows, holding[chosen])
        dense = np.zeros(columns.rows, np.float32)
        for number, value in zip(chosen, worth, strict=True):
            dense[columns.postings.rows[low[number] : high[number]]] += value
        return np.float32(self.blend.feedback) * dense[rows] / np.float32(max(worth.sum(), 1e-9))
