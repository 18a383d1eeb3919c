"""The insights of a week's quarantine (P4): what lies near each other, and who speaks for it. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

TURNS = 20  # of moving centres; a few hundred fragments come to rest in under ten
VOICES = 12  # fragments of a cluster that its summary is made of, those nearest to its middle


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """One insight with the captures it is made of; promoting its id promotes what it says."""

    id: str
    text: str
    fragments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What was captured in a span of time, as few insights as a person will read."""

    space: str
    since: datetime
    until: datetime
    insights: tuple[Insight, ...] = ()


def how_many(fragments: int, least: int, most: int) -> int:
    """Clusters for so many fragments: their root, between the bounds, never more than there are."""
    return min(fragments, max(least, min(most, round(math.sqrt(fragments)))))


def clusters(vectors: NDArray[np.float32], count: int) -> list[list[int]]:
    """Rows that lie near each other, the largest cluster first, in each the row nearest to its middle first.
    The same rows give the same clusters: the first centres are as far apart as can be.
    """
    if not len(vectors) or count < 1:
        return []
    centres = vectors[_apart(vectors, count)]
    owner = np.argmax(vectors @ centres.T, axis=1)
    for _ in range(TURNS):
        centres = np.stack([_middle(vectors[owner == one], centres[one]) for one in range(len(centres))])
        moved = np.argmax(vectors @ centres.T, axis=1)
        if np.array_equal(moved, owner):
            break
        owner = moved
    found = []
    for one in range(len(centres)):
        rows = np.flatnonzero(owner == one)
        if len(rows):
            near = vectors[rows] @ centres[one]
            found.append(rows[np.argsort(-near, kind="stable")].tolist())
    return sorted(found, key=lambda rows: (-len(rows), min(rows)))


def _apart(vectors: NDArray[np.float32], count: int) -> list[int]:
    """Rows far from each other: the one nearest to the middle of all, then always the farthest."""
    first = int(np.argmax(vectors @ vectors.mean(axis=0)))
    chosen, nearest = [first], vectors @ vectors[first]
    while len(chosen) < count:
        chosen.append(int(np.argmin(nearest)))
        nearest = np.maximum(nearest, vectors @ vectors[chosen[-1]])
    return chosen


def _middle(members: NDArray[np.float32], before: NDArray[np.float32]) -> NDArray[np.float32]:
    if not len(members):
        return before
    middle = members.mean(axis=0)
    length = float(np.linalg.norm(middle))
    return middle / length if length > 0 else before
