"""What a recall looks at: the space as it is now, or as it was (B4), with the constitution before anything
else.

A space whose image cannot be had still shows its constitution; the view says what is missing. The past is
built for one question and thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import StoreError, Unavailable
from holdfast.ports.store import Batch, Vectors
from holdfast.recall import indexing, preload, record
from holdfast.recall.growth import Growth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.recall.frame import Frame
    from holdfast.recall.image import Image
    from holdfast.scope import Scope


@dataclass(frozen=True, slots=True)
class View:
    """One state of a space. `image` is None for the past, whose memories are all at hand in `past`."""

    constitution: tuple[Memory, ...]
    frame: Frame | None
    image: Image | None = None
    past: Mapping[str, Memory] | None = None
    missing: tuple[str, ...] = ()
    through: str = ""
    """The index that named the candidates; empty: the whole space was looked at."""
    hot: tuple[str, ...] | None = None
    """Ids of the newest working memory, newest first; None: to be found among the rows."""

    def accesses(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """How often these rows were handed out, and when last (seconds, nan for never)."""
        if self.image is not None:
            return self.image.accesses(rows)
        return np.zeros(len(rows), np.int64), np.full(len(rows), np.nan)


def present(scope: Scope) -> View:
    """The space with every write committed before this call, or before `scope.seen` was read."""
    sequence = scope.store.sequence() if scope.seen is None else scope.seen
    constitution = scope.images.constitution(scope.store, sequence)
    try:
        image = scope.images.of(scope.store, scope.embedder, sequence)
    except (Unavailable, StoreError) as error:
        return View(constitution, None, missing=(f"the index cannot be read: {error}",))
    return View(constitution, image.frame, image)


def past(scope: Scope, at: datetime) -> View:
    """The space after the last change made at or before `at`. Vectors of contents that have not changed
    since are taken over, the others made now; where the embedder cannot be reached, words find them.
    """
    memories = {memory.id: memory for memory in scope.store.as_of(at) if memory.content}
    constitution = preload.standing(memories.values())
    missing: tuple[str, ...] = ()
    known: dict[str, bytes] = {}
    try:
        known |= _known_vectors(scope, memories)
        late = [id for id, one in memories.items() if id not in known and one.sensitivity < record.SECRET]
        if late:
            rows = scope.embedder.embed([indexing.embedded_text(memories[id]) for id in late])
            known |= {id: row.tobytes() for id, row in zip(late, rows, strict=True)}
    except (Unavailable, StoreError) as error:
        missing = (f"some of the past has no vectors: {error}",)
    growth = Growth(_batch(memories, known), scope.embedder.dimensions)
    return View(constitution, growth.frame, past=memories, missing=missing)


def fetched(scope: Scope, view: View, rows: Sequence[int]) -> dict[int, Memory]:
    """The memories of some rows: one read of the truth, less what the image still has at hand. A memory
    that was purged since is not among them.
    """
    if view.frame is None:
        return {}
    if view.image is not None:
        return view.image.memories(scope.store, view.frame, rows)
    assert view.past is not None, "a frame is of an image or of the past"
    return {row: view.past[view.frame.ids[row]] for row in rows}


def _known_vectors(scope: Scope, memories: Mapping[str, Memory]) -> dict[str, bytes]:
    frame = scope.image().frame
    rows = {frame.ids[row]: row for row in np.flatnonzero(frame.columns.has_vector).tolist()}
    known = {}
    for id, memory in memories.items():
        row = rows.get(id)
        if row is not None and int(frame.content[row]) == record.content_key(memory.content):
            known[id] = frame.columns.vectors[row].tobytes()
    return known


def _batch(memories: Mapping[str, Memory], vectors: Mapping[str, bytes]) -> Batch:
    kept = list(memories.values())
    return Batch(
        sequence=0,
        complete=True,
        rows=range(len(kept)),
        ids=[memory.id for memory in kept],
        records=[record.pack(memory) for memory in kept],
        words=[indexing.packed_words(memory) for memory in kept],
        vectors=Vectors.of(vectors.get(memory.id) for memory in kept),
        access_counts=[0] * len(kept),
        accessed=[float("nan")] * len(kept),
    )
