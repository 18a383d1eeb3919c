"""The arms that look at every row of a space: words, concepts and vectors, each lent to the neighbours.
Pure numpy.

A turn of a conversation is often understood only beside the turns around it, so each arm adds to a row a
part of what the rows before and after it have (`Kernel`); in a space without sessions nothing is lent. Work
grows with the entries of the words asked for and, for vectors, with the rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall.columns import NOBODY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.recall.blend import Kernel, Saturation
    from holdfast.recall.columns import Columns, Postings

# In a large space the rarest words of a question are looked at until they have so many entries; the rest,
# which stand nearly everywhere, tell little and would cost more than the scan of the vectors. The rarest is
# always looked at. (100,000 rows: 14 ms without this bound, 10 with it; a scan of the vectors takes 6.)
LARGE, MOST_ENTRIES = 4096, 16_384
# Rows that differ by less, against the square of their mean, are alike but for rounding in single precision.
LEAST_VARIANCE = 1e-6
# Below this share of allowed rows their vectors are gathered instead of scanning all.
SPARSE_SHARE = 0.2
# Numbers in a matrix. A product of more than PIECE or so is shared out to threads, which in a space of 1,000
# gains 0.01 ms and costs 20 ms on a busy machine, where one waits for a thread that has no processor. From
# SHARED on (16,000 rows of 512) there is something to gain.
PIECE, SHARED = 2**17, 2**23


@dataclass(frozen=True, slots=True)
class Entries:
    """What is known of the terms asked for: flat arrays of term number, row and count, and each term's
    rarity.
    """

    term: NDArray[np.int64]
    row: NDArray[np.int64]
    count: NDArray[np.float32]
    rarity: NDArray[np.float32]

    def some(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> Entries:
        """These entries only."""
        return Entries(self.term[kept], self.row[kept], self.count[kept], self.rarity)

    def parted(self, split: int) -> tuple[Entries, Entries]:
        """The entries of the first terms, and those of the others."""
        first = self.term < split
        rest = ~first
        return (
            Entries(self.term[first], self.row[first], self.count[first], self.rarity[:split]),
            Entries(self.term[rest] - split, self.row[rest], self.count[rest], self.rarity[split:]),
        )


def rarity(rows: int, holding: NDArray[np.int64]) -> NDArray[np.float32]:
    """Inverse document frequency, never negative."""
    return np.log1p((rows - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def looked_up(columns: Columns, terms: NDArray[np.uint32], allowed: NDArray[np.bool_] | None) -> Entries:
    """The entries of these terms in allowed rows; the commonest of a large space have none (MOST_ENTRIES)."""
    if not len(terms):
        nothing = np.empty(0, np.int64)
        return Entries(nothing, nothing, np.empty(0, np.float32), np.empty(0, np.float32))
    settled = columns.postings
    low, high = np.searchsorted(settled.terms, terms, "left"), np.searchsorted(settled.terms, terms, "right")
    rows = [settled.rows[a:b] for a, b in zip(low, high, strict=True)]
    counts = [settled.counts[a:b] for a, b in zip(low, high, strict=True)]
    if len(columns.tail.terms):
        _add_tail(columns.tail, terms, rows, counts=counts)
    sizes = np.fromiter((len(each) for each in rows), np.int64, len(rows))
    rare = rarity(columns.rows, sizes)
    if columns.rows > LARGE:
        order = np.argsort(sizes, kind="stable")
        over = np.cumsum(sizes[order]) > MOST_ENTRIES
        over[np.flatnonzero(sizes[order])[:1]] = False
        for number in order[over].tolist():
            rows[number], counts[number], sizes[number] = rows[number][:0], counts[number][:0], 0
    row, count = np.concatenate(rows).astype(np.int64), np.concatenate(counts).astype(np.float32)
    entries = Entries(np.repeat(np.arange(len(sizes)), sizes), row, count, rare)
    return entries if allowed is None else entries.some(allowed[row])


def _add_tail(
    tail: Postings,
    terms: NDArray[np.uint32],
    rows: list[NDArray[np.int32]],
    *,
    counts: list[NDArray[np.uint16]],
) -> None:
    order = np.argsort(terms)
    ranked = terms[order]
    places = np.minimum(np.searchsorted(ranked, tail.terms), len(terms) - 1)
    hits = np.flatnonzero(ranked[places] == tail.terms)
    owners = order[places[hits]]
    for owner in np.unique(owners):
        mine = hits[owners == owner]
        rows[owner] = np.concatenate((rows[owner], tail.rows[mine]))
        counts[owner] = np.concatenate((counts[owner], tail.counts[mine]))


def spread(columns: Columns, entries: Entries, kernel: Kernel | None, *, rows: NDArray[np.int64]) -> Entries:
    """The entries of some rows with what neighbours lend: a row's count of a term grows by parts of theirs.

    `row` of the answer is the place in `rows` (ascending).
    """
    place_of = np.full(columns.rows + 1, NOBODY, np.int64)  # the last stands for neighbour -1
    place_of[rows] = np.arange(len(rows))
    if kernel is None:
        place = place_of[entries.row]
        here = place >= 0
        return Entries(entries.term[here], place[here], entries.count[here], entries.rarity)
    if len(rows) < columns.rows:
        entries = _near(columns, entries, rows)
    row = entries.row
    after, before = columns.next[row], columns.previous[row]
    further = np.where(after >= 0, columns.next[after], NOBODY)
    earlier = np.where(before >= 0, columns.previous[before], NOBODY)
    # A term has one place a row and one more, the first, for what nobody borrows.
    width = len(rows) + 1
    start = entries.term * width + 1
    places = np.concatenate([start + place_of[target] for target in (row, after, before, further, earlier)])
    shares = (1.0, kernel.previous, kernel.next, kernel.two_away, kernel.two_away)
    counts = np.concatenate([np.float32(share) * entries.count for share in shares])
    lent = np.bincount(places, counts, len(entries.rarity) * width)
    lent[::width] = 0
    place = np.flatnonzero(lent)
    return Entries(place // width, place % width - 1, lent[place].astype(np.float32), entries.rarity)


def _near(columns: Columns, entries: Entries, rows: NDArray[np.int64]) -> Entries:
    """Only the entries of these rows and of rows that lend to one."""
    lends = np.zeros(columns.rows + 1, np.bool_)  # the last stands for neighbour -1
    lends[rows] = True
    for neighbour in (columns.next, columns.previous):
        beside = neighbour[rows]
        lends[beside] = True
        lends[neighbour[beside[beside >= 0]]] = True
    return entries.some(lends[entries.row])


def word_scores(
    entries: Entries,
    weights: NDArray[np.float32],
    lengths: NDArray[np.float32],
    *,
    mean: float,
    saturation: Saturation,
) -> NDArray[np.float32]:
    """BM25 of the entries, a score for each row that a length is given for; `mean` is the space's mean
    length.
    """
    k1, b = saturation.k1, saturation.b
    norm = k1 * (1 - b + b / max(mean, 1.0) * lengths[entries.row])
    worth = (weights * entries.rarity)[entries.term]
    values = worth * entries.count * np.float32(k1 + 1) / (entries.count + norm)
    return np.bincount(entries.row, values, len(lengths)).astype(np.float32)


def concept_scores(entries: Entries, rows: int) -> NDArray[np.float32]:
    """How many of the concepts asked for a row touches, the rare ones counting more."""
    values = entries.rarity[entries.term] * np.minimum(entries.count, 1)
    return np.bincount(entries.row, values, rows).astype(np.float32)


def cosines_of(
    columns: Columns, vectors: NDArray[np.float32], allowed: NDArray[np.bool_] | None
) -> NDArray[np.float32]:
    """(clauses, rows): the cosine of each row to each clause; 0 for rows not allowed."""
    if allowed is None:
        return _products(columns.vectors, vectors)
    chosen = np.flatnonzero(allowed)
    if len(chosen) < SPARSE_SHARE * columns.rows:
        found = np.zeros((len(vectors), columns.rows), np.float32)
        found[:, chosen] = _products(columns.vectors[chosen], vectors)
        return found
    return np.where(allowed, cosines_of(columns, vectors, None), np.float32(0))


def _products(rows: NDArray[np.float32], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """(clauses, rows). A small space is taken in pieces that numpy's threads do not share out."""
    if rows.size > SHARED:
        if len(vectors) == 1:
            return np.asarray((rows @ vectors[0])[None])
        return np.ascontiguousarray((rows @ vectors.T).T)
    found = np.empty((len(vectors), len(rows)), np.float32)
    step = PIECE // max(1, rows.shape[1])
    for first in range(0, len(rows), step):
        piece = rows[first : first + step]
        for number, vector in enumerate(vectors):
            found[number, first : first + step] = piece @ vector
    return found


def settled(
    columns: Columns, cosines: NDArray[np.float32], allowed: NDArray[np.bool_] | None
) -> NDArray[np.float32]:
    """The cosines, where a row whose vector is late or missing counts as an average one."""
    if columns.has_vector.all():
        return cosines
    sighted = columns.has_vector if allowed is None else columns.has_vector & allowed
    if not sighted.any():
        return np.zeros_like(cosines)
    return np.where(columns.has_vector, cosines, cosines[sighted].mean())


def lent(columns: Columns, values: NDArray[np.float32], kernel: Kernel | None) -> NDArray[np.float32]:
    """The values with what neighbours lend."""
    if kernel is None:
        return values
    padded = np.zeros(len(values) + 1, np.float32)  # neighbour -1 takes the 0 at the end

    def shifted(moved: NDArray[np.float32], neighbour: NDArray[np.int32]) -> NDArray[np.float32]:
        padded[:-1] = moved
        return np.asarray(padded.take(neighbour))

    before, after = shifted(values, columns.previous), shifted(values, columns.next)
    further = shifted(before, columns.previous) + shifted(after, columns.next)
    before *= np.float32(kernel.previous)
    after *= np.float32(kernel.next)
    further *= np.float32(kernel.two_away)
    before += after
    before += further
    before += values
    return before


@dataclass(frozen=True, slots=True)
class Scale:
    """Where the values of a column lie."""

    mean: float
    deviation: float

    def standing(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """How many deviations each value stands above the mean."""
        if not self.deviation:
            return np.zeros_like(values)
        return (values - np.float32(self.mean)) * np.float32(1 / self.deviation)

    def lent(self, kernel: Kernel | None) -> Scale:
        """The scale that values have when neighbours have lent, as if these were unlike each other."""
        if kernel is None:
            return self
        shares = np.array((1.0, kernel.previous, kernel.next, kernel.two_away, kernel.two_away))
        return Scale(self.mean * float(shares.sum()), self.deviation * float(np.sqrt(shares @ shares)))


def scale_of(values: NDArray[np.float32], allowed: NDArray[np.bool_] | None) -> Scale:
    """Mean and deviation over the allowed rows; values alike but for rounding have none."""
    seen = values if allowed is None else values[allowed]
    if not len(seen):
        return Scale(0.0, 0.0)
    mean = float(seen.mean())
    variance = float(seen @ seen) / len(seen) - mean * mean
    return Scale(mean, variance**0.5 if variance > LEAST_VARIANCE * mean * mean else 0.0)
