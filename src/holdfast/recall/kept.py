"""Decoded memories at hand for the next answer: hot ones come again and again. Bounded in characters."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from holdfast.model.memory import Memory
from holdfast.recall.record import moment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

MOST_CHARS = 2_000_000
"""Of contents a space: some two thousand ordinary memories, a few megabytes. With a quarter of it a
conversation of 663 turns was decoded again and again.
"""
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
    return memory if memory.access_count >= count else _COPY(memory, count, moment(last))


def _copier() -> Callable[[Memory, int, datetime | None], Memory]:
    """An answer copies ten memories: written out field by field, as dataclasses write their own methods, that
    takes a fifth of the time of `dataclasses.replace`.
    """
    now = {"access_count": "count", "accessed_at": "last"}
    names = [field.name for field in fields(Memory)]
    body = [f"    set_{name}(copy, {now.get(name, f'memory.{name}')})" for name in names]
    lines = ["def copy(memory, count, last):", "    copy = new(Memory)", *body, "    return copy"]
    known: dict[str, Any] = {f"set_{name}": getattr(Memory, name).__set__ for name in names}
    known |= {"new": object.__new__, "Memory": Memory}
    exec("\n".join(lines), known)  # noqa: S102 (the text is made of names of our own)
    made: Callable[[Memory, int, datetime | None], Memory] = known["copy"]
    return made


_COPY = _copier()
