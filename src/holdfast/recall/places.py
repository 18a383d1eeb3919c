"""Where the memories of an image stand: from id to row, kept up as rows are added."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.recall.frame import Frame


class Places:
    """Of one image. The first question costs a pass over all ids, the next what was added since."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._where: dict[str, int] = {}
        self._seen = 0

    def rows(self, frame: Frame, ids: Sequence[str]) -> NDArray[np.intp]:
        """The rows of those of the ids that are there."""
        with self._lock:
            for row in range(self._seen, frame.rows):
                self._where[frame.ids[row]] = row  # a changed memory has a later row: that one counts
            self._seen = max(self._seen, frame.rows)
            found = [self._where[id] for id in ids if id in self._where]
        rows = np.array([row for row in found if row < frame.rows], np.intp)
        kept: NDArray[np.intp] = rows[frame.flags[rows] != 0]
        return kept
