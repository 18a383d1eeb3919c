"""A space in memory made of a few texts, without a store: what the arms look at."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from holdfast.recall.columns import Columns, Postings, no_postings, sorted_postings
from holdfast.recall.fuse import fuse
from holdfast.recall.intent import read_question
from holdfast.recall.words import indexed, tokens

NOW = datetime(2025, 3, 26, 18, 0, tzinfo=UTC)  # a Wednesday
KINDS = ("fact", "medical", "preference", "relation", "place", "event")
DIMENSIONS = 32
LAYERS = ("fact", "episode", "session")


@dataclass(frozen=True)
class Row:
    """One memory, told in a word or two."""

    text: str
    at: datetime = NOW - timedelta(days=30)
    session: int = -1
    speaker: str = ""
    kind: str = "fact"
    layer: str = "fact"


def vector_of(text):
    """A unit vector that texts sharing words share in part; no model."""
    vector = np.zeros(DIMENSIONS, np.float32)
    for token in tokens(text):
        seed = np.random.default_rng(zlib.crc32(token.encode()))
        vector += seed.standard_normal(DIMENSIONS).astype(np.float32)
    norm = np.linalg.norm(vector)
    return vector / norm if norm else vector


def columns_of(rows, tail=0):
    """The columns of these rows; the words of the last `tail` of them are not settled yet."""
    rows = [row if isinstance(row, Row) else Row(row) for row in rows]
    cut = [indexed(row.text, said=row.at) for row in rows]
    speakers = sorted({row.speaker for row in rows if row.speaker})
    previous, following, last = [-1] * len(rows), [-1] * len(rows), {}
    for number, row in enumerate(rows):
        if row.session >= 0:
            previous[number] = last.get(row.session, -1)
            if previous[number] >= 0:
                following[previous[number]] = number
            last[row.session] = number
    settled = len(rows) - tail
    return Columns(
        vectors=np.array([vector_of(row.text) for row in rows], np.float32).reshape(len(rows), DIMENSIONS),
        has_vector=np.array([bool(tokens(row.text)) for row in rows], np.bool_),
        postings=sorted_postings(_entries(cut, range(settled))),
        tail=_entries(cut, range(settled, len(rows))) if tail else no_postings(),
        lengths=np.array([each.length for each in cut], np.float32),
        held=np.array([term for each in cut for term in each.terms], np.uint32),
        held_starts=np.cumsum([0, *(len(each.terms) for each in cut)])[:-1],
        held_ends=np.cumsum([len(each.terms) for each in cut], dtype=np.int64),
        session=np.array([row.session for row in rows], np.int32),
        previous=np.array(previous, np.int32),
        next=np.array(following, np.int32),
        speaker=np.array([speakers.index(r.speaker) if r.speaker else -1 for r in rows], np.int32),
        asks=np.array([each.asks for each in cut], np.bool_),
        at=np.array([row.at.timestamp() for row in rows], np.float64),
        kind=np.array([KINDS.index(row.kind) for row in rows], np.int16),
        layer=np.array([LAYERS.index(row.layer) for row in rows], np.int8),
        speakers=tuple(speakers),
        kinds=KINDS,
        layers=LAYERS,
    )


def _entries(cut, numbers):
    found = [
        (term, number, count)
        for number in numbers
        for term, count in zip(cut[number].terms, cut[number].counts, strict=True)
    ]
    terms, rows, counts = zip(*found, strict=True) if found else ((), (), ())
    return Postings(np.array(terms, np.uint32), np.array(rows, np.int32), np.array(counts, np.uint16))


def asked(rows, query, *, allowed=None, blend=None, sighted=True, now=NOW, tail=0):
    """The texts' numbers in the order in which they answer, and the scores."""
    columns = rows if isinstance(rows, Columns) else columns_of(rows, tail)
    question = read_question(query, now, columns.speakers)
    vectors = np.array([vector_of(text) for text in question.texts], np.float32)
    scores = fuse(columns, question, vectors if sighted else None, allowed=allowed, blend=blend)
    return scores.rows.tolist(), scores
