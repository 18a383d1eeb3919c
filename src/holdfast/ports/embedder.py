"""The embedder: text to unit vectors, and the map from its raw cosines to calibrated similarity.

Loading happens on the first call, not on construction. Calls may come from several threads.
Raises Unavailable when it cannot answer; the engine then keeps the memory and embeds it later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone, piecewise linear map from raw cosine to calibrated similarity (behaviour.md, Similarity).

    `knots` are (raw, calibrated) pairs, both rising, from (-1, …) to (1, 1).
    """

    knots: tuple[tuple[float, float], ...]

    def similarity(self, raw: float) -> float:
        """Calibrated similarity of one raw cosine."""
        low = self.knots[0]
        for high in self.knots[1:]:
            if raw <= high[0]:
                span = high[0] - low[0]
                part = (raw - low[0]) / span if span > 0 else 1.0
                return low[1] + max(0.0, min(1.0, part)) * (high[1] - low[1])
            low = high
        return self.knots[-1][1]


# Raw cosine taken as it is: for embedders nobody has calibrated yet.
IDENTITY = Calibration(((-1.0, 0.0), (0.0, 0.0), (1.0, 1.0)))


class Embedder(Protocol):
    """The contract."""

    @property
    def name(self) -> str:
        """Names model, version and size; vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def calibration(self) -> Calibration: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row per text, float32, in order. An empty text gives some unit vector too."""
        ...
