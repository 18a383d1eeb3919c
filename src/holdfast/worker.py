"""A worker: does what waits in the queues of a house until it is told to stop, in a thread or as a process.

`holdfast worker` runs one; a server starts one beside itself. Several may work on one house: jobs are leased.
A `Keeper` keeps the steward's calendar and nothing else.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Self

from holdfast.errors import HoldfastError
from holdfast.model import check
from holdfast.remember.jobs import WorkReport, total

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from types import TracebackType

    from holdfast.engine import Holdfast

_log = logging.getLogger(__name__)

EVERY = 1.0  # seconds between looks while there is work
IDLE_MOST = 15.0  # what the pause doubles to while there is none: a job waits no longer than that
DAY = 86_400.0
ROUND = 100  # jobs of one space before the next space has its turn
CALENDAR = 60.0  # seconds between looks at the steward's calendar, whose times are minutes


class Worker:
    """`with Worker(hf): …` works in the background; `Worker(hf).run()` until `stop` is called.

    The job under way is finished before it stops. `told` hears of every round in which something happened.
    """

    def __init__(
        self,
        house: Holdfast,
        *,
        every: float = EVERY,
        idle: float = IDLE_MOST,
        told: Callable[[WorkReport], None] = lambda _report: None,
        steward: bool = False,
    ) -> None:
        self._house = house
        self._every = check.number("every", every, low=0.01, high=DAY)
        self._idle = max(self._every, check.number("idle", idle, low=0.01, high=DAY))
        self._told = told
        self._steward = check.flag("steward", steward)
        self._looked = -CALENDAR
        self._ending = threading.Event()
        self._nudged = threading.Event()
        self._thread: threading.Thread | None = None

    def once(self, at: datetime | None = None) -> WorkReport:
        """One round through all spaces; with the steward's calendar too, where that was asked for."""
        report = self._house.work(at=at, limit=ROUND, until=self._ending.is_set)
        now = time.monotonic()
        if not self._steward or now - self._looked < CALENDAR:
            return report
        self._looked = now
        return total([report, self._kept(at)])

    def run(self, at: datetime | None = None) -> None:
        """Works until `stop`; the pauses grow while there is nothing to do."""
        pause = self._every
        while not self._ending.is_set():
            report = self._round(at)
            busy = report.done or report.retried or report.parked
            if busy or report.errors:
                self._told(report)
            pause = self._every if busy else min(self._idle, pause * 2)
            self._nudged.wait(pause)
            self._nudged.clear()

    def nudge(self) -> None:
        """There is work: look now instead of after the pause."""
        self._nudged.set()

    def start(self) -> Self:
        """Works in a thread of its own from now on."""
        if self._thread is None or not self._thread.is_alive():
            self._ending.clear()
            self._thread = threading.Thread(target=self.run, name="holdfast-worker", daemon=True)
            self._thread.start()
        return self

    def stop(self, wait: float = 30.0) -> bool:
        """Ends after the job under way; says whether it has ended within `wait` seconds."""
        self._ending.set()
        self._nudged.set()
        if self._thread is None or self._thread is threading.current_thread():
            return True
        self._thread.join(wait)
        return not self._thread.is_alive()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _kept(self, at: datetime | None) -> WorkReport:
        """Whatever the calendar asks for now."""
        rounds = list(self._house.steward.keep(at=at, until=self._ending.is_set))
        return WorkReport(
            done=sum(not one.errors for one in rounds),
            retried=sum(bool(one.errors) for one in rounds),
            errors=tuple(f"{one.space}: {error}" for one in rounds for error in one.errors),
        )

    def _round(self, at: datetime | None) -> WorkReport:
        """A house that cannot be read now is tried again; what failed is told."""
        try:
            return self.once(at)
        except (HoldfastError, OSError) as error:
            _log.warning("no work could be done: %s", error)
            return WorkReport(errors=(str(error),))


class Keeper(Worker):
    """Keeps the steward's calendar in all spaces, and does no other work."""

    def once(self, at: datetime | None = None) -> WorkReport:
        """Whatever the calendar asks for now."""
        return self._kept(at)
