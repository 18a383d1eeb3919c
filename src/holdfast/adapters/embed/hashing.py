"""An embedder for tests: words hashed into a vector. No model, no file; likeness is overlap of words."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from holdfast.adapters.embed.lane import Lane
from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.recall.words import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class HashingEmbedder:
    """Equal texts get equal vectors, in every process."""

    def __init__(self, dimensions: int = 256, calibration: Calibration = IDENTITY) -> None:
        self.dimensions = dimensions
        self.calibration = calibration
        self.name = f"hashing/{dimensions}"
        self._lane = Lane(self._encode, dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._lane.embed(texts)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokens(text):
                digest = int.from_bytes(blake2b(token.encode(), digest_size=8).digest(), "little")
                row[digest % self.dimensions] += 1.0 if digest >> 63 else -1.0
        return rows
