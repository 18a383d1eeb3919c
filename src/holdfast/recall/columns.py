"""What the arms of recall read: one space in memory, a column an attribute, a row a memory.

The image (`image.py`) owns the growing arrays and hands out a `Columns` per query: views, never copies, cut
to the rows that are there. Everything here is numpy and nothing is changed. A row keeps its number as long
as the image lives; a memory that is gone keeps its row and is filtered out by the caller's `allowed` mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOBODY = -1
"""In `session`, `previous`, `next` and `speaker`: there is none."""


@dataclass(frozen=True, slots=True)
class Postings:
    """Which term stands in which row how often: three columns of the same length, one entry a (term, row)
    pair.

    A term is `words.term_hash(token)`. The same pair never occurs twice.
    """

    terms: NDArray[np.uint32]
    """Hashes. Ascending in `Columns.postings`, in any order in `Columns.tail`."""
    rows: NDArray[np.int32]
    """The row of each entry. Within one term ascending in `Columns.postings`."""
    counts: NDArray[np.uint16]
    """How often the term stands in the row (term frequency), at least 1."""


@dataclass(frozen=True, slots=True)
class Columns:
    """n rows, every array of length n unless said otherwise."""

    vectors: NDArray[np.float32]
    """(n, d), C-contiguous; each row of unit length, or all zeros where the vector is missing or late."""
    has_vector: NDArray[np.bool_]
    """False where the embedder was down, has not come to it yet, or must not see it (secrets)."""
    postings: Postings
    """The settled words, sorted by term (then row): looked up by binary search."""
    tail: Postings
    """Words added since the last sort, scanned linearly. Keep it under some 4,000 entries, then merge and
    sort.
    """
    lengths: NDArray[np.float32]
    """Number of words of the row's text, `words.Indexed.length`; 0 for a row without words."""
    held: NDArray[np.uint32]
    """The terms of all rows, a row's together (`terms_of`): the postings the other way round. Any length."""
    held_starts: NDArray[np.int64]
    """Where a row's terms begin in `held`."""
    held_ends: NDArray[np.int64]
    """Where they end."""
    session: NDArray[np.int32]
    """Code of the conversation that the row was written in, -1 where there was none."""
    previous: NDArray[np.int32]
    """Row written just before this one in the same session, -1 at its start and outside sessions."""
    next: NDArray[np.int32]
    """Row written just after this one in the same session, -1 at its end and outside sessions."""
    speaker: NDArray[np.int32]
    """Index into `speakers`: who said it; -1 where nobody is named."""
    asks: NDArray[np.bool_]
    """The text does nothing but ask (`words.Indexed.asks`): seldom the answer to anything."""
    at: NDArray[np.float64]
    """When it happened or was said, else when it was written: seconds since 1970 UTC."""
    kind: NDArray[np.int16]
    """Index into `kinds`."""
    layer: NDArray[np.int8]
    """Index into `layers`."""
    speakers: tuple[str, ...]
    """Names of the speakers behind the codes as they were written, any length; () where nobody is named."""
    kinds: tuple[str, ...]
    """Names of the kinds behind the codes (kinds of a profile's own too), any length."""
    layers: tuple[str, ...]
    """Names of the layers behind the codes, any length."""

    def terms_of(self, row: int) -> NDArray[np.uint32]:
        """The distinct terms of a row, in no order."""
        return self.held[self.held_starts[row] : self.held_ends[row]]

    @property
    def rows(self) -> int:
        """How many rows there are, gone ones included."""
        return len(self.at)


def sorted_postings(entries: Postings) -> Postings:
    """The same entries in the order which `Columns.postings` needs."""
    order = np.lexsort((entries.rows, entries.terms))
    return Postings(entries.terms[order], entries.rows[order], entries.counts[order])


def joined_postings(settled: Postings, tail: Postings) -> Postings:
    """Settled entries and tail as one settled set: what an image does when its tail has grown too long."""
    return sorted_postings(
        Postings(
            np.concatenate((settled.terms, tail.terms)),
            np.concatenate((settled.rows, tail.rows)),
            np.concatenate((settled.counts, tail.counts)),
        )
    )


def no_postings() -> Postings:
    """An empty set: a new space, a tail that was just merged."""
    return Postings(np.empty(0, np.uint32), np.empty(0, np.int32), np.empty(0, np.uint16))
