"""What Prometheus reads at /metrics: requests of all processes, how the house stands. No names, no words."""

from __future__ import annotations

import threading
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.serve.http.log import say

if TYPE_CHECKING:
    from holdfast.engine import Holdfast
    from holdfast.serve.http.counts import Counts

GATHER = 30.0
"""Seconds that what was gathered from all spaces is told again: scrapes come as often."""
MOST_JOBS = 10_000


class Metrics:
    """The page of one server."""

    def __init__(self, house: Holdfast, counts: Counts) -> None:
        self._house = house
        self._counts = counts
        self._lock = threading.Lock()
        self._until = 0.0
        self._gathered: list[str] = []

    def text(self) -> str:
        """All of it, in the text format."""
        self._counts.stands("image_bytes", self._house.image_bytes)
        with self._lock:
            if monotonic() >= self._until:
                self._gathered = gathered(self._house)
                self._until = monotonic() + GATHER
        return "\n".join([*self._counts.lines(), *self._gathered, ""])


def gathered(house: Holdfast) -> list[str]:
    """What stands in the spaces, added up."""
    found: Counter[str] = Counter()
    for record in house.spaces():
        found["spaces"] += 1
        try:
            me = house.space(record.name)
            found["jobs_waiting"] += len(me.jobs(limit=MOST_JOBS))
            found["jobs_parked"] += len(me.jobs(failed=True, limit=MOST_JOBS))
        except HoldfastError as error:
            found["spaces_unreadable"] += 1
            say("a space cannot be read", error=type(error).__name__, space=record.id)
    told = []
    for name in ("spaces", "spaces_unreadable", "jobs_waiting", "jobs_parked"):
        told += [f"# TYPE holdfast_{name} gauge", f"holdfast_{name} {found[name]}"]
    return told
