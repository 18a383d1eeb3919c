"""How much one caller may ask for: buckets that fill with time, one for each name, no more than some."""

from __future__ import annotations

import threading
from collections import OrderedDict
from time import monotonic

MOST_NAMES = 10_000
"""Buckets kept; the one used longest ago goes first, and was full again long before."""


class Buckets:
    """So many a second for each name, twice as many at once. 0: any number."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> float:
        """0.0 where there was room; else the seconds until there is."""
        if self._rate <= 0:
            return 0.0
        now, most = monotonic(), 2 * self._rate
        with self._lock:
            left, then = self._known.pop(name, (most, now))
            left = min(most, left + (now - then) * self._rate)
            held = left < 1.0
            self._known[name] = (left if held else left - 1.0, now)
            if len(self._known) > MOST_NAMES:
                self._known.popitem(last=False)
        return (1.0 - left) / self._rate if held else 0.0
