"""How often memories were handed out, buffered: an answer never waits for a count to be written (A4).

Counts are written a few seconds after the first that waits, in a thread of its own, and whenever somebody
asks for them. What cannot be written now (a busy or read-only store) waits on; what is left at the end is
logged.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.errors import StoreError, Unavailable
from holdfast.model.plan import Access

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.ports.store import SpaceStore

PATIENCE = 2.0
"""Seconds that a count may wait: another process sees it soon, and many are gathered into one write."""
MOST_ANSWERS = 1000
"""Answers are added up at the latest after so many, so that a buffer stays as small as the space is."""

_log = logging.getLogger("holdfast")


@dataclass(slots=True)
class _Waiting:
    """What one space has to be told: whole answers first, added up when somebody needs the counts."""

    store: SpaceStore
    answers: list[tuple[Sequence[str], datetime]] = field(default_factory=list)
    counts: dict[str, Access] = field(default_factory=dict)
    told: dict[str, Access] = field(default_factory=dict)  # being written now
    writing: threading.Lock = field(default_factory=threading.Lock)

    def add_up(self) -> None:
        for ids, at in self.answers:
            for id in ids:
                before = self.counts.get(id)
                self.counts[id] = Access(1, at) if before is None else _sum(before, Access(1, at))
        self.answers.clear()


class Accesses:
    """The buffer of all spaces of one house."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._spaces: dict[str, _Waiting] = {}
        self._timer: threading.Timer | None = None
        self._closed = False

    def record(self, store: SpaceStore, ids: Sequence[str], at: datetime) -> None:
        """One access each."""
        with self._lock:
            waiting = self._spaces.get(store.id)
            if waiting is None:
                waiting = self._spaces[store.id] = _Waiting(store)
            waiting.store = store
            waiting.answers.append((ids, at))
            if len(waiting.answers) > MOST_ANSWERS:
                waiting.add_up()
            if self._timer is None and not self._closed:
                self._timer = threading.Timer(self._patience, self._tick)
                self._timer.daemon = True
                self._timer.start()

    def waiting(self, space: str) -> Mapping[str, Access]:
        """What is not yet written for certain, by id."""
        with self._lock:
            found = self._spaces.get(space)
            if found is None:
                return {}
            found.add_up()
            return _joined(found.told, found.counts)

    def flush(self, store: SpaceStore) -> bool:
        """Writes what waits for this space; False where it has to wait on."""
        with self._lock:
            waiting = self._spaces.get(store.id)
        return waiting is None or self._write(waiting, store)

    def close(self) -> None:
        """Writes everything that waits; what cannot be written is logged."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            spaces = dict(self._spaces)
        for space, waiting in spaces.items():
            if not self._write(waiting, waiting.store):
                count = len(waiting.counts)
                _log.warning("access counts of %d memories in %s could not be written", count, space)

    def forget(self, space: str) -> None:
        """Of a space that is erased nothing is to be written any more."""
        with self._lock:
            self._spaces.pop(space, None)

    def _tick(self) -> None:
        with self._lock:
            self._timer = None
            spaces = list(self._spaces.values())
        for waiting in spaces:
            self._write(waiting, waiting.store)

    def _write(self, waiting: _Waiting, store: SpaceStore) -> bool:
        with waiting.writing:
            with self._lock:
                waiting.add_up()
                waiting.told, waiting.counts = waiting.counts, {}
            if not waiting.told:
                return True
            try:
                store.touch(waiting.told)
            except (Unavailable, StoreError):
                with self._lock:
                    waiting.counts, waiting.told = _joined(waiting.told, waiting.counts), {}
                return False
            with self._lock:
                waiting.told = {}
            return True


def _sum(one: Access, other: Access) -> Access:
    return Access(one.count + other.count, max(one.at, other.at))


def _joined(one: Mapping[str, Access], other: Mapping[str, Access]) -> dict[str, Access]:
    """Both, added up."""
    joined = dict(one)
    for id, access in other.items():
        joined[id] = _sum(joined[id], access) if id in joined else access
    return joined
