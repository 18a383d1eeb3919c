"""The durable queue's worker: takes due jobs, does them, puts back what failed, parks what keeps failing.

A job may be done twice (a worker may die between doing and saying so), so every handler is idempotent.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.model import check
from holdfast.remember import late
from holdfast.remember.writing import EMBED, embedding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from holdfast.model.plan import Job
    from holdfast.scope import Scope

_log = logging.getLogger(__name__)

LEASE_SECONDS = 300.0  # far longer than embedding a batch takes; then another worker may take it over
RETRIES = 8  # with the delays below: a little over a day, longer than a network is usually away
DELAYS = (10, 60, 300, 1200, 3600, 7200, 21600, 43200)  # seconds
ERROR_MOST = 500


@dataclass(frozen=True, slots=True)
class WorkReport:
    """What one round of work did."""

    done: int = 0
    retried: int = 0
    parked: int = 0
    errors: tuple[str, ...] = ()


def total(reports: Iterable[WorkReport]) -> WorkReport:
    """All of them as one."""
    found = list(reports)
    return WorkReport(
        sum(report.done for report in found),
        sum(report.retried for report in found),
        sum(report.parked for report in found),
        tuple(error for report in found for error in report.errors),
    )


def _embed(scope: Scope, job: Job) -> None:
    """Vectors for what waits for one."""
    del job
    waiting = late.waiting(scope)
    if not waiting:
        return
    late.embed(scope, waiting)
    if len(waiting) == late.BATCH:
        scope.store.enqueue([embedding(scope)])


HANDLERS: dict[str, Callable[[Scope, Job], None]] = {EMBED: _embed}
"""What is done for each kind of job."""


def work(scope: Scope, at: datetime | None = None, limit: int = 100) -> WorkReport:
    """Does what is due, at most `limit` jobs. An error of one job leaves the others untouched."""
    now = check.moment("at", at) if at is not None else scope.clock.now()
    check.whole("limit", limit, low=1, high=1_000_000)
    reports: list[WorkReport] = []
    while len(reports) < limit:
        leased = scope.store.lease(now=now, seconds=LEASE_SECONDS, kinds=tuple(HANDLERS), limit=1)
        if not leased:
            break
        reports.append(_one(scope, leased[0], now))
    return total(reports)


def _one(scope: Scope, job: Job, now: datetime) -> WorkReport:
    try:
        HANDLERS[job.kind](scope, job)
    except Exception as error:  # noqa: BLE001 (the worker goes on; the error stays with the job)
        return _failed(scope, job, error, now=now)
    scope.store.finish(job.id)
    return WorkReport(done=1)


def _failed(scope: Scope, job: Job, error: Exception, *, now: datetime) -> WorkReport:
    told = f"{type(error).__name__}: {error}"[:ERROR_MOST]
    if not isinstance(error, HoldfastError):
        _log.exception("job %s (%s) failed", job.id, job.kind)
    if job.attempts > RETRIES:
        scope.store.fail(job.id, error=told, retry_at=None)
        return WorkReport(parked=1, errors=(told,))
    delay = DELAYS[min(job.attempts, len(DELAYS)) - 1]
    scope.store.fail(job.id, error=told, retry_at=now + timedelta(seconds=delay))
    return WorkReport(retried=1, errors=(told,))
