"""What a process remembers of the servers beside its truth: which one failed lately, and which spaces it has
looked after.

A server that hangs costs whoever asks its whole timeout. So one call pays that, and for some seconds all
others are told at once that it cannot be asked; then one call tries again. Feeding and upkeep ask anyway.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

SPARED = timedelta(seconds=5)
"""With a patience of one second a server that hangs takes a sixth of one caller's time, none of others'."""


@dataclass(slots=True)
class Servers:
    """One for a house, shared by its threads."""

    seen: set[str] = field(default_factory=set)
    """Spaces whose index was found fed, or was sent for."""
    _failed: dict[str, datetime] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def asking(self, name: str, now: datetime) -> Iterator[None]:
        """Around a question that somebody waits for; Unavailable where it failed within `SPARED`."""
        with self._lock:
            failed = self._failed.get(name)
            if failed is not None:
                if timedelta() <= now - failed < SPARED:
                    raise Unavailable(f"{name} cannot be asked: it failed a moment ago, and is left alone")
                self._failed[name] = now  # whoever comes while this one tries does not wait with it
        try:
            yield
        except Unavailable:
            with self._lock:
                self._failed[name] = now
            raise
        if failed is not None:
            with self._lock:
                self._failed.pop(name, None)
