"""Who was written just before and just after whom in the same session. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall.columns import NOBODY

if TYPE_CHECKING:
    from numpy.typing import NDArray


def linked(
    session: NDArray[np.int32], at: NDArray[np.float64], turn: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For rows given by their session code, time and turn of insertion: the place among them of the row
    before and of the row after in the same session, by time and then by turn; NOBODY at an end or outside
    sessions.
    """
    order = np.lexsort((turn, at, session)).astype(np.int32)
    before = np.full(len(session), NOBODY, np.int32)
    after = np.full(len(session), NOBODY, np.int32)
    ordered = session[order]
    joined = (ordered[1:] == ordered[:-1]) & (ordered[1:] != NOBODY)
    first, second = order[:-1][joined], order[1:][joined]
    before[second] = first
    after[first] = second
    return before, after
