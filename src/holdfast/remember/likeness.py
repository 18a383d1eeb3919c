"""Which of what is known is near a batch, and which of the batch are near each other: one matrix product a
block.

Nothing here knows what a memory is: rows of unit vectors in, pairs of (row, raw cosine) out, nearest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration

# Rows of a batch that are compared at once: 256 by 10,000 cosines are 10 MB, and no slower than a larger
# block.
BLOCK = 256
# From so many on, leaving out unwanted rows pays for copying the others (9,400 of 512: 1.1 ms against 0.1).
COPYING = 8

Pairs = list[list[tuple[int, float]]]


def raw_floor(calibration: Calibration, wanted: float) -> float:
    """The least raw cosine whose calibrated similarity is `wanted`; above 1 where none is."""
    low = calibration.knots[0]
    if low[1] >= wanted:
        return low[0]
    for high in calibration.knots[1:]:
        if high[1] >= wanted:
            return low[0] + (wanted - low[1]) / (high[1] - low[1]) * (high[0] - low[0])
        low = high
    return 2.0


def near_known(
    batch: NDArray[np.float32], known: NDArray[np.float32], rows: NDArray[np.intp], *, floor: float, most: int
) -> Pairs:
    """For each row of the batch, at most `most` of these rows of `known`, at `floor` or nearer."""
    found: Pairs = []
    for cosines in _blocks(batch, known, rows):
        found += _nearest_first(cosines, cosines >= floor, most)
    return [[(int(rows[column]), cosine) for column, cosine in hits] for hits in found]


def nearest_known(
    batch: NDArray[np.float32], known: NDArray[np.float32], rows: NDArray[np.intp], *, most: int
) -> Pairs:
    """For each row of the batch, the `most` nearest of these rows, however far."""
    if not len(rows):
        return [[] for _ in batch]
    most = min(most, len(rows))
    found: Pairs = []
    for cosines in _blocks(batch, known, rows):
        near = np.zeros(cosines.shape, np.bool_)
        nearest = np.argpartition(-cosines, most - 1, axis=1)[:, :most]
        np.put_along_axis(near, nearest, values=True, axis=1)
        found += _nearest_first(cosines, near, most)
    return [[(int(rows[column]), cosine) for column, cosine in hits] for hits in found]


def _blocks(
    batch: NDArray[np.float32], known: NDArray[np.float32], rows: NDArray[np.intp]
) -> Iterator[NDArray[np.float32]]:
    """Cosines of a part of the batch with the rows. Few are compared with everything, since copying 10,000
    rows takes ten times as long as multiplying them; for many the rows are copied once.
    """
    every = len(rows) == len(known)
    copied = known if every or len(batch) < COPYING else known[rows]
    for start in range(0, len(batch), BLOCK):
        cosines = batch[start : start + BLOCK] @ copied.T
        yield cosines[:, rows] if copied is known and not every else cosines


def near_each_other(batch: NDArray[np.float32], *, floor: float, most: int) -> Pairs:
    """For each row of the batch, at most `most` earlier ones at `floor` or nearer."""
    found: Pairs = []
    for start in range(0, len(batch), BLOCK):
        end = min(start + BLOCK, len(batch))
        cosines = batch[start:end] @ batch[:end].T
        near = cosines >= floor
        near[:, start:] &= np.tri(end - start, k=-1, dtype=np.bool_)
        found += _nearest_first(cosines, near, most)
    return found


def _nearest_first(cosines: NDArray[np.float32], near: NDArray[np.bool_], most: int) -> Pairs:
    found: Pairs = [[] for _ in near]
    rows, columns = np.nonzero(near)
    if len(rows):
        values = cosines[rows, columns]
        order = np.lexsort((columns, -values, rows))
        rows, columns, values = rows[order], columns[order], values[order]
        kept = np.arange(len(rows)) - np.searchsorted(rows, rows) < most
        hits = zip(rows[kept].tolist(), columns[kept].tolist(), values[kept].tolist(), strict=True)
        for row, column, cosine in hits:
            found[row].append((column, cosine))
    return found
