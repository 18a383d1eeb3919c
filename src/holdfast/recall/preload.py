"""The constitution: whole, in priority order, in every answer and context, whatever else fails (M1).

Read from the truth and from nothing else; kept until the space's sequence number moves.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer, Priority
from holdfast.model.plan import Listing
from holdfast.model.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.model.memory import Memory
    from holdfast.ports.store import SpaceStore

STANDING = frozenset({Status.ACTIVE, Status.REVIEW})
_ORDER = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}
_SPACES = 256  # twenty entries of two hundred characters each: some 25 MB for as many spaces, at most
_PAGE = 1000  # far above any profile's number of entries


class Preloaded:
    """The constitutions of the spaces used last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[int, tuple[Memory, ...]]] = OrderedDict()

    def of(self, store: SpaceStore, sequence: int) -> tuple[Memory, ...]:
        """The standing entries of a space, whose sequence number has just been read."""
        space = store.id
        kept = self._kept.get(space)
        if kept is not None and kept[0] == sequence:
            return kept[1]
        listing = Listing(layers=frozenset({Layer.CONSTITUTION}), statuses=STANDING, limit=_PAGE)
        entries = in_order(store.list(listing))
        with self._lock:
            self._kept[space] = (sequence, entries)
            self._kept.move_to_end(space)
            while len(self._kept) > _SPACES:
                self._kept.popitem(last=False)
        return entries

    def forget(self, space: str) -> None:
        """Drops what is kept of a space."""
        with self._lock:
            self._kept.pop(space, None)


def standing(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """The standing entries among some memories."""
    return in_order(m for m in memories if m.layer is Layer.CONSTITUTION and m.status in STANDING)


def in_order(entries: Iterable[Memory]) -> tuple[Memory, ...]:
    """By priority, then by age."""
    return tuple(sorted(entries, key=lambda memory: (_ORDER[memory.priority], memory.created_at, memory.id)))
