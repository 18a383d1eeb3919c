"""The steps of the fallback (M11): who is in the answer, when the vectors alone are not sure. Pure.

The thresholds speak of the vector arm's similarity; what is named exactly counts as found. Ordering is done
before, by the profile's ranking; here rows are only kept or left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from holdfast.profile.schema import Recall
    from holdfast.recall.rank import Candidates

STANDS_OUT = 0.35
"""From this relevance on a row stands out among the others. A question is seldom as like its answer as two
statements of the same are: hardly an answer of the households is as near as 0.6. Households hit@5 .933 to
.944, 102 questions on other homes .706 to .863; the same for any figure from 0.2 to 0.35, less from 0.4 on.
"""
VECTORS, WORDS, LATEST, DIRECT = "vectors", "words", "latest", "direct"


@dataclass(frozen=True, slots=True)
class Step:
    """Where the answer came from, and which of the candidates are in it. `latest`: the newest facts are
    added.
    """

    name: str
    kept: NDArray[np.bool_]
    latest: int = 0


def step(found: Candidates, among: NDArray[np.bool_], recall: Recall) -> Step:
    """By the fallback that the profile names, among those that the other thresholds let through."""
    return FALLBACKS[recall.fallback](found, among, recall)


def _direct(found: Candidates, among: NDArray[np.bool_], recall: Recall) -> Step:
    """All arms at once; a floor under the vectors holds for what nothing else found."""
    return Step(DIRECT, among & (found.exact | found.told | (found.similarity >= recall.min_similarity)))


def _layered(found: Candidates, among: NDArray[np.bool_], recall: Recall) -> Step:
    """Three near ones, the best quite near; else words too; else, of fewer than two, the newest facts. Where
    the vectors are not sure, what stands out by all arms together comes along, with room left for the newest.
    """
    near = among & (found.exact | (found.similarity >= recall.min_similarity))
    best = float(found.similarity.max(initial=0.0, where=among))
    if int(np.count_nonzero(near)) >= recall.enough and best > recall.good_similarity:
        return Step(VECTORS, near)
    kept = near | (among & found.told)
    outstanding = kept | (among & (found.relevance >= STANDS_OUT))
    if int(np.count_nonzero(kept)) >= recall.few:
        return Step(WORDS, outstanding)
    return Step(LATEST, outstanding, recall.latest)


Fallback = Callable[[Any, Any, Any], Step]
FALLBACKS: Mapping[str, Fallback] = {"none": _direct, "layered": _layered}
