"""What waits for a person, and what a person says to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling, page

routes = APIRouter(tags=["people"])


@routes.get("/pending", response_model=shapes.page_of(shapes.Memory))
async def pending(caller: Calling, wanted: Annotated[bodies.Paged, Query()]) -> Response:
    """What waits for a person, oldest first."""
    return await caller.does(
        "pending", lambda me: page(me.pending(after=wanted.after, limit=wanted.limit + 1), wanted.limit)
    )


@routes.get("/to-verify", response_model=list[shapes.Memory])
async def to_verify(caller: Calling) -> Response:
    """Facts whose confidence has faded, as many as a person is asked to look at today."""
    return await caller.does("to_verify", lambda me: me.to_verify())


@routes.post("/approve", response_model=list[shapes.Outcome])
async def approve_several(caller: Calling, body: bodies.Approve) -> Response:
    """Lets several in by one action; they are verified now."""
    return await caller.does("approve", lambda me: me.approve(*body.ids, **body.told("ids")))


@routes.post("/memories/{id}/approve", response_model=shapes.Outcome)
async def approve(caller: Calling, id: str, body: bodies.At) -> Response:
    """Lets one in."""
    return await caller.does("approve", lambda me: me.approve(id, **body.told())[0])


@routes.post("/memories/{id}/reject", response_model=shapes.Outcome)
async def reject(caller: Calling, id: str, body: bodies.Reason) -> Response:
    """Keeps one out, and the same does not ask again."""
    return await caller.does("reject", lambda me: me.reject(id, **body.told()))
