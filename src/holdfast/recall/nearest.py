"""The nearest rows to some vectors: an exact scan under any filter, and the way from raw cosines to
similarity.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration
    from holdfast.recall.columns import Columns

_BLOCK = 64
"""So many vectors are compared at once: 100,000 rows by 64 are 26 MB."""


def best_rows(scores: NDArray[np.float32], k: int) -> NDArray[np.intp]:
    """The k best scores' places, best first, ties by place; places of -inf are never among them."""
    k = min(k, len(scores))
    if k <= 0:
        return np.empty(0, np.intp)
    edge = np.partition(scores, len(scores) - k)[len(scores) - k]
    places = np.flatnonzero(scores > -np.inf) if edge == -np.inf else np.flatnonzero(scores >= edge)
    return places[np.argsort(-scores[places], kind="stable")][:k]


def nearest_rows(
    columns: Columns, vectors: NDArray[np.float32], k: int, *, allowed: NDArray[np.bool_]
) -> list[tuple[NDArray[np.intp], NDArray[np.float32]]]:
    """For each vector the k nearest allowed rows that have one themselves, and their raw cosines."""
    hidden = np.flatnonzero(~(allowed & columns.has_vector))
    found = []
    for first in range(0, len(vectors), _BLOCK):
        block = np.ascontiguousarray(vectors[first : first + _BLOCK], np.float32)
        one_alone = len(block) == 1  # a matrix by a vector is read once, and by what is made for it
        scores = (columns.vectors @ block[0])[None] if one_alone else block @ columns.vectors.T
        scores[:, hidden] = -np.inf
        for one in scores:
            rows = best_rows(one, k)
            found.append((rows, one[rows]))
    return found


def similarities(calibration: Calibration, raw: NDArray[np.float32]) -> NDArray[np.float64]:
    """Raw cosines on the scale that every threshold speaks of (behaviour.md, Similarity)."""
    return np.interp(raw, *_scale(calibration))


def raw_from(calibration: Calibration, least: float) -> float:
    """The raw cosine from which on the similarity is at least that; above 1 where none is."""
    raw, calibrated = _scale(calibration)
    place = int(np.searchsorted(calibrated, least))
    if place == 0:
        return float(raw[0])
    if place == len(raw):
        return 2.0
    span = calibrated[place] - calibrated[place - 1]
    return float(raw[place - 1] + (least - calibrated[place - 1]) / span * (raw[place] - raw[place - 1]))


@lru_cache(maxsize=16)
def _scale(calibration: Calibration) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    raw, calibrated = np.array(calibration.knots, np.float64).T
    return raw.copy(), calibrated.copy()
