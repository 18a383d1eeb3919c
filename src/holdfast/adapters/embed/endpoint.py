"""Any OpenAI-compatible embeddings endpoint: batches, a time limit, a few tries with growing pauses.

Whatever goes wrong is Unavailable; the engine then keeps the memory, finds it by words, and embeds it later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.adapters.embed.lane import Lane
from holdfast.adapters.endpoint import TRIES, HttpEndpoint
from holdfast.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration
    from holdfast.settings import EmbedderSettings


class EndpointEmbedder:
    """POST {base_url}/embeddings behind the port."""

    def __init__(self, settings: EmbedderSettings, calibration: Calibration) -> None:
        for field in ("base_url", "model", "dimensions"):
            if not getattr(settings, field):
                raise InvalidInput(
                    f"settings.embedder.{field}", "is not given", "the endpoint embedder needs it"
                )
        self._settings = settings
        self.name = f"endpoint/{settings.model}/{settings.dimensions}"
        self.dimensions = settings.dimensions
        self.calibration = calibration
        self._endpoint = HttpEndpoint("embeddings endpoint", settings.base_url, settings.api_key)
        self._lane = Lane(self._encode, settings.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._lane.embed(texts)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        size = max(1, self._settings.batch)
        parts = [self._batch(texts[start : start + size]) for start in range(0, len(texts), size)]
        return np.concatenate(parts)

    def _batch(self, texts: list[str]) -> NDArray[np.float32]:
        asked: dict[str, Any] = {"model": self._settings.model, "input": [text or " " for text in texts]}
        if self._settings.shorten:
            asked["dimensions"] = self.dimensions
        answer = self._posted(asked)
        try:
            data = sorted(answer["data"], key=lambda item: item["index"])
            rows = np.asarray([item["embedding"] for item in data], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable(f"the embeddings endpoint answered in another form ({error!r})") from None
        if rows.shape != (len(texts), self.dimensions) or not np.isfinite(rows).all():
            raise Unavailable(
                f"the embeddings endpoint gave {rows.shape} numbers for {len(texts)} texts of "
                f"{self.dimensions}; set embedder.dimensions to what the model gives, or embedder.shorten"
            )
        return rows

    def _posted(self, body: dict[str, Any]) -> Any:
        reply = self._endpoint.post("/embeddings", body, seconds=self._settings.timeout * TRIES)
        if not reply.ok:
            raise Unavailable(
                f"the embeddings endpoint at {self._settings.base_url} refused: status {reply.status}"
            )
        return reply.body
