"""The space in memory: coherent with the truth by its sequence number, bounded in bytes over all spaces.

`Images.of` hands out the image of a space, up to date with every write committed before the call; when
nothing changed that costs one cheap question. Readers take `image.frame` once and never wait; one thread at
a time builds or grows an image. What the way in asks (equal contents, entities, nearest) is answered here
by id.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall import record
from holdfast.recall.accesses import Accesses
from holdfast.recall.frame import LIVE, Frame
from holdfast.recall.fresh import freshened
from holdfast.recall.growth import Growth
from holdfast.recall.kept import Kept, counted
from holdfast.recall.nearest import nearest_rows, similarities
from holdfast.recall.places import Places
from holdfast.recall.preload import Preloaded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Access
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.store import Batch, SpaceStore


class Image:
    """One space as columns. `frame` is its state; each question is answered from the state of the call."""

    def __init__(self, batch: Batch, embedder: Embedder, waiting: Mapping[str, Access]) -> None:
        self._growth = Growth(batch, embedder.dimensions)
        self.calibration = embedder.calibration
        self._kept = Kept()
        self.places = Places()
        self._counting = threading.Lock()
        self._counts = np.array(batch.access_counts, np.int64)
        self._accessed = np.array(batch.accessed, np.float64)
        if waiting:
            self._count(batch, dict(zip(batch.ids, range(len(batch.ids)), strict=True)), waiting)

    @property
    def frame(self) -> Frame:
        return self._growth.frame

    @property
    def sequence(self) -> int:
        """The last write it knows of."""
        return self.frame.sequence

    @property
    def size(self) -> int:
        """How many memories it holds, in any status."""
        return self.frame.live

    @property
    def nbytes(self) -> int:
        return self._growth.nbytes + self._counts.nbytes + self._accessed.nbytes + self._kept.nbytes

    # --- what the way in asks -----------------------------------------------------------------
    def find_content(self, content: str, *, statuses: Iterable[str] | None = None) -> list[str]:
        """Ids of the memories that hold these words (folded), oldest first; in any status unless told."""
        frame = self.frame
        return _ids(frame, frame.content == np.uint64(record.content_key(content)), statuses)

    def find_entity(self, type: str, value: str, *, statuses: Iterable[str] | None = None) -> list[str]:
        """Ids of the memories of exactly this entity (folded, A2), oldest first."""
        frame = self.frame
        return _ids(frame, frame.entity == np.uint64(record.entity_key(type, value)), statuses)

    def of_entity_type(self, entity_type: str, *, statuses: Iterable[str] | None = None) -> list[str]:
        """Ids of the memories of this type of entity, oldest first."""
        frame = self.frame
        return _ids(frame, frame.entity_type == np.uint64(record.name_key(entity_type)), statuses)

    def session_ids(self, session: str, *, statuses: Iterable[str] | None = LIVE) -> list[str]:
        """Ids of what was written in a session, oldest first."""
        frame = self.frame
        return _ids(frame, frame.columns.session == frame.session_code(session), statuses)

    def nearest(
        self,
        vectors: NDArray[np.float32],
        k: int,
        *,
        layers: Iterable[str] | None = None,
        statuses: Iterable[str] = LIVE,
    ) -> list[list[tuple[str, float]]]:
        """For each of the rows of `vectors` the k nearest memories with their calibrated similarity, best
        first, ties oldest first. Exact: a full scan under the filter.
        """
        frame = self.frame
        found = nearest_rows(frame.columns, vectors, k, allowed=frame.in_status(statuses, layers))
        near = [(rows, similarities(self.calibration, raw).tolist()) for rows, raw in found]
        return [[(frame.ids[row], one) for row, one in zip(rows, ones, strict=True)] for rows, ones in near]

    # --- memories ------------------------------------------------------------------------------
    def memories(self, store: SpaceStore, frame: Frame, rows: Sequence[int]) -> dict[int, Memory]:
        """The memories of these rows with the accesses of now: those at hand in the version that the frame
        knows, the others read from the truth in one call.
        """
        ids = [frame.ids[row] for row in rows]
        places = np.asarray(rows, np.intp)
        versions = frame.packed(places)["version"].tolist()
        found = self._kept.of(dict(zip(ids, versions, strict=True)))
        missing = [id for id in ids if id not in found]
        if missing:
            read = store.get(missing)
            self._kept.keep(read)
            found |= read
        counts, last = self.accesses(places)
        seen = zip(rows, ids, counts.tolist(), last.tolist(), strict=True)
        return {row: counted(found[id], count, at) for row, id, count, at in seen if id in found}

    def hand(self, memories: Mapping[str, Memory]) -> None:
        """Memories that somebody has at hand; shown only in the version that the frame knows."""
        self._kept.keep(memories)

    # --- accesses -----------------------------------------------------------------------------
    def accesses(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """How often these rows were handed out, and when last (seconds, nan for never), this process's
        included.
        """
        self._make_room(rows)
        return self._counts[rows], self._accessed[rows]

    def bump(self, rows: NDArray[np.intp], at: float) -> None:
        """One access each, seen by the next question."""
        self._make_room(rows)
        with self._counting:
            np.add.at(self._counts, rows, 1)
            np.fmax.at(self._accessed, rows, at)

    # --- upkeep -------------------------------------------------------------------------------
    def take(self, batch: Batch, waiting: Mapping[str, Access]) -> None:
        """A difference. Only `Images` calls this, one thread at a time."""
        self._count(batch, self._growth.grow(batch), waiting)

    @property
    def worn(self) -> bool:
        """Whether it is time to build it anew."""
        return self._growth.worn

    def _count(self, batch: Batch, rows: Mapping[str, int], waiting: Mapping[str, Access]) -> None:
        """Stored counts and those not yet written. What this process counted is never taken back: a count
        that is just being written may be in neither.
        """
        with self._counting:
            self._extend(self._growth.frame.rows)
            for id, stored, last in zip(batch.ids, batch.access_counts, batch.accessed, strict=True):
                row, unwritten = rows[id], waiting.get(id)
                extra = (unwritten.count, record.seconds(unwritten.at)) if unwritten else (0, np.nan)
                self._counts[row] = max(self._counts[row], stored + extra[0])
                self._accessed[row] = np.fmax(self._accessed[row], np.fmax(last, extra[1]))

    def _make_room(self, rows: NDArray[np.intp]) -> None:
        """A reader may see a row of a frame just published before its counts have been taken in."""
        if rows.size and int(rows.max()) >= len(self._accessed):
            with self._counting:
                self._extend(int(rows.max()) + 1)

    def _extend(self, size: int) -> None:
        """Nothing counted yet for rows up to `size`; `_accessed` last, whose length readers look at."""
        more = max(0, size - len(self._counts))
        self._counts = np.concatenate((self._counts, np.zeros(more, np.int64)))
        self._accessed = np.concatenate((self._accessed, np.full(more, np.nan)))


def _ids(frame: Frame, mask: NDArray[np.bool_], statuses: Iterable[str] | None) -> list[str]:
    found = mask & ((frame.flags != 0) if statuses is None else frame.in_status(statuses))
    return sorted(frame.ids[row] for row in np.flatnonzero(found))


@dataclass(slots=True)
class _Kept:
    """The image of one space, and the lock under which it is built and grown."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    image: Image | None = None
    nbytes: int = 0


class Images:
    """The images of all spaces of one house; the least recently used go first when they take too much."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._accesses = Accesses()
        self._preloaded = Preloaded()
        self._sizes: dict[str, tuple[int, int]] = {}  # space → sequence, count

    @property
    def nbytes(self) -> int:
        """What all images take, in bytes."""
        with self._lock:
            return sum(kept.nbytes for kept in self._kept.values())

    def of(self, store: SpaceStore, embedder: Embedder, sequence: int | None = None) -> Image:
        """The image of a space, knowing every write committed before this call, or before `sequence` was
        read.
        """
        key = (store.id, embedder.name)
        with self._lock:
            kept = self._kept.setdefault(key, _Kept())
            self._kept.move_to_end(key)
        image = kept.image
        if image is not None and image.sequence == (store.sequence() if sequence is None else sequence):
            return image
        with kept.lock:
            image = kept.image = self._current(kept.image, store, embedder)
            kept.nbytes = image.nbytes
        self._trim(key)
        return image

    def constitution(self, store: SpaceStore, sequence: int) -> tuple[Memory, ...]:
        """The standing entries of a space in priority order, read from the truth alone (M1)."""
        return self._preloaded.of(store, sequence)

    def accessed(self, store: SpaceStore, image: Image, rows: NDArray[np.intp], *, at: datetime) -> None:
        """Counts one access for each row: at once in the image, soon in the truth."""
        if len(rows):
            image.bump(rows, record.seconds(at))
            ids = image.frame.ids
            self._accesses.record(store, [ids[row] for row in rows.tolist()], at)

    def waiting(self, store: SpaceStore) -> Mapping[str, Access]:
        """The accesses of this process that are not written yet."""
        return self._accesses.waiting(store.id)

    def size(self, store: SpaceStore, sequence: int | None = None) -> int:
        """How many memories a space has, roughly: counted again when it may have grown by a twentieth."""
        sequence = store.sequence() if sequence is None else sequence
        known, count = self._sizes.get(store.id, (sequence, -1))
        if count < 0 or abs(sequence - known) > count // 20:
            count = sum(store.count().values())
            self._sizes[store.id] = (sequence, count)
        return count

    def flush(self, store: SpaceStore) -> None:
        """Writes the access counts that wait for this space, where that can be done now."""
        self._accesses.flush(store)

    def forget(self, space: str) -> None:
        """Drops everything known of a space (it was erased)."""
        self._accesses.forget(space)
        self._sizes.pop(space, None)
        self._preloaded.forget(space)
        with self._lock:
            for key in [key for key in self._kept if key[0] == space]:
                del self._kept[key]

    def close(self) -> None:
        """Writes what waits and lets go of everything."""
        self._accesses.close()
        with self._lock:
            self._kept.clear()

    def _current(self, image: Image | None, store: SpaceStore, embedder: Embedder) -> Image:
        if image is not None:
            sequence = store.sequence()
            if image.sequence == sequence:
                return image
            if image.sequence < sequence:
                batch = freshened(store.batch(image.sequence, embedder.name), store)
                if not batch.complete:
                    image.take(batch, self._accesses.waiting(store.id))
                    if not image.worn:
                        return image
        whole = freshened(store.batch(0, embedder.name), store)
        return Image(whole, embedder, self._accesses.waiting(store.id))

    def _trim(self, using: tuple[str, str]) -> None:
        """Lets go of the least recently used images until the rest fits; the one in use stays."""
        with self._lock:
            total = sum(kept.nbytes for kept in self._kept.values())
            for key in list(self._kept):
                if total <= self._limit:
                    return
                if key != using and self._kept[key].image is not None:
                    total -= self._kept.pop(key).nbytes
