"""The clock of the machine: the only place where Holdfast asks what time it is.

Everything else is handed a time, so that every rule can be tested and every future shown.
"""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime

from holdfast.model.ids import uuid7

_NANOSECONDS_A_MILLISECOND = 1_000_000


class SystemClock:
    """Time of the machine, and UUIDv7 ids that rise strictly within a process, whatever its clock does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        """A tick of 60 bits (a quarter of a microsecond) and 62 random bits."""
        tick = (time.time_ns() << 12) // _NANOSECONDS_A_MILLISECOND
        with self._lock:
            tick = self._last = max(tick, self._last + 1)
        return uuid7(tick, int.from_bytes(os.urandom(8)))
