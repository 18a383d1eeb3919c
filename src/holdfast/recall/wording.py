"""The packed words of a memory: its terms with their counts, and the names of its kind and speaker.

Made of units of four bytes, so that the rows of a whole space, joined, are read as one array: four units of
head (format, length, checksum, sizes), the names, the counts above one, then the terms, those that repeat
first. Stores hand it back unread.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from holdfast.recall import lexicon
from holdfast.recall.columns import Postings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.recall.words import Indexed

FORMAT = 1 << 16 | lexicon.VERSION
"""Rises when the packing, the cutting or a table of words changes; rows of another format are cut anew."""
MOST_COUNT = 255
"""A count is kept up to here: BM25 tells 255 from 300 no more than a reader does."""

_TODAY = struct.pack("<I", FORMAT)
_UNIT = 4
_HEADS = 4
_HEAD = struct.Struct("<4I")
_NAME_BITS, _REPEAT_BITS = 16, 12
_NAMES, _REPEATS, _ASKS = (1 << _NAME_BITS) - 1, (1 << _REPEAT_BITS) - 1, 1 << 31
_PARTED = "\x1f"


@dataclass(frozen=True, slots=True)
class Wordings:
    """The words of n rows."""

    entries: Postings
    """In the order of rows, not yet of terms."""
    sizes: NDArray[np.int64]
    """How many entries each row has."""
    lengths: NDArray[np.float32]
    asks: NDArray[np.bool_]
    sums: NDArray[np.uint32]
    """A checksum a row: another one says that the words changed."""


def pack(words: Indexed | None, *, kind: str, speaker: str) -> bytes:
    """The bytes a store keeps. No words (a secret): the names alone."""
    names = f"{kind}{_PARTED}{speaker}".encode("utf-8", "surrogatepass")[: _UNIT * _NAMES]
    names += b"\0" * (-len(names) % _UNIT)
    sizes = len(names) // _UNIT
    if words is None:
        return _HEAD.pack(FORMAT, 0, crc32(names), sizes) + names
    counted = sorted(zip(words.counts, words.terms, strict=True), reverse=True)
    repeated = [min(count, MOST_COUNT) for count, _ in counted if count > 1][:_REPEATS]
    terms = [term for _, term in counted]
    body = names + struct.pack(f"<{len(repeated) + len(terms)}I", *repeated, *terms)
    sizes |= len(repeated) << _NAME_BITS | (_ASKS if words.asks else 0)
    return _HEAD.pack(FORMAT, words.length, crc32(body), sizes) + body


def all_fresh(packed: Sequence[bytes]) -> bool:
    """Whether all of these are of today's format."""
    return all(map(bytes.startswith, packed, repeat(_TODAY)))


def names(packed: bytes) -> tuple[str, str]:
    """Kind and speaker as they were written."""
    end = _HEAD.size + _UNIT * (_HEAD.unpack_from(packed)[3] & _NAMES)
    text = packed[_HEAD.size : end].rstrip(b"\0").decode("utf-8", "replace")
    kind, _, speaker = text.partition(_PARTED)
    return kind, speaker


def unpack(packed: Sequence[bytes], first: int = 0) -> Wordings:
    """The words of the rows `first`, `first` + 1, …, all of today's format."""
    count = len(packed)
    sizes = np.fromiter(map(len, packed), np.int64, count) // _UNIT
    units = np.frombuffer(b"".join(packed), "<u4")
    starts = np.cumsum(sizes) - sizes
    last = units[starts + (_HEADS - 1)]
    names_and_heads = _HEADS + (last & _NAMES).astype(np.int64)
    repeats = ((last >> _NAME_BITS) & _REPEATS).astype(np.int64)
    heads = names_and_heads + repeats
    kept = np.ones(len(units), np.bool_)
    kept[_runs(starts, heads)] = False
    terms = units[kept]
    counts = np.ones(len(terms), np.uint16)
    firsts = starts - (np.cumsum(heads) - heads)
    counts[_runs(firsts, repeats)] = units[_runs(starts + names_and_heads, repeats)]
    rows = np.repeat(np.arange(first, first + count, dtype=np.int32), sizes - heads)
    return Wordings(
        entries=Postings(terms, rows, counts),
        sizes=sizes - heads,
        lengths=units[starts + 1].astype(np.float32),
        asks=(last & _ASKS) != 0,
        sums=units[starts + 2],
    )


def _runs(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """starts[0], starts[0] + 1, … for lengths[0] places, then starts[1] …"""
    total = int(lengths.sum())
    return np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(total)


def settled(entries: Postings) -> Postings:
    """The entries in order of terms, then rows: one sort of 64-bit numbers, five times quicker than by
    columns.
    """
    mixed = entries.terms.astype(np.uint64) << np.uint64(32)
    mixed |= entries.rows.astype(np.uint64) << np.uint64(8)
    mixed |= entries.counts.astype(np.uint64)
    mixed.sort()
    return Postings(
        (mixed >> np.uint64(32)).astype(np.uint32),
        ((mixed >> np.uint64(8)) & np.uint64(0xFFFFFF)).astype(np.int32),
        (mixed & np.uint64(0xFF)).astype(np.uint16),
    )


def merged(old: Postings, tail: Postings) -> Postings:
    """Settled entries with a tail whose rows all come after theirs, without sorting the old ones again."""
    new = settled(tail)
    places = np.searchsorted(old.terms, new.terms, "right")
    return Postings(
        np.insert(old.terms, places, new.terms),
        np.insert(old.rows, places, new.rows),
        np.insert(old.counts, places, new.counts),
    )


def without(entries: Postings, gone: NDArray[np.bool_]) -> Postings:
    """The entries of the rows that are not gone, in the same order."""
    kept = ~gone[entries.rows]
    return entries if kept.all() else Postings(entries.terms[kept], entries.rows[kept], entries.counts[kept])


def joined(first: Postings, second: Postings) -> Postings:
    """One after the other."""
    return Postings(
        np.concatenate((first.terms, second.terms)),
        np.concatenate((first.rows, second.rows)),
        np.concatenate((first.counts, second.counts)),
    )
