"""The contract of `ports.embedder` as tests. Whoever brings an embedder runs them against it, under pytest:

    class TestMyEmbedder(EmbedderContract):
        def make_embedder(self) -> Embedder:
            return MyEmbedder(…)

Nothing here imports pytest. A test is a sentence of the contract.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from holdfast.ports.embedder import Embedder

TEXTS = (
    "我早上喜欢喝一杯热茶",
    "外婆的眼鏡放在客廳的抽屜裡",
    "The spare key is under the flower pot",
    "周三 15:30 deploy v2.1 到 staging",
    "",
    " \n\t",
    "🙂",
    "a\x00b",
    "字" * 5000,
)
CLOSE = 1e-4  # of a number in a row: batches of other sizes add up in another order


class EmbedderContract:
    """What every embedder promises."""

    def make_embedder(self) -> Embedder:
        """A working one; the same model each time."""
        raise AssertionError("say which embedder keeps the contract")

    def test_a_row_a_text_of_unit_length_in_float32(self) -> None:
        embedder = self.make_embedder()
        rows = embedder.embed(TEXTS)
        assert rows.dtype == np.float32
        assert rows.shape == (len(TEXTS), embedder.dimensions)
        assert np.isfinite(rows).all()
        assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=CLOSE)

    def test_no_texts_are_no_rows(self) -> None:
        embedder = self.make_embedder()
        assert embedder.embed([]).shape == (0, embedder.dimensions)

    def test_a_text_has_the_same_row_alone_in_a_batch_and_in_another_order(self) -> None:
        embedder, other = self.make_embedder(), self.make_embedder()
        together = embedder.embed(TEXTS)
        turned = other.embed(TEXTS[::-1])[::-1]
        alone = np.concatenate([self.make_embedder().embed([text]) for text in TEXTS[:3]])
        assert np.allclose(together, turned, atol=CLOSE)
        assert np.allclose(together[:3], alone, atol=CLOSE)

    def test_a_text_that_stands_twice_gets_its_row_twice(self) -> None:
        rows = self.make_embedder().embed([TEXTS[0], TEXTS[2], TEXTS[0]])
        assert np.array_equal(rows[0], rows[2])
        assert not np.allclose(rows[0], rows[1], atol=CLOSE)

    def test_what_it_gave_belongs_to_the_caller(self) -> None:
        embedder = self.make_embedder()
        rows = embedder.embed([TEXTS[0]])
        kept = rows.copy()
        rows[:] = 0.0
        assert np.allclose(embedder.embed([TEXTS[0]]), kept, atol=CLOSE)

    def test_the_name_and_size_stay_and_the_name_is_the_models(self) -> None:
        embedder, other = self.make_embedder(), self.make_embedder()
        assert embedder.name
        assert (embedder.name, embedder.dimensions) == (other.name, other.dimensions)

    def test_its_calibration_rises_to_one(self) -> None:
        scale = self.make_embedder().calibration
        levels = [scale.similarity(raw) for raw in np.linspace(-1.0, 1.0, 201).tolist()]
        assert levels == sorted(levels)
        assert levels[0] >= 0.0
        assert levels[-1] == 1.0

    def test_threads_that_ask_at_once_get_what_they_asked_for(self) -> None:
        embedder = self.make_embedder()
        texts = [f"{text[:50]} {number}" for number in range(8) for text in TEXTS[:4]]
        with ThreadPoolExecutor(4) as threads:
            rows = list(threads.map(lambda text: embedder.embed([text])[0], texts))
        assert np.allclose(np.stack(rows), self.make_embedder().embed(texts), atol=CLOSE)
