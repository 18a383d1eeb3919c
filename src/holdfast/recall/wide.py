"""The way out of a space too large to be held whole: an image without vectors, and an index beside the truth
that names candidates by meaning. Their vectors are read from the truth, and the same ranking orders them.

An index is never believed: what it names is looked up in this space, so that one that is wrong or late shows
nothing of another space and nothing that is gone. What it was not fed yet joins the candidates. Where it
cannot be asked, the truth's own image answers, and the answer says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import Unavailable
from holdfast.model.layer import Layer
from holdfast.model.status import RECALLED
from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.ports.index import Filter
from holdfast.recall.choose import newest_rows
from holdfast.recall.exact import exactly_named
from holdfast.recall.frame import SEARCHED, layer_flags
from holdfast.recall.fuse import fuse
from holdfast.recall.gather import sieve, within_reach
from holdfast.recall.intent import read_question
from holdfast.recall.view import View, present

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.ports.batch import Batch
    from holdfast.ports.index import VectorIndex
    from holdfast.recall.columns import Columns
    from holdfast.recall.frame import Frame
    from holdfast.recall.question import Question
    from holdfast.scope import Scope

NEAR, WORDED = 200, 200
"""Candidates by meaning, for each clause, and by words: forty times the usual limit of five."""
BYSTANDERS = 256
"""Others of the space, evenly: what a candidate's standing is measured against."""
UNFED = 20_000
"""So many memories that the index was not fed yet are read beside it (some 60 ms); beyond, it is behind."""


@dataclass(frozen=True, slots=True)
class _Wordless:
    """Stands for an embedder in an image that holds no vectors."""

    name: str = "-"
    dimensions: int = 0
    calibration: Calibration = IDENTITY

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise Unavailable(f"{len(texts)} texts are not embedded: this image holds no vectors")


def seen(scope: Scope, asked: Question, now: datetime) -> View:
    """The space as the question needs it: whole, or with nothing but the candidates in sight."""
    index = scope.index
    if index is None or scope.images.size(scope.store, scope.seen) <= scope.wide_above:
        return present(scope)
    try:
        ids, notes = _by_meaning(scope, index, asked, now=now)
    except Unavailable as error:
        whole = present(scope)
        return replace(whole, missing=(*whole.missing, f"the truth's own search answered: {error}"))
    image = scope.images.of(scope.store, _Wordless())
    frame = image.frame
    rows = np.unique(np.concatenate((image.places.rows(frame, ids), _by_words(scope, frame, asked, now=now))))
    frame = replace(frame, flags=_only(frame.flags, rows), columns=_with_vectors(scope, frame, rows))
    standing = scope.images.constitution(scope.store, scope.store.sequence())
    return View(standing, frame, image, missing=notes, through=index.name)


def _by_meaning(
    scope: Scope, index: VectorIndex, asked: Question, *, now: datetime
) -> tuple[list[str], tuple[str, ...]]:
    """Ids that the index names, and those it was not fed yet; what the answer has to say of them."""
    unfed, notes = _unfed(scope, index)
    filter = Filter(
        layers=asked.layers & SEARCHED,
        statuses=frozenset(str(status) for status in RECALLED[asked.mode]),
        kinds=asked.kinds,
        session=asked.session,
        min_confidence=asked.min_confidence,
    )
    text, _ = within_reach(asked.query)
    ids = list(unfed.ids)
    try:
        vectors = scope.embedder.embed(read_question(text, now, ()).texts)
    except Unavailable:
        return ids, notes  # words answer alone; `gather` says so
    for vector in vectors:
        told = vector.astype("<f4").tobytes()
        with scope.servers.asking(index.name, scope.clock.now()):
            found = index.search(scope.store.id, scope.embedder.name, vector=told, limit=NEAR, filter=filter)
        ids += [near.id for near in found]
    return ids, notes


def _unfed(scope: Scope, index: VectorIndex) -> tuple[Batch, tuple[str, ...]]:
    """What the truth has beyond the index: one's own writes of a moment ago, mostly."""
    store, name = scope.store, scope.embedder.name
    with scope.servers.asking(index.name, scope.clock.now()):
        fed = index.sequence(store.id, name)
    if not fed:
        scope.servers.seen.discard(store.id)  # the next round of work looks again
        raise Unavailable(f"{index.name} has not been fed with this space yet; a worker does so")
    batch = store.batch(min(fed, store.sequence()), name)
    if not batch.complete and len(batch.ids) <= UNFED:
        return batch, ()
    behind = f"{index.name} is {batch.sequence - fed} changes behind: the newest may be missing"
    return store.rows((), name), (behind,)


def _by_words(scope: Scope, frame: Frame, asked: Question, *, now: datetime) -> NDArray[np.intp]:
    """Rows by words, names and times; the newest of what is shown for being new; and some bystanders."""
    text, _ = within_reach(asked.query)
    profile, seen_by = scope.profile, sieve(asked, now, scope.profile)
    allowed = frame.allowed(seen_by)
    read = read_question(text, now, frame.columns.speakers)
    beside = fuse(frame.columns, read, None, allowed=allowed).rows[:WORDED].astype(np.intp)
    rows: list[NDArray[Any]] = [beside, frame.columns.previous[beside], frame.columns.next[beside]]
    rows.append(exactly_named(frame, asked.query) if profile.recall.exact_names else beside[:0])
    hot = frame.allowed(replace(seen_by, layers=frozenset({Layer.SESSION})))
    rows.append(np.array(newest_rows(frame, hot, by="created", most=asked.hot), np.intp))
    facts = allowed & ((frame.flags & np.uint16(layer_flags([Layer.FACT]))) != 0)
    most = profile.recall.latest + asked.limit
    rows.append(np.array(newest_rows(frame, facts, by="updated", most=most), np.intp))
    every = np.flatnonzero(allowed)
    rows.append(every[:: max(1, len(every) // BYSTANDERS)])
    chosen = np.concatenate(rows)
    return chosen[chosen >= 0].astype(np.intp)


def _only(flags: NDArray[np.uint16], rows: NDArray[np.intp]) -> NDArray[np.uint16]:
    """The flags of these rows; nothing sees the others."""
    kept = np.zeros_like(flags)
    kept[rows] = flags[rows]
    return kept


def _with_vectors(scope: Scope, frame: Frame, rows: NDArray[np.intp]) -> Columns:
    """The columns with the vectors of these rows. The others' are zeros that no memory is spent on: what is
    never touched of a fresh array is not there.
    """
    batch = scope.store.rows([frame.ids[row] for row in rows.tolist()], scope.embedder.name)
    where = {frame.ids[row]: row for row in rows.tolist()}
    vectors = np.zeros((frame.rows, scope.embedder.dimensions), np.float32)
    there = np.zeros(frame.rows, np.bool_)
    for id, vector in zip(batch.ids, batch.vectors, strict=True):
        if vector is not None:
            vectors[where[id]] = np.frombuffer(vector, "<f4")
            there[where[id]] = True
    return replace(frame.columns, vectors=vectors, has_vector=there)
