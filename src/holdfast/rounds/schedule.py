"""When the rounds are due by the calendar (A7): jobs in the queue of each space, whose time is the next turn.

A job outlives the process, is held by one runner at a time, and is put back for its next turn when it is
done: a turn that was missed, or several, is caught up once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.model import check
from holdfast.model.plan import Job
from holdfast.rounds import run
from holdfast.rounds.report import Round
from holdfast.steward.calendar import Calendar, calendar, jitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from holdfast.scope import Scope
    from holdfast.settings import StewardSettings

DAILY_JOB, WEEKLY_JOB = "steward.daily", "steward.weekly"
RULES = {DAILY_JOB: run.chosen("daily"), WEEKLY_JOB: run.chosen("weekly")}
HELD = 600.0  # seconds; the run itself holds a lease of its own, which a dead runner loses in one minute
RETRY = timedelta(minutes=10)
ERROR_MOST = 500


class Schedule:
    """The calendar of a house, read from its settings."""

    def __init__(self, settings: StewardSettings) -> None:
        self._texts = {DAILY_JOB: settings.daily, WEEKLY_JOB: settings.weekly}
        self._calendars: dict[str, Calendar] = {
            DAILY_JOB: calendar("settings.steward.daily", settings.daily, settings.zone),
            WEEKLY_JOB: calendar("settings.steward.weekly", settings.weekly, settings.zone),
        }
        minutes = check.number("settings.steward.jitter_minutes", settings.jitter_minutes, low=0, high=1440)
        self._jitter = timedelta(minutes=minutes)
        self._zone = settings.zone
        self._seen: set[str] = set()

    def next(self, job: str, scope: Scope, after: datetime) -> datetime:
        """The next turn of a space, by its own part of the jitter later than the calendar says."""
        late = jitter(scope.store.id, self._jitter)
        return self._calendars[job].next(after - late) + late

    def keep(
        self,
        scopes: Iterable[Scope],
        at: datetime | None,
        *,
        until: Callable[[], bool] = lambda: False,
    ) -> Iterator[Round]:
        """Does what is due, space by space; one that cannot be tended now is tried again soon and keeps no
        other waiting.
        """
        for scope in scopes:
            if until():
                return
            now = at or scope.clock.now()
            try:
                self._enter(scope, now)
                yield from self._due(scope, now)
            except HoldfastError as error:
                yield Round(space=scope.space, at=now, errors=(str(error),))

    def _enter(self, scope: Scope, now: datetime) -> None:
        """A space seen for the first time has its turns from now on; another calendar counts at once."""
        if scope.store.id in self._seen:
            return
        known = {job.kind: job for job in scope.store.jobs(limit=10_000) if job.kind in RULES}
        for kind in RULES:
            told = {"calendar": self._texts[kind], "zone": self._zone}
            if kind in known and dict(known[kind].payload) == told:
                continue
            scope.store.finish(kind)
            due = self.next(kind, scope, now)
            scope.store.enqueue([Job(id=kind, kind=kind, key=kind, payload=told, run_at=due)])
        self._seen.add(scope.store.id)

    def _due(self, scope: Scope, now: datetime) -> Iterator[Round]:
        while jobs := scope.store.lease(now=now, seconds=HELD, kinds=tuple(RULES), limit=1):
            job = jobs[0]
            try:
                done = run.run(scope, now, RULES[job.kind], told=_quiet)
            except HoldfastError as error:
                scope.store.fail(job.id, error=str(error)[:ERROR_MOST], retry_at=now + RETRY)
                yield Round(space=scope.space, at=now, errors=(str(error),))
            else:
                scope.store.fail(job.id, error="", retry_at=self.next(job.kind, scope, now))
                yield done


def _quiet(_rule: str, _done: int, _of: int) -> None:
    """Nobody is told how far it is."""
