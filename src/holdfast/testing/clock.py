"""A clock that stands still until it is told to move, for tests that ask what time does."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from holdfast.model.ids import uuid7

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ManualClock:
    """Shows the time it was set to. Its ids are UUIDv7, rise strictly and are the same in every run."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)) -> None:
        self._lock = threading.Lock()
        self._now = start
        self._last = 0
        self._made = 0

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        """Moves to any time, earlier ones too."""
        self._now = now

    def advance(self, **span: float) -> datetime:
        """Moves by days=, hours=, minutes= or seconds= and says what time it is then."""
        with self._lock:
            self._now += timedelta(**span)
            return self._now

    def new_id(self) -> str:
        with self._lock:
            tick = ((self._now - _EPOCH) // timedelta(milliseconds=1)) << 12
            self._last = max(tick, self._last + 1)
            self._made += 1
            return uuid7(self._last, self._made)
