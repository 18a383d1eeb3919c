"""What is near, exactly: the same pairs as comparing every two by hand."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.remember.likeness import BLOCK, near_each_other, near_known, nearest_known, raw_floor


def unit(count, seed, size=16):
    rows = np.random.default_rng(seed).standard_normal((count, size)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def by_hand(batch, known, rows, floor, most):
    found = []
    for vector in batch:
        hits = [(row, float(vector @ known[row])) for row in rows]
        hits = sorted([hit for hit in hits if hit[1] >= floor], key=lambda hit: -hit[1])
        found.append([row for row, _ in hits[:most]])
    return found


@pytest.mark.parametrize("count", [1, 5, BLOCK, BLOCK + 3])
@pytest.mark.parametrize("most", [2, 50])
def test_near_known_is_what_comparing_all_would_find(count, most):
    known, batch = unit(300, 1), unit(count, 2)
    for rows in (np.arange(300), np.arange(0, 300, 7)):
        found = near_known(batch, known, rows, floor=0.3, most=most)
        assert [[row for row, _ in hits] for hits in found] == by_hand(batch, known, rows, 0.3, most)


def test_nearest_known_takes_however_far():
    known, batch = unit(40, 1), unit(3, 2)
    rows = np.arange(0, 40, 2)
    found = nearest_known(batch, known, rows, most=5)
    assert [[row for row, _ in hits] for hits in found] == by_hand(batch, known, rows, -1.0, 5)
    assert nearest_known(batch, known, np.arange(0), most=5) == [[], [], []]


def test_members_see_only_earlier_members():
    batch = unit(BLOCK * 2 + 5, 3)
    found = near_each_other(batch, floor=0.4, most=10)
    wanted = [by_hand([batch[place]], batch, range(place), 0.4, 10)[0] for place in range(len(batch))]
    assert [[row for row, _ in hits] for hits in found] == wanted


def test_the_floor_is_where_the_calibrated_scale_says_so():
    scale = Calibration(((-1.0, 0.0), (0.0, 0.0), (0.45, 0.60), (0.75, 0.85), (1.0, 1.0)))
    for wanted in (0.1, 0.6, 0.7, 0.85, 0.99, 1.0):
        assert scale.similarity(raw_floor(scale, wanted)) == pytest.approx(wanted)
    assert raw_floor(IDENTITY, 0.6) == pytest.approx(0.6)
    assert raw_floor(scale, 0.0) == -1.0
