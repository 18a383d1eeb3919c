"""What Prometheus reads at /metrics: requests of all processes, how the house stands. No names, no words."""

from __future__ import annotations

import threading
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.serve.http.log import say
from holdfast.steward.metrics import COUNTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.engine import Holdfast
    from holdfast.serve.http.counts import Counts
    from holdfast.steward.metrics import Metrics as Weighed

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
    weighed: list[Weighed] = []
    for record in house.spaces():
        found["spaces"] += 1
        try:
            me = house.space(record.name)
            found["jobs_waiting"] += len(me.jobs(limit=MOST_JOBS))
            found["jobs_parked"] += len(me.jobs(failed=True, limit=MOST_JOBS))
            weighed.append(me.steward.metrics())
        except HoldfastError as error:
            found["spaces_unreadable"] += 1
            say("a space cannot be read", error=type(error).__name__, space=record.id)
    told = []
    for name in ("spaces", "spaces_unreadable", "jobs_waiting", "jobs_parked"):
        told += [f"# TYPE holdfast_{name} gauge", f"holdfast_{name} {found[name]}"]
    return told + steward(weighed)


def steward(found: Sequence[Weighed]) -> list[str]:
    """E19's figures, added up; the average is that of all memories that are alive."""
    told = []
    for name in COUNTS:
        total = sum(getattr(one, name) for one in found)
        told += [f"# TYPE holdfast_{name} counter", f"holdfast_{name} {total}"]
    spread: Counter[str] = Counter()
    for one in found:
        spread.update(one.weight_distribution)
    alive = [(sum(one.weight_distribution.values()), one.avg_weight) for one in found]
    many = sum(count for count, _ in alive)
    average = sum(count * weight for count, weight in alive) / many if many else 0.0
    told += ["# TYPE holdfast_avg_weight gauge", f"holdfast_avg_weight {average:.4f}"]
    told.append("# TYPE holdfast_weight_distribution gauge")
    return told + [f'holdfast_weight_distribution{{weight="{span}"}} {spread[span]}' for span in spread]
