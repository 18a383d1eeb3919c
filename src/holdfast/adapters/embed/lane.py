"""What every embedder of ours shares: one lane (a lock), unit rows, and a bounded cache for repeats.

A query asked twice, or a text re-embedded after an edit elsewhere, costs a dictionary look-up.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

CACHED = 4096  # texts; 8 MB at 512 dimensions


class Lane:
    """Calls `encode` with texts not seen lately, one caller at a time."""

    def __init__(self, encode: Callable[[list[str]], NDArray[np.float32]], dimensions: int) -> None:
        self._encode = encode
        self._dimensions = dimensions
        self._lock = Lock()
        self._cache: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row per text, in order."""
        out = np.empty((len(texts), self._dimensions), dtype=np.float32)
        with self._lock:
            missing = list(dict.fromkeys(text for text in texts if text not in self._cache))
            rows = dict(zip(missing, self._made(missing), strict=True)) if missing else {}
            for place, text in enumerate(texts):
                out[place] = rows[text] if text in rows else self._cache[text]
            self._keep(rows, texts)
        return out

    def _made(self, texts: list[str]) -> NDArray[np.float32]:
        rows = unit(self._encode(texts))
        if rows.shape != (len(texts), self._dimensions):
            raise Unavailable(
                f"the embedder gives {rows.shape} numbers for {len(texts)} texts of {self._dimensions}; "
                "set embedder.dimensions to what the model gives"
            )
        return rows

    def _keep(self, rows: dict[str, NDArray[np.float32]], texts: Sequence[str]) -> None:
        for text in texts[-CACHED:]:
            if text in rows:
                self._cache[text] = rows[text]
            else:
                self._cache.move_to_end(text)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row divided by its length; a row of zeros becomes the first axis: every text has a direction."""
    rows = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1)
    flat = lengths < 1e-12
    if flat.any():
        rows = rows.copy()
        rows[flat] = 0.0
        rows[flat, 0] = 1.0
        lengths = np.where(flat, 1.0, lengths)
    scaled: NDArray[np.float32] = (rows / lengths[:, None]).astype(np.float32)
    return scaled
