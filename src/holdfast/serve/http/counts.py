"""What is counted of requests: a small file of numbers a process, mapped into memory, added up when asked.

So any process of a server tells for all of them, and a process that ended keeps what it counted.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.access import HOUSE, VERBS

if TYPE_CHECKING:
    from pathlib import Path

NONE = "-"
"""Of a request that reached no verb."""
NAMES = (NONE, *VERBS, *HOUSE)
STATUSES = (200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 422, 429, 500, 503, 0)
"""0: any other."""
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds; a recall takes one to ten milliseconds, a commit to a disk some, a bulk write more."""
GAUGES = ("requests_under_way", "event_streams", "image_bytes")

_VERB = {name: place for place, name in enumerate(NAMES)}
_STATUS = {status: place for place, status in enumerate(STATUSES)}
_WIDTH = len(STATUSES) + len(BOUNDS) + 1  # the last holds the sum of seconds
_SIZE = len(NAMES) * _WIDTH + len(GAUGES)


class Counts:
    """The numbers of this process, and those of the others in the same folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        path = folder / f"{os.getpid()}.counts"
        path.write_bytes(bytes(_SIZE * 8))
        self._own = np.memmap(path, np.float64, "r+", shape=(_SIZE,))

    def took(self, verb: str, status: int, seconds: float) -> None:
        """One request that was answered."""
        start = _VERB.get(verb, 0) * _WIDTH
        bound = start + len(STATUSES) + int(np.searchsorted(BOUNDS, seconds))
        with self._lock:
            self._own[start + _STATUS.get(status, len(STATUSES) - 1)] += 1
            if seconds <= BOUNDS[-1]:
                self._own[bound] += 1
            self._own[start + _WIDTH - 1] += seconds

    def stands(self, gauge: str, value: float) -> None:
        """What a gauge of this process shows now."""
        self._own[len(NAMES) * _WIDTH + GAUGES.index(gauge)] = value

    def end(self) -> None:
        """Its gauges show nothing any more; its counts stay."""
        self._own[-len(GAUGES) :] = 0
        self._own.flush()

    def lines(self) -> list[str]:
        """All processes together, as Prometheus reads them."""
        total = sum(np.fromfile(path, np.float64) for path in sorted(self._folder.glob("*.counts")))
        table = np.asarray(total)[: -len(GAUGES)].reshape(len(NAMES), _WIDTH)
        told = ["# TYPE holdfast_requests_total counter"]
        for verb, row in zip(NAMES, table, strict=True):
            told += [
                f'holdfast_requests_total{{verb="{verb}",status="{status or "other"}"}} {row[place]:.0f}'
                for status, place in _STATUS.items()
                if row[place]
            ]
        told.append("# TYPE holdfast_request_seconds histogram")
        for verb, row in zip(NAMES, table, strict=True):
            if count := row[: len(STATUSES)].sum():
                told += _histogram(verb, row[len(STATUSES) :], count=count)
        for gauge, value in zip(GAUGES, np.asarray(total)[-len(GAUGES) :], strict=True):
            told += [f"# TYPE holdfast_{gauge} gauge", f"holdfast_{gauge} {value:.0f}"]
        return told


def _histogram(verb: str, row: np.ndarray, *, count: float) -> list[str]:
    name = "holdfast_request_seconds"
    steps = zip(BOUNDS, np.cumsum(row[:-1]), strict=True)
    told = [f'{name}_bucket{{verb="{verb}",le="{bound:g}"}} {below:.0f}' for bound, below in steps]
    told.append(f'{name}_bucket{{verb="{verb}",le="+Inf"}} {count:.0f}')
    return [
        *told,
        f'{name}_sum{{verb="{verb}"}} {row[-1]:.6f}',
        f'{name}_count{{verb="{verb}"}} {count:.0f}',
    ]
