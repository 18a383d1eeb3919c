"""What keeps a model from costing too much: a budget per day, a circuit breaker, a bounded cache.

Each is safe to call from several threads. The budget counts what this process asks.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.ports.clock import Clock

FAILURES = 3  # in a row, until nobody waits for the model any more
REST = 30.0  # seconds until one question tries it again; doubled each time it fails, up to
REST_MOST = 600.0


class Breaker:
    """Opens after failures in a row; then one question at a time tries whether the model is back."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._failed = 0
        self._closed_at = 0.0

    def enter(self) -> None:
        """Unavailable while it is open."""
        with self._lock:
            now = self._seconds()
            if self._failed < FAILURES:
                return
            if now < self._closed_at:
                raise Unavailable(f"the model failed {self._failed} times; it is asked again later")
            self._closed_at = now + self._rest()  # the others go on without while this one tries

    def failed(self) -> None:
        with self._lock:
            self._failed += 1
            self._closed_at = self._seconds() + self._rest()

    def worked(self) -> None:
        with self._lock:
            self._failed = 0

    def _rest(self) -> float:
        return min(REST_MOST, REST * 2.0 ** min(10, max(0, self._failed - FAILURES)))


class Budget:
    """Calls and tokens of a day (UTC); 0 is no limit."""

    def __init__(self, calls: int, tokens: int, clock: Clock) -> None:
        self._most = (calls, tokens)
        self._clock = clock
        self._lock = threading.Lock()
        self._day = ""
        self._spent = [0, 0]

    def call(self) -> None:
        """Counts one call; Unavailable where the day has none left."""
        with self._lock:
            self._turn()
            for most, spent, what in zip(self._most, self._spent, ("calls", "tokens"), strict=True):
                if most and spent >= most:
                    raise Unavailable(f"the day's {most:,} {what} are used up")
            self._spent[0] += 1

    def tokens(self, count: int) -> None:
        with self._lock:
            self._turn()
            self._spent[1] += count

    def _turn(self) -> None:
        today = f"{self._clock.now():%Y-%m-%d}"
        if today != self._day:
            self._day, self._spent = today, [0, 0]


class Cache:
    """The newest answers by question."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, dict[str, Any]] = OrderedDict()

    def get(self, key: bytes) -> dict[str, Any] | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: bytes, value: dict[str, Any]) -> None:
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
