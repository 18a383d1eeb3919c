"""Decoded memories at hand for the next answer: hot ones come again and again. Bounded in characters."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import fields
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING

from holdfast.model.memory import Memory
from holdfast.recall.record import moment

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARS = 500_000
"""Of contents a space: some four thousand ordinary memories, a few megabytes."""
# An answer copies ten memories: field by field in C that takes half the time of `dataclasses.replace`.
_FIELDS = tuple(field.name for field in fields(Memory))
_values = attrgetter(*_FIELDS)
_COUNT, _LAST = _FIELDS.index("access_count"), _FIELDS.index("accessed_at")
_OVERHEAD = 1000  # characters that a memory's other fields take, roughly


class Kept:
    """The memories of one image that were handed out last, each with the version it was read at."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._memories: OrderedDict[str, Memory] = OrderedDict()
        self._chars = 0

    @property
    def nbytes(self) -> int:
        """Roughly what they take: Chinese text has two bytes a character."""
        return 2 * self._chars

    def of(self, versions: Mapping[str, int]) -> dict[str, Memory]:
        """Those at hand in exactly these versions."""
        with self._lock:
            found = {}
            for id, version in versions.items():
                memory = self._memories.get(id)
                if memory is not None and memory.version == version:
                    self._memories.move_to_end(id)
                    found[id] = memory
            return found

    def keep(self, memories: Mapping[str, Memory]) -> None:
        """Adds these, and lets go of the least recently used."""
        with self._lock:
            for id, memory in memories.items():
                old = self._memories.pop(id, None)
                self._chars += _size(memory) - (_size(old) if old else 0)
                self._memories[id] = memory
            while self._chars > MOST_CHARS and self._memories:
                _, gone = self._memories.popitem(last=False)
                self._chars -= _size(gone)


def _size(memory: Memory) -> int:
    return _OVERHEAD + len(memory.content)


def counted(memory: Memory, count: int, last: float) -> Memory:
    """The memory with the accesses of now; the same object where it says no fewer."""
    if memory.access_count >= count:
        return memory
    values = list(_values(memory))
    values[_COUNT], values[_LAST] = count, moment(last)
    copy: Memory = object.__new__(Memory)
    deque(map(object.__setattr__, repeat(copy), _FIELDS, values), maxlen=0)
    return copy
