"""`holdfast worker` does what waits in the queues, `holdfast jobs` shows it, tries it again or drops it."""

from __future__ import annotations

import signal
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

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
    from holdfast.worker import Worker

app = typer.Typer(help="Show the work that waits in the queue of a space, try it again, or drop it.")

JobId = Annotated[str, typer.Argument(help="The id of a job.", show_default=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often it looks."""

    every: Annotated[
        float,
        typer.Option("--every", help="Seconds between looks at the queue while there is work.", min=0.1),
    ] = 1.0
    idle: Annotated[
        float, typer.Option("--idle", help="Seconds that the pause grows to while there is none.", min=0.1)
    ] = 15.0


@spread
def worker(
    house: House,
    pace: Pace,
    *,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, then end.")] = False,
    steward: Annotated[
        bool, typer.Option("--steward/--no-steward", help="Keep the steward's calendar too.")
    ] = True,
    at: At = None,
) -> None:
    """Do the work that waits in the queues of all spaces: summaries, curating, late embeddings."""
    from holdfast.worker import Worker

    with house.keeping("work") as hf:
        told = lambda report: house.tell(report, draw.record)
        working = Worker(hf, every=pace.every, idle=pace.idle, told=told, steward=steward and not once)
        if once:
            house.tell(working.once(moment("--at", at)), draw.record)
            return
        until_told(working)
        if house.as_json:
            house.tell({"working": True, "spaces": len(hf.spaces())}, draw.record)
        working.run(moment("--at", at))


def until_told(working: Worker) -> None:
    """SIGTERM ends it after the job under way, without a word; an interrupt ends it at once."""

    def end(_signal: int, _frame: Any) -> None:
        # In a thread: the main one may hold the very lock that stopping needs.
        threading.Thread(target=working.stop, daemon=True).start()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, end)


@app.callback(invoke_without_command=True)
@spread
def jobs(
    ctx: typer.Context,
    house: House,
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only what kept failing and was parked.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 100,
) -> None:
    """Show the work that waits in the queue of a space."""
    if ctx.invoked_subcommand is None:
        with house.entered() as me:
            house.tell(me.jobs(failed=failed, limit=limit), _drawn)


@app.command()
@spread
def retry(house: House, id: JobId) -> None:
    """Put a parked job back into the queue, due now."""
    with house.entered() as me:
        house.tell(me.retry_job(id), lambda job: draw.words(f"due again: {job.kind}"))


@app.command()
@spread
def drop(
    house: House,
    id: JobId,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why; the ledger keeps it.", show_default=False)],
) -> None:
    """Take a job out of the queue for good."""
    with house.entered() as me:
        house.tell(me.drop_job(id, reason), lambda job: draw.words(f"dropped: {job.kind}"))


def _drawn(found: Sequence[Job]) -> RenderableType:
    if not found:
        return Text("Nothing waits.", style=draw.DIM)
    grid = Table.grid(padding=(0, 2))
    for job in found:
        tried = f"tried {job.attempts} times" if job.attempts else ""
        grid.add_row(
            draw.words(job.kind, "cyan"),
            draw.words(f"due {draw.clock(job.run_at)}", draw.DIM),
            draw.words(job.id, draw.DIM),
            draw.words("  ".join(part for part in (tried, job.error) if part)),
        )
    return grid
