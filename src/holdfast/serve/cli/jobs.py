"""`holdfast worker` does what waits in the queues, `holdfast jobs` shows it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from holdfast.serve.cli import draw
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from holdfast.model.plan import Job


@spread
def worker(
    house: House,
    *,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, then end.")] = False,
    every: Annotated[
        float, typer.Option("--every", help="Seconds between looks at the queue.", min=0.1)
    ] = 5.0,
    at: At = None,
) -> None:
    """Do the work that waits in the queues of all spaces (late embeddings, say)."""
    with house.keeping("work") as hf:
        while True:
            report = hf.work(at=moment("--at", at))
            if once or house.as_json or report.done or report.retried or report.parked:
                house.tell(report, draw.record)
            if once:
                return
            time.sleep(every)


@spread
def jobs(
    house: House,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only what kept failing and was parked.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 100,
) -> None:
    """Show the work that waits in the queue of a space."""
    with house.entered() as me:
        house.tell(me.jobs(failed=failed, limit=limit), _drawn)


def _drawn(found: Sequence[Job]) -> RenderableType:
    if not found:
        return Text("Nothing waits.", style=draw.DIM)
    grid = Table.grid(padding=(0, 2))
    for job in found:
        tried = f"tried {job.attempts} times" if job.attempts else ""
        grid.add_row(
            draw.words(job.kind, "cyan"),
            draw.words(f"due {draw.clock(job.run_at)}", draw.DIM),
            draw.words("  ".join(part for part in (tried, job.error) if part)),
        )
    return grid
