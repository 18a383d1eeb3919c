"""The durable queue's worker: takes due jobs, does them, puts back what failed, parks what keeps failing.

A job may be done twice (a worker may die between doing and saying so), so every handler is idempotent.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError, InvalidInput, NotFound, Unavailable
from holdfast.model import check
from holdfast.remember import converse, curate, ending, episodes, feeding, late, noting, review
from holdfast.remember.beside import harmless
from holdfast.remember.outbox import FEED
from holdfast.remember.writing import EMBED, embedding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from holdfast.model.plan import Job
    from holdfast.scope import Scope

_log = logging.getLogger(__name__)

LEASE_SECONDS = 300.0  # far longer than embedding a batch takes; then another worker may take it over
RETRIES = 8  # with the delays below: a little over a day, longer than a network is usually away
DELAYS = (10, 60, 300, 1200, 3600, 7200, 21600, 43200)  # seconds
FEED_DELAY = 10  # seconds
ERROR_MOST = 500
MOST_LISTED = 100_000


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


HANDLERS: dict[str, Callable[[Scope, Job], None]] = {
    EMBED: _embed,
    FEED: feeding.feed,
    converse.EPISODES: episodes.job,
    converse.CURATE: curate.job,
    converse.ENTITIES: noting.job,
    converse.END: ending.job,
    curate.REVIEW: review.job,
}
"""What is done for each kind of job."""


def work(
    scope: Scope, at: datetime | None = None, limit: int = 100, *, until: Callable[[], bool] = lambda: False
) -> WorkReport:
    """Does what is due, at most `limit` jobs, or until it is told to end. An error of one job leaves the
    others untouched.
    """
    now = check.moment("at", at) if at is not None else scope.clock.now()
    check.whole("limit", limit, low=1, high=1_000_000)
    feeding.begin(scope)
    reports: list[WorkReport] = []
    while len(reports) < limit and not until():
        leased = scope.store.lease(now=now, seconds=LEASE_SECONDS, kinds=tuple(HANDLERS), limit=1)
        if not leased:
            break
        reports.append(_one(scope, leased[0], now))
    return total(reports)


def work_all(
    scopes: Iterable[Scope],
    at: datetime | None = None,
    limit: int = 100,
    *,
    until: Callable[[], bool] = lambda: False,
) -> WorkReport:
    """The same in one space after the other; one that cannot be read keeps nobody else waiting."""
    reports: list[WorkReport] = []
    for scope in scopes:
        if until():
            break
        try:
            reports.append(work(scope, at, limit, until=until))
        except InvalidInput:
            raise
        except HoldfastError as error:
            _log.warning("no work in space %r: %s", scope.space, error)
            reports.append(WorkReport(errors=(f"{scope.space}: {error}"[:ERROR_MOST],)))
    return total(reports)


def retry(scope: Scope, id: str) -> Job:
    """Puts a parked job back: it is due now, and has one more try."""
    scope.require("manage")
    job = _parked(scope, id)
    now = scope.clock.now()
    scope.store.fail(job.id, error=job.error, retry_at=now)
    return replace(job, run_at=now)


def drop(scope: Scope, id: str, reason: str) -> Job:
    """Takes a job out of the queue, and says so in the ledger."""
    now = scope.clock.now()
    scope.require("manage", now)
    why = harmless("reason", check.text("reason", reason, most=2000), scope.judge.at_once)
    found = (*scope.store.jobs(limit=MOST_LISTED), *scope.store.jobs(failed=True, limit=MOST_LISTED))
    job = _named(scope, id, found)
    scope.store.finish(job.id)
    scope.store.apply(scope.plan("drop_job", now, reasons=(f"dropped: {job.kind}", why)))
    return job


def _parked(scope: Scope, id: str) -> Job:
    return _named(scope, id, scope.store.jobs(failed=True, limit=MOST_LISTED))


def _named(scope: Scope, id: str, jobs: Iterable[Job]) -> Job:
    wanted = check.text("id", id)
    for job in jobs:
        if job.id == wanted:
            return job
    raise NotFound(f"there is no such job {wanted!r} in space {scope.space!r}; `jobs` shows them")


def _one(scope: Scope, job: Job, now: datetime) -> WorkReport:
    try:
        HANDLERS[job.kind](scope.hearing(behind=True), job)
    except Exception as error:  # noqa: BLE001 (the worker goes on; the error stays with the job)
        return _failed(scope, job, error, now=now)
    scope.store.finish(job.id)
    return WorkReport(done=1)


def _failed(scope: Scope, job: Job, error: Exception, *, now: datetime) -> WorkReport:
    told = f"{type(error).__name__}: {error}"[:ERROR_MOST]
    if not isinstance(error, HoldfastError):
        _log.exception("job %s (%s) failed", job.id, job.kind)
    if job.kind == FEED and isinstance(error, Unavailable):
        # An index may be away for days, and is fed soon after it is back: its job is never parked.
        scope.store.fail(job.id, error=told, retry_at=now + timedelta(seconds=FEED_DELAY))
        return WorkReport(retried=1, errors=(told,))
    if job.attempts > RETRIES:
        scope.store.fail(job.id, error=told, retry_at=None)
        return WorkReport(parked=1, errors=(told,))
    delay = DELAYS[min(job.attempts, len(DELAYS)) - 1]
    scope.store.fail(job.id, error=told, retry_at=now + timedelta(seconds=delay))
    return WorkReport(retried=1, errors=(told,))
