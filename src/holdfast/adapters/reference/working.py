"""The specification of working memory beside the truth: a dict of lists, in this process."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.ports.working import Entry


class ReferenceWorking:
    """Implements `ports.working.Working` in memory. What is too old is left out when it is asked for."""

    name = "reference"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[int, tuple[Entry, ...]]] = {}

    def keep(self, space: str, entries: Sequence[Entry], *, sequence: int, seconds: float) -> None:
        del seconds
        with self._lock:
            if self._kept.get(space, (-1, ()))[0] <= sequence:
                self._kept[space] = (sequence, tuple(entries))

    def advance(self, space: str, sequence: int) -> None:
        with self._lock:
            known, entries = self._kept.get(space, (-1, ()))
            if known == sequence - 1 and space in self._kept:
                self._kept[space] = (sequence, entries)

    def newest(self, space: str, most: int, since: datetime) -> tuple[int, list[Entry]]:
        sequence, entries = self._kept.get(space, (-1, ()))
        return sequence, [entry for entry in entries if entry.at >= since][:most]

    def drop(self, space: str) -> None:
        with self._lock:
            self._kept.pop(space, None)

    def close(self) -> None:
        """Nothing to let go of."""
