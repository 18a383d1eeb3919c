"""Any OpenAI-compatible embeddings endpoint: batches, a time limit, a few tries with growing pauses.

Whatever goes wrong is Unavailable; the engine then keeps the memory, finds it by words, and embeds it later.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.adapters.embed.lane import Lane
from holdfast.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.ports.embedder import Calibration
    from holdfast.settings import EmbedderSettings

TRIES = 3
PAUSE = 0.2  # seconds before the second try; doubled after that
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


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
        self._lane = Lane(self._encode, settings.dimensions)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._lane.embed(texts)

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        size = max(1, self._settings.batch)
        parts = [self._batch(texts[start : start + size]) for start in range(0, len(texts), size)]
        return np.concatenate(parts)

    def _batch(self, texts: list[str]) -> NDArray[np.float32]:
        answer = self._posted({"model": self._settings.model, "input": [text or " " for text in texts]})
        try:
            data = sorted(answer["data"], key=lambda item: item["index"])
            rows = np.asarray([item["embedding"] for item in data], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable(f"the embeddings endpoint answered in another form ({error!r})") from None
        if rows.shape != (len(texts), self.dimensions) or not np.isfinite(rows).all():
            raise Unavailable(
                f"the embeddings endpoint gave {rows.shape} numbers for {len(texts)} texts of "
                f"{self.dimensions}; set embedder.dimensions to what the model gives"
            )
        return rows

    def _posted(self, body: dict[str, Any]) -> Any:
        try:
            import httpx
        except ImportError:
            raise Unavailable("httpx is not installed; pip install 'holdfast[endpoint]'") from None
        problem = ""
        with httpx.Client(timeout=self._settings.timeout, headers=self._headers()) as client:
            for attempt in range(TRIES):
                if attempt:
                    time.sleep(PAUSE * 2 ** (attempt - 1))
                try:
                    answer = client.post(f"{self._settings.base_url.rstrip('/')}/embeddings", json=body)
                    if answer.status_code < httpx.codes.BAD_REQUEST:
                        return answer.json()
                    problem = f"status {answer.status_code}"
                    if answer.status_code not in AGAIN:
                        break
                except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                    problem = str(error) or type(error).__name__
        raise Unavailable(f"the embeddings endpoint at {self._settings.base_url} does not answer: {problem}")

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._settings.api_key}"} if self._settings.api_key else {}
