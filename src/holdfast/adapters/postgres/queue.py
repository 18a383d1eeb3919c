"""The durable queue: jobs as rows, held for a time by whoever took them. A dead holder's time runs out."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.model.codec import micros, moment, write_json
from holdfast.model.plan import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.adapters.postgres.pool import Db

_SQL = statements(__package__, "space.sql")


def enqueue(db: Db, jobs: Iterable[Job]) -> None:
    """Adds those whose id is new and whose key nothing waiting has; the space is locked."""
    db.many(_SQL["enqueue"], [row(job) for job in jobs])


def row(job: Job) -> tuple[object, ...]:
    """A job as it is stored."""
    payload, run_at = write_json(dict(job.payload)), micros(job.run_at)
    return (job.id, job.kind, job.key, payload, run_at, job.attempts, job.error)


def lease(db: Db, now: datetime, seconds: float, *, kinds: Sequence[str], limit: int) -> list[Job]:
    """Takes due jobs for a time."""
    until = micros(now + timedelta(seconds=seconds))
    taken = [read_job(*one) for one in db.rows(_SQL["lease"], micros(now), until, list(kinds), limit)]
    return sorted(taken, key=lambda job: (job.run_at, job.id))


def jobs(db: Db, *, failed: bool, limit: int) -> list[Job]:
    return [read_job(*one) for one in db.rows(_SQL["jobs"], failed, limit)]


def read_job(*row: Any) -> Job:
    """A job as it was stored."""
    id, kind, key, payload, run_at, attempts, error = row
    return Job(
        id=id,
        kind=kind,
        key=key,
        payload=json.loads(payload),
        run_at=moment(run_at),
        attempts=attempts,
        error=error,
    )
