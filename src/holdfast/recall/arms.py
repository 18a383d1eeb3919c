"""The arms that look at every row of a space: words, concepts and vectors, each lent to the neighbours. Pure numpy.

A turn of a conversation is often understood only beside the turns around it, so each arm adds to a row a part of
what the rows before and after it have (`Kernel`); in a space without sessions nothing is lent. Work grows with the
entries of the words asked for and, for vectors, with the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall.columns import NOBODY, Columns, Postings

if TYPE_CHECKING:
    from numpy.typing import NDArray

# In a large space the rarest words of a question are looked at until they have so many entries; the rest, which
# stand nearly everywhere, tell little and would cost more than the scan of the vectors. The rarest is always looked at.
LARGE, MOST_ENTRIES = 4096, 16_384
# Rows that differ by less are alike but for rounding.
LEAST_VARIANCE = 1e-10
# Below this share of allowed rows their vectors are gathered instead of scanning all.
SPARSE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a row is lent: the share of the row before it, of the row after it, and of those two away."""

    previous: float = 0.6
    next: float = 0.4
    two_away: float = 0.2


@dataclass(frozen=True, slots=True)
class Saturation:
    """BM25: how soon repeats stop counting, and how much a long text is held against it.

    LoCoMo R@10: k1 .6 / .9 / 1.6 .845 / .847 / .839; b .15 / .3 / .5 no difference beyond .002.
    """

    k1: float = 0.9
    b: float = 0.3


def rarity(rows: int, holding: NDArray[np.int64]) -> NDArray[np.float32]:
    """Inverse document frequency, never negative."""
    return np.log1p((rows - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def entries_of(columns: Columns, terms: NDArray[np.uint32]) -> tuple[list[NDArray[np.int32]], list[NDArray[np.uint16]]]:
    """For each term the rows that hold it and how often, settled words and tail together."""
    settled = columns.postings
    low = np.searchsorted(settled.terms, terms, "left")
    high = np.searchsorted(settled.terms, terms, "right")
    rows = [settled.rows[a:b] for a, b in zip(low, high, strict=True)]
    counts = [settled.counts[a:b] for a, b in zip(low, high, strict=True)]
    if len(columns.tail.terms):
        _add_tail(columns.tail, terms, rows, counts)
    return rows, counts


def _add_tail(
    tail: Postings, terms: NDArray[np.uint32], rows: list[NDArray[np.int32]], counts: list[NDArray[np.uint16]]
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


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of all terms asked for in flat arrays: term number, row, count; and each term's rarity."""

    term: NDArray[np.int64]
    row: NDArray[np.int64]
    count: NDArray[np.float32]
    rarity: NDArray[np.float32]


def flat_entries(columns: Columns, terms: NDArray[np.uint32], allowed: NDArray[np.bool_] | None) -> Entries:
    """The entries in allowed rows; the commonest terms of a large space have none (MOST_ENTRIES)."""
    if not len(terms):
        nothing = np.empty(0, np.int64)
        return Entries(nothing, nothing, np.empty(0, np.float32), np.empty(0, np.float32))
    rows, counts = entries_of(columns, terms)
    sizes = np.fromiter((len(each) for each in rows), np.int64, len(rows))
    rare = rarity(columns.rows, sizes)
    if columns.rows > LARGE:
        order = np.argsort(sizes, kind="stable")
        over = np.cumsum(sizes[order]) > MOST_ENTRIES
        over[np.flatnonzero(sizes[order])[:1]] = False
        for number in order[over].tolist():
            rows[number], counts[number], sizes[number] = rows[number][:0], counts[number][:0], 0
    row, count = np.concatenate(rows), np.concatenate(counts)
    term = np.repeat(np.arange(len(sizes)), sizes)
    if allowed is not None:
        kept = allowed[row]
        term, row, count = term[kept], row[kept], count[kept]
    return Entries(term, row.astype(np.int64), count.astype(np.float32), rare)


def spread(columns: Columns, entries: Entries, kernel: Kernel | None, rows: NDArray[np.int64]) -> Entries:
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
        entries = _near(columns, entries, place_of[:-1] >= 0)
    row = entries.row
    after, before = columns.next[row], columns.previous[row]
    targets = (
        row,
        after,
        before,
        np.where(after >= 0, columns.next[after], NOBODY),
        np.where(before >= 0, columns.previous[before], NOBODY),
    )
    shares = (1.0, kernel.previous, kernel.next, kernel.two_away, kernel.two_away)
    # A term has one place a row and one more, the first, for what nobody borrows.
    width = len(rows) + 1
    start = entries.term * width + 1
    places = np.concatenate([start + place_of[target] for target in targets])
    counts = np.concatenate([np.float32(share) * entries.count for share in shares])
    lent = np.bincount(places, counts, len(entries.rarity) * width)
    lent[::width] = 0
    place = np.flatnonzero(lent)
    return Entries(place // width, place % width - 1, lent[place].astype(np.float32), entries.rarity)


def _near(columns: Columns, entries: Entries, wanted: NDArray[np.bool_]) -> Entries:
    """Only the entries of wanted rows and of rows that lend to one."""
    lends = wanted.copy()
    for _ in range(2):
        rows = np.flatnonzero(lends)
        for neighbour in (columns.next[rows], columns.previous[rows]):
            lends[neighbour[neighbour >= 0]] = True
    kept = lends[entries.row]
    return Entries(entries.term[kept], entries.row[kept], entries.count[kept], entries.rarity)


def word_scores(
    entries: Entries, weights: NDArray[np.float32], lengths: NDArray[np.float32], saturation: Saturation
) -> NDArray[np.float32]:
    """BM25 of the entries, a score for each row that `lengths` (relative to the mean) is given for."""
    norm = saturation.k1 * (1 - saturation.b + saturation.b * lengths[entries.row])
    worth = (weights * entries.rarity)[entries.term]
    values = worth * entries.count * np.float32(saturation.k1 + 1) / (entries.count + norm)
    return np.bincount(entries.row, values, len(lengths)).astype(np.float32)


def concept_scores(entries: Entries, rows: int) -> NDArray[np.float32]:
    """How many of the concepts asked for a row touches, the rare ones counting more."""
    values = entries.rarity[entries.term] * np.minimum(entries.count, 1)
    return np.bincount(entries.row, values, rows).astype(np.float32)


def similarities(
    columns: Columns, vectors: NDArray[np.float32], allowed: NDArray[np.bool_] | None
) -> NDArray[np.float32]:
    """(clauses, rows): the cosine of each row to each clause; 0 for rows not allowed."""
    if allowed is None:
        return np.ascontiguousarray((columns.vectors @ vectors.T).T) if len(vectors) > 1 else (columns.vectors @ vectors[0])[None]
    chosen = np.flatnonzero(allowed)
    if len(chosen) < SPARSE_SHARE * columns.rows:
        found = np.zeros((len(vectors), columns.rows), np.float32)
        found[:, chosen] = vectors @ columns.vectors[chosen].T
        return found
    return np.where(allowed, similarities(columns, vectors, None), np.float32(0))


def nearest(
    columns: Columns, vector: NDArray[np.float32], limit: int, *, allowed: NDArray[np.bool_] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The rows most like the vector with their cosines, best first, equal ones by row: an exact scan under any filter."""
    usable = columns.has_vector if allowed is None else columns.has_vector & allowed
    scores = np.where(usable, similarities(columns, vector[None], None)[0], -np.inf)
    count = min(limit, int(usable.sum()))
    if not count:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    bar = np.partition(scores, len(scores) - count)[len(scores) - count]
    rows = np.flatnonzero(scores >= bar)
    order = np.lexsort((rows, -scores[rows]))[:count]
    return rows[order], scores[rows[order]].astype(np.float32)


def settled(columns: Columns, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cosines, where a row whose vector is late or missing counts as an average one."""
    late = ~columns.has_vector
    if not late.any():
        return cosines
    return np.zeros_like(cosines) if late.all() else np.where(late, cosines[~late].mean(), cosines)


def lent(columns: Columns, values: NDArray[np.float32], kernel: Kernel | None) -> NDArray[np.float32]:
    """The values with what neighbours lend."""
    if kernel is None:
        return values
    padded = np.zeros(len(values) + 1, np.float32)  # neighbour -1 takes the 0 at the end

    def shifted(moved: NDArray[np.float32], neighbour: NDArray[np.int32]) -> NDArray[np.float32]:
        padded[:-1] = moved
        return padded.take(neighbour)

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
    """Where the values of a column lie: `standing` tells how far one stands above the mean, in deviations."""

    mean: float
    deviation: float

    def standing(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.deviation:
            return np.zeros_like(values)
        return (values - np.float32(self.mean)) * np.float32(1 / self.deviation)


def scale_of(values: NDArray[np.float32], allowed: NDArray[np.bool_] | None) -> Scale:
    """Mean and deviation over the allowed rows; values alike but for rounding have none."""
    seen = values if allowed is None else values[allowed]
    if not len(seen):
        return Scale(0.0, 0.0)
    mean = float(seen.mean())
    variance = float(seen @ seen) / len(seen) - mean * mean
    return Scale(mean, variance**0.5 if variance > LEAST_VARIANCE else 0.0)


def as_arrays(words: Mapping[int, float]) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """Terms and weights of a clause as arrays."""
    terms = np.fromiter(words.keys(), np.uint32, len(words))
    return terms, np.fromiter(words.values(), np.float32, len(words))
