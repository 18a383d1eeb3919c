"""What happened and how things stand: ledger, undo, verify, stats, the queue, quarantine."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling, page

routes = APIRouter(tags=["story"])


@routes.get("/ledger", response_model=shapes.page_of(shapes.Entry))
async def ledger(caller: Calling, wanted: Annotated[bodies.OfLedger, Query()]) -> Response:
    """Every change, oldest first: who, when, by which verb and why; no words."""
    return await caller.does(
        "ledger",
        lambda me: page(
            me.ledger(after=wanted.after, limit=wanted.limit + 1, memory=wanted.memory),
            wanted.limit,
            lambda entry: entry.number,
        ),
    )


@routes.post("/undo", response_model=shapes.Outcome)
async def undo(caller: Calling, body: bodies.Undo) -> Response:
    """Takes a change back; the history keeps both."""
    return await caller.does("undo", lambda me: me.undo(**body.told()))


@routes.post("/restore-to", response_model=shapes.Outcome)
async def restore_to(caller: Calling, body: bodies.RestoreTo) -> Response:
    """Brings the whole space back to how it was then, as one change that can be undone."""
    return await caller.does("restore_to", lambda me: me.restore_to(**body.told()))


@routes.get("/verify", response_model=shapes.ChainReport)
async def verify(caller: Calling) -> Response:
    """Recomputes the chain of the ledger."""
    return await caller.does("verify", lambda me: me.verify())


@routes.get("/stats", response_model=shapes.Stats)
async def stats(caller: Calling) -> Response:
    """How the space stands."""
    return await caller.does("stats", lambda me: me.stats())


@routes.get("/jobs", response_model=list[shapes.Job])
async def jobs(caller: Calling, wanted: Annotated[bodies.OfQueue, Query()]) -> Response:
    """The work that waits in the queue, or what kept failing."""
    return await caller.does("jobs", lambda me: me.jobs(failed=wanted.failed, limit=wanted.limit))


@routes.post("/jobs/{id}/retry", response_model=shapes.Job)
async def retry_job(caller: Calling, id: str) -> Response:
    """Puts a parked job back, due now."""
    return await caller.does("retry_job", lambda me: me.retry_job(id))


@routes.delete("/jobs/{id}", response_model=shapes.Job)
async def drop_job(caller: Calling, id: str, reason: str) -> Response:
    """Takes a job out of the queue for good; the ledger keeps the reason."""
    return await caller.does("drop_job", lambda me: me.drop_job(id, reason))


@routes.post("/captures", response_model=shapes.Capture)
async def capture(caller: Calling, body: bodies.Capture) -> Response:
    """Keeps raw output in quarantine, never to be recalled."""
    return await caller.does("capture", lambda me: me.capture(**body.told()))


@routes.get("/captures", response_model=shapes.page_of(shapes.Capture))
async def captures(caller: Calling, wanted: Annotated[bodies.Paged, Query()]) -> Response:
    """Quarantine, for owners and auditors."""
    return await caller.does(
        "captures", lambda me: page(me.captures(after=wanted.after, limit=wanted.limit + 1), wanted.limit)
    )


@routes.delete("/captures/{id}", status_code=200)
async def drop_capture(caller: Calling, id: str) -> Response:
    """Deletes from quarantine, for owners."""
    return await caller.does("drop_capture", lambda me: me.drop_capture(id))
