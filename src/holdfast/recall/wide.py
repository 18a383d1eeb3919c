"""The way out of a space too large to be held whole: candidates from the index beside the truth and from an
image without vectors, ordered by the same ranking.

An index only names candidates. Each is read from the truth of this space, so that one that is wrong or late
shows nothing of another space and nothing that is gone; what it was not fed yet joins the candidates. Where
it cannot be asked, the truth's own image answers, and the answer says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import Unavailable
from holdfast.model.status import RECALLED
from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.ports.index import Filter
from holdfast.recall.choose import newest_rows
from holdfast.recall.exact import exactly_named
from holdfast.recall.frame import SEARCHED, layer_flags
from holdfast.recall.fresh import freshened
from holdfast.recall.fuse import fuse
from holdfast.recall.gather import sieve, within_reach
from holdfast.recall.image import Image
from holdfast.recall.intent import read_question
from holdfast.recall.view import View, present

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.ports.batch import Batch
    from holdfast.ports.index import VectorIndex
    from holdfast.recall import intent
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
    """The space as the question needs it: whole, or the candidates."""
    index = scope.index
    if index is None or scope.images.size(scope.store) <= scope.wide_above:
        return present(scope)
    try:
        ids, notes = _by_index(scope, index, asked, now=now)
    except Unavailable as error:
        whole = present(scope)
        return replace(whole, missing=(*whole.missing, f"the truth's own search answered: {error}"))
    batch = freshened(scope.store.rows(ids, scope.embedder.name), scope.store)
    image = Image(batch, scope.embedder, scope.images.waiting(scope.store))
    standing = scope.images.constitution(scope.store, scope.store.sequence())
    return View(standing, image.frame, image, missing=notes, through=index.name)


def _by_index(
    scope: Scope, index: VectorIndex, asked: Question, *, now: datetime
) -> tuple[list[str], tuple[str, ...]]:
    """Ids of the candidates, and what the answer has to say of them."""
    text, _ = within_reach(asked.query)
    unfed, notes = _unfed(scope, index)
    ids = dict.fromkeys(unfed.ids)
    image = scope.images.of(scope.store, _Wordless())
    read = read_question(text, now, image.frame.columns.speakers)
    ids |= dict.fromkeys(_near(scope, index, read, asked=asked))
    ids |= dict.fromkeys(_worded(scope, image, read, asked=asked, now=now))
    return list(ids), notes


def _unfed(scope: Scope, index: VectorIndex) -> tuple[Batch, tuple[str, ...]]:
    """What the truth has beyond the index: one's own writes of a moment ago, mostly."""
    store, name = scope.store, scope.embedder.name
    fed = index.sequence(store.id, name)
    if not fed:
        raise Unavailable(f"{index.name} has not been fed with this space yet")
    batch = store.batch(min(fed, store.sequence()), name)
    if batch.complete or len(batch.ids) <= UNFED:
        return batch, ()
    none = store.rows((), name)
    return none, (f"{index.name} is {batch.sequence - fed} changes behind: the newest may be missing",)


def _near(scope: Scope, index: VectorIndex, read: intent.Question, *, asked: Question) -> Iterator[str]:
    """By meaning; nothing where the question cannot be embedded: `gather` says so."""
    filter = Filter(
        layers=asked.layers & SEARCHED,
        statuses=frozenset(str(status) for status in RECALLED[asked.mode]),
        kinds=asked.kinds,
        session=asked.session,
        min_confidence=asked.min_confidence,
    )
    try:
        vectors = scope.embedder.embed(read.texts)
    except Unavailable:
        return
    for vector in vectors:
        told = vector.astype("<f4").tobytes()
        found = index.search(scope.store.id, scope.embedder.name, vector=told, limit=NEAR, filter=filter)
        yield from (near.id for near in found)


def _worded(
    scope: Scope, image: Image, read: intent.Question, *, asked: Question, now: datetime
) -> Iterator[str]:
    """By words, names and times; the newest of what is shown for being new; and some bystanders."""
    frame, profile = image.frame, scope.profile
    seen_by = sieve(asked, now, profile)
    allowed = frame.allowed(seen_by)
    scores = fuse(frame.columns, read, None, allowed=allowed)
    beside = scores.rows[:WORDED].astype(np.intp)
    rows: list[NDArray[Any]] = [beside, frame.columns.previous[beside], frame.columns.next[beside]]
    rows.append(exactly_named(frame, asked.query) if profile.recall.exact_names else beside[:0])
    hot = replace(seen_by, layers=frozenset({"session"}))
    rows.append(np.array(newest_rows(frame, frame.allowed(hot), by="created", most=asked.hot), np.intp))
    facts = allowed & ((frame.flags & np.uint16(layer_flags(["fact"]))) != 0)
    most = profile.recall.latest + asked.limit
    rows.append(np.array(newest_rows(frame, facts, by="updated", most=most), np.intp))
    every = np.flatnonzero(allowed)
    rows.append(every[:: max(1, len(every) // BYSTANDERS)])
    chosen = np.unique(np.concatenate(rows))
    yield from (frame.ids[row] for row in chosen[chosen >= 0].tolist())
