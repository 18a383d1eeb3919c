"""From a question and a space to one ordered list: the arms weighed together, with every part kept for
`explain`.

`fuse` scans the arms over all allowed rows, takes the best as candidates (all, in a small space), weighs
these exactly and adds the bonuses. Pure numpy. A score is a sum of standard deviations and bonuses: about 0
for an average row, 5 to 25 for an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall import arms
from holdfast.recall.blend import HALF_WAY, Blend, Kernel, Saturation
from holdfast.recall.bonuses import best_of_session, bonuses, feedback, last_talks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.recall.columns import Columns
    from holdfast.recall.intent import Clause, Question

__all__ = ["Blend", "HALF_WAY", "Kernel", "Saturation", "Scores", "fuse"]


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
    """What each arm added to the score; all but "session" count by the weight of the clause."""

    def some(self, order: NDArray[np.intp]) -> Scores:
        """These candidates, in this order."""
        return Scores(
            rows=self.rows[order],
            score=self.score[order],
            similarity=self.similarity[order],
            coverage=self.coverage[order],
            clause=self.clause[order],
            arms={arm: values[order] for arm, values in self.arms.items()},
        )


def fuse(
    columns: Columns,
    question: Question,
    vectors: NDArray[np.float32] | None,
    *,
    allowed: NDArray[np.bool_] | None = None,
    blend: Blend | None = None,
) -> Scores:
    """The allowed rows in the order in which they answer the question: all of a small space, else
    `blend.candidates` and those of the time asked for.

    `vectors` holds one unit vector a clause (`Question.texts`), or is None where the embedder is down:
    words answer then. Equal scores fall by row, the later written first.
    """
    blend = blend or Blend()
    if allowed is not None and allowed.all():
        allowed = None
    kernel = blend.kernel if (columns.next >= 0).any() else None
    sighted = vectors is not None and len(vectors) > 0
    cosines = arms.cosines_of(columns, vectors, allowed) if vectors is not None and sighted else None
    found = [
        _Scan(columns, clause, blend, kernel, allowed).score(None if cosines is None else cosines[number])
        for number, clause in enumerate(question.clauses)
    ]
    best = found[0] if len(found) == 1 else _best_clauses(found, question.clauses)
    if kernel is not None:
        best = _within_sessions(columns, best, blend.compound_session if len(found) > 1 else blend.session)
    # Rows ascend: of equal scores the last comes first.
    return best.some(len(best.rows) - 1 - np.argsort(-best.score[::-1], kind="stable"))


def _best_clauses(found: list[Scores], clauses: Sequence[Clause]) -> Scores:
    """Each row, ascending, at the clause that it answers best."""
    weighed = [each.score * np.float32(clause.weight) for each, clause in zip(found, clauses, strict=True)]
    joined = Scores(
        rows=np.concatenate([each.rows for each in found]),
        score=np.concatenate(weighed),
        similarity=np.concatenate([each.similarity for each in found]),
        coverage=np.concatenate([each.coverage for each in found]),
        clause=np.repeat(np.arange(len(found)), [len(each.rows) for each in found]),
        arms={arm: np.concatenate([each.arms[arm] for each in found]) for arm in found[0].arms},
    )
    order = np.lexsort((-joined.score, joined.rows))
    first = np.diff(joined.rows[order], prepend=-1) > 0
    return joined.some(order[first])


def _within_sessions(columns: Columns, found: Scores, share: float) -> Scores:
    """Adds to each row a share of the best of its session, whichever clause found that: the clauses of one
    question are mostly about one conversation.
    """
    bonus = np.float32(share) * best_of_session(columns, found.rows, found.score)
    return replace(found, score=found.score + bonus, arms=found.arms | {"session": bonus})


@dataclass(slots=True)
class _Scan:
    """One clause over one space."""

    columns: Columns
    clause: Clause
    blend: Blend
    kernel: Kernel | None
    allowed: NDArray[np.bool_] | None

    def score(self, cosines: NDArray[np.float32] | None) -> Scores:
        """The candidates, rows ascending: found roughly in a large space, weighed exactly."""
        columns, blend = self.columns, self.blend
        share = 2 / max(blend.words + blend.vectors, 1e-9)
        similar = self.similar(cosines) * np.float32(share * blend.vectors)
        terms = np.fromiter((*self.clause.words, *self.clause.concepts), np.uint32)
        entries = arms.looked_up(columns, terms, self.allowed)
        rows, scales = self.candidates(similar, entries)
        nearby = arms.spread(columns, entries, self.kernel, rows=rows)
        words, concepts = self.matched(nearby, columns.lengths[rows])
        of_words, of_concepts = scales or (arms.scale_of(words, None), arms.scale_of(concepts, None))
        coverage = words / np.float32(max(self.ceiling(entries), 1e-9))
        lexical = np.float32(0.5) * of_words.standing(words) + np.float32(blend.coverage) * coverage
        parts = {
            "words": lexical * np.float32(share * blend.words),
            "vectors": similar[rows],
            "concepts": of_concepts.standing(concepts) * np.float32(blend.concepts),
        }
        own = np.zeros(len(rows), np.float32) if cosines is None else cosines[rows]
        total = self.extended(parts, rows)
        return Scores(rows, total, own, coverage, np.zeros(len(rows), np.int64), parts)

    def similar(self, cosines: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """How far each row stands above the others in likeness; 0 where there is none to compare."""
        if cosines is None:
            return np.zeros(self.columns.rows, np.float32)
        values = arms.lent(self.columns, arms.settled(self.columns, cosines, self.allowed), self.kernel)
        return arms.scale_of(values, self.allowed).standing(values)

    def matched(
        self, entries: arms.Entries, lengths: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Scores by words and by concepts, one a length."""
        words, concepts = entries.parted(len(self.clause.words))
        mean = float(self.columns.lengths.mean()) if self.columns.rows else 0.0
        scores = arms.word_scores(words, self.weights(), lengths, mean=mean, saturation=self.blend.saturation)
        return scores, arms.concept_scores(concepts, len(lengths))

    def weights(self) -> NDArray[np.float32]:
        return np.fromiter(self.clause.words.values(), np.float32, len(self.clause.words))

    def ceiling(self, entries: arms.Entries) -> float:
        """What the words of the clause are worth together."""
        weights = self.weights()
        return float(weights @ entries.rarity[: len(weights)])

    def candidates(
        self, similar: NDArray[np.float32], entries: arms.Entries
    ) -> tuple[NDArray[np.int64], tuple[arms.Scale, arms.Scale] | None]:
        """The rows to weigh exactly, ascending: all of a small space; of a large one the best by all arms,
        and the scales of its words and concepts, which are known only roughly there.
        """
        columns, most = self.columns, self.blend.candidates
        if columns.rows <= max(self.blend.all_rows, most):
            return np.arange(columns.rows) if self.allowed is None else np.flatnonzero(self.allowed), None
        words, concepts = self.matched(entries, columns.lengths)
        of_words, of_concepts = (
            arms.scale_of(each, self.allowed).lent(self.kernel) for each in (words, concepts)
        )
        rough = of_words.standing(words) + of_concepts.standing(concepts) * np.float32(self.blend.concepts)
        found = similar + arms.lent(columns, rough, self.kernel)
        if self.allowed is not None:
            found = np.where(self.allowed, found, -np.inf)
        rows = np.sort(np.argpartition(found, len(found) - most)[len(found) - most :])
        if self.clause.spans:
            rows = np.union1d(rows, self.timely(found))
        if self.clause.last:
            rows = np.union1d(rows, last_talks(columns, self.allowed))
        return rows if self.allowed is None else rows[self.allowed[rows]], (of_words, of_concepts)

    def timely(self, found: NDArray[np.float32]) -> NDArray[np.int64]:
        """The best rows of the times named: "what happened yesterday" may share no word with the answer."""
        inside, at = np.zeros(self.columns.rows, np.bool_), self.columns.at
        for span in self.clause.spans:
            inside |= (at >= span.start.timestamp()) & (at < span.end.timestamp())
        rows = np.flatnonzero(inside)
        return rows[np.argsort(-found[rows])[: self.blend.candidates]]

    def extended(self, parts: dict[str, NDArray[np.float32]], rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Adds the bonuses to the parts of a score, and sums them."""
        blend = self.blend
        parts |= bonuses(self.columns, self.clause, blend, rows=rows)
        total: NDArray[np.float32] = np.sum(list(parts.values()), axis=0, dtype=np.float32)
        parts["feedback"] = np.zeros_like(total)
        if blend.feedback:
            again = feedback(self.columns, self.clause, rows, total=total, terms=blend.feedback_terms)
            parts["feedback"] = np.float32(blend.feedback) * again
        return np.asarray(total + parts["feedback"])
