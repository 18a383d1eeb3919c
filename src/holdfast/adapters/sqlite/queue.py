"""The durable queue: jobs as rows, held for a time by whoever took them. A dead holder's time runs out."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.model.codec import micros, moment, write_json
from holdfast.model.plan import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    import apsw

_SQL = statements("space.sql")


def enqueue(db: apsw.Connection, jobs: Iterable[Job]) -> None:
    """Adds those whose id is new and whose key nothing waiting has."""
    for job in jobs:
        db.execute(_SQL["enqueue"], row(job))


def row(job: Job) -> tuple[object, ...]:
    """A job as it is stored."""
    payload, run_at = write_json(dict(job.payload)), micros(job.run_at)
    return (job.id, job.kind, job.key, payload, run_at, job.attempts, job.error)


def due(db: apsw.Connection, now: datetime, *, kinds: Sequence[str], limit: int) -> list[str]:
    """Ids of jobs that may be taken."""
    return [id for (id,) in rows(db, _SQL["due"], (micros(now), write_json(list(kinds)), limit))]


def lease(
    db: apsw.Connection, now: datetime, seconds: float, *, kinds: Sequence[str], limit: int
) -> list[Job]:
    """Takes due jobs for a time."""
    until = micros(now + timedelta(seconds=seconds))
    taken = due(db, now, kinds=kinds, limit=limit)
    return [read_job(*rows(db, _SQL["lease"], (id, until))[0]) for id in taken]


def finish(db: apsw.Connection, job: str) -> None:
    db.execute(_SQL["finish"], (job,))


def fail(db: apsw.Connection, job: str, *, error: str, retry_at: datetime | None) -> None:
    """Back into the queue, or parked where there is no time to try again."""
    db.execute(_SQL["fail"], (job, error, None if retry_at is None else micros(retry_at)))


def jobs(db: apsw.Connection, *, failed: bool, limit: int) -> list[Job]:
    return [read_job(*row) for row in rows(db, _SQL["jobs"], (failed, limit))]


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
