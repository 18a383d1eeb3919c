"""Packed words come back as they went in, and merging a tail is the same as sorting everything."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall import wording
from holdfast.recall.columns import Postings
from holdfast.recall.words import Indexed, indexed


@st.composite
def cuts(draw):
    terms = draw(st.lists(st.integers(0, 2**32 - 1), unique=True, max_size=20))
    counts = draw(st.lists(st.integers(1, 400), min_size=len(terms), max_size=len(terms)))
    return Indexed(tuple(terms), tuple(counts), draw(st.integers(0, 10_000)), draw(st.booleans()))


names = st.text(max_size=12).filter(lambda text: "\0" not in text and "\x1f" not in text)


@given(st.lists(st.tuples(cuts() | st.none(), names, names), min_size=1, max_size=8), st.integers(0, 50))
def test_words_come_back_as_they_went_in(rows, first):
    packed = [wording.pack(cut, kind=kind, speaker=speaker) for cut, kind, speaker in rows]
    found = wording.unpack(packed, first)
    for place, (cut, kind, speaker) in enumerate(rows):
        mine = found.entries.rows == first + place
        told = dict(zip(found.entries.terms[mine].tolist(), found.entries.counts[mine].tolist(), strict=True))
        kept = {} if cut is None else dict(zip(cut.terms, cut.counts, strict=True))
        assert told == {term: min(count, wording.MOST_COUNT) for term, count in kept.items()}
        assert found.lengths[place] == (0 if cut is None else cut.length)
        assert found.asks[place] == (cut is not None and cut.asks)
        assert wording.names(packed[place]) == (kind, speaker)
        assert wording.all_fresh([packed[place]])


@given(st.lists(cuts(), min_size=1, max_size=8), st.integers(0, 8))
def test_merging_a_tail_is_sorting_everything(rows, cut):
    packed = [wording.pack(row, kind="", speaker="") for row in rows]
    cut = min(cut, len(rows))
    every = wording.settled(wording.unpack(packed).entries)
    old, tail = wording.unpack(packed[:cut]).entries if cut else _none(), _tail(packed, cut)
    merged = wording.merged(wording.settled(old), tail)
    for name in ("terms", "rows", "counts"):
        assert np.array_equal(getattr(merged, name), getattr(every, name))


def _none():
    return Postings(np.empty(0, np.uint32), np.empty(0, np.int32), np.empty(0, np.uint16))


def _tail(packed, cut):
    return wording.unpack(packed[cut:], cut).entries if cut < len(packed) else _none()


def test_words_that_changed_have_another_checksum():
    sums = wording.unpack(
        [
            wording.pack(indexed(text), kind="fact", speaker="")
            for text in ("我喜欢咖啡", "我喜歡咖啡", "我喜欢茶")
        ]
    ).sums
    assert sums[0] == sums[1] != sums[2]


def test_rows_of_another_format_are_known():
    packed = wording.pack(indexed("coffee"), kind="fact", speaker="")
    assert not wording.all_fresh([packed, b"\0\0\0\0" + packed[4:]])
    assert not wording.all_fresh([b""])
