"""Any sentence-transformers model, by name: all-mpnet-base-v2 (768, row A10), multilingual MiniLM.

Needs the extra `holdfast[transformers]`. The model is loaded on the first call.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from holdfast.adapters.embed.lane import Lane
from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration

# The models the designs name, and how long their vectors are; others say with `dimensions`.
DIMENSIONS = {
    "all-mpnet-base-v2": 768,
    "paraphrase-multilingual-MiniLM-L12-v2": 384,
    "all-MiniLM-L6-v2": 384,
}
DEFAULT = "paraphrase-multilingual-MiniLM-L12-v2"


class TransformersEmbedder:
    """`sentence-transformers` behind the port."""

    def __init__(self, model: str, dimensions: int, calibration: Calibration) -> None:
        self._model_name = model or DEFAULT
        self.dimensions = dimensions or DIMENSIONS.get(self._model_name.rsplit("/", 1)[-1], 0)
        self.calibration = calibration
        self.name = f"sentence-transformers/{self._model_name}"
        self._model: Any = None
        self._loading = Lock()
        if not self.dimensions:
            loaded = self._loaded()
            newer = getattr(loaded, "get_embedding_dimension", None)  # its name in 6.2
            self.dimensions = int((newer or loaded.get_sentence_embedding_dimension)())
        self._lane = Lane(self._encode, self.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._lane.embed(texts)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        rows: NDArray[np.float32] = self._loaded().encode(
            texts, convert_to_numpy=True, show_progress_bar=False
        )
        return rows

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                try:
                    from sentence_transformers import SentenceTransformer

                    self._model = SentenceTransformer(self._model_name, device="cpu")
                except ImportError:
                    raise Unavailable(
                        "sentence-transformers is not installed; pip install 'holdfast[transformers]'"
                    ) from None
                except (OSError, ValueError) as error:
                    raise Unavailable(
                        f"{self._model_name} cannot be loaded ({error}); give a folder"
                    ) from None
            return self._model
