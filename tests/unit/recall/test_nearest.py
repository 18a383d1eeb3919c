"""The vector arm: under any filter the same as looking at every row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast.ports.embedder import Calibration
from holdfast.recall.arms import PIECE, cosines_of
from holdfast.recall.nearest import best_rows, nearest_rows, similarities

# So few values that many scores are equal.
scores = arrays(
    np.float32, st.integers(0, 40), elements=st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.5, 1.0])
)


@given(scores, st.integers(0, 45))
def test_the_best_rows_are_those_of_a_full_sort(values, k):
    full = sorted(range(len(values)), key=lambda row: (-values[row], row))
    wanted = [row for row in full if values[row] > -np.inf][:k]
    assert best_rows(values, k).tolist() == wanted


class Columns:
    """As much of the columns as the arm reads."""

    def __init__(self, vectors, has_vector):
        self.vectors = vectors
        self.has_vector = has_vector
        self.rows = len(vectors)


@given(st.data(), st.integers(1, 30), st.integers(1, 70), st.integers(1, 8))
def test_under_any_filter_the_nearest_are_those_of_a_full_scan(data, rows, asked, k):
    whole = st.integers(-2, 2).map(float)
    vectors = data.draw(arrays(np.float32, (rows, 4), elements=whole))
    queries = data.draw(arrays(np.float32, (asked, 4), elements=whole))
    allowed = data.draw(arrays(np.bool_, rows))
    has_vector = data.draw(arrays(np.bool_, rows))
    found = nearest_rows(Columns(vectors, has_vector), queries, k, allowed=allowed)
    assert len(found) == asked
    for query, (places, raw) in zip(queries, found, strict=True):
        open_rows = [row for row in range(rows) if allowed[row] and has_vector[row]]
        full = sorted(open_rows, key=lambda row: (-float(vectors[row] @ query), row))[:k]
        assert places.tolist() == full
        assert raw.tolist() == [float(vectors[row] @ query) for row in full]


def test_similarity_of_many_is_similarity_of_each():
    scale = Calibration(((-1.0, 0.0), (0.1, 0.2), (0.5, 0.6), (0.8, 0.85), (1.0, 1.0)))
    raw = np.linspace(-1, 1, 41, dtype=np.float32)
    assert np.allclose(similarities(scale, raw), [scale.similarity(float(one)) for one in raw])


@pytest.mark.parametrize("clauses", [1, 3])
@pytest.mark.parametrize("share", [None, 0.05, 0.5])
def test_a_space_of_several_pieces_is_scanned_to_its_last_row(clauses, share):
    dice = np.random.default_rng(1)
    vectors, asked = (dice.standard_normal((n, 512), np.float32) for n in (2 * PIECE // 512 + 7, clauses))
    allowed = None if share is None else dice.random(len(vectors)) < share
    wanted = (vectors @ asked.T).T * (True if allowed is None else allowed)
    found = cosines_of(Columns(vectors, None), asked, allowed)
    assert found.dtype == np.float32
    assert np.allclose(found, wanted, atol=1e-4)
