"""What a server tells of itself: events of a space, metrics, and whether it lives."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from holdfast.errors import HoldfastError
from holdfast.serve.http import events
from holdfast.serve.http.caller import Calling
from holdfast.serve.http.replies import Sent

routes = APIRouter(tags=["watch"])
outside = APIRouter(tags=["watch"])
"""Paths that stand outside of /api/v1."""
TEXT = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}


@routes.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow(caller: Calling, after: Annotated[int | None, Query(ge=0, le=2**53)] = None) -> Response:
    """Changes of the space as server-sent events; `after`, or Last-Event-ID, says where to go on."""
    caller.noted.verb = "events"
    begin = events.place(after, caller.request.headers.get("last-event-id", ""))
    stream = await caller.request.app.state.streams.follow(caller, begin)
    caller.noted.streaming = True
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


@outside.get("/metrics", response_class=PlainTextResponse)
async def metrics(caller: Calling) -> Response:
    """Numbers for Prometheus, for admins and auditors."""
    told = caller.request.app.state.metrics
    return await caller.keeps("metrics", lambda _house, _key: Sent(200, told.text().encode(), TEXT))


@outside.get("/health", response_model=dict[str, str])
async def health() -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@outside.get("/ready", response_model=dict[str, str])
async def ready(request: Request) -> Response:
    """The memory can be read, and the server does not stop just now."""
    door = request.app.state.door
    if door.ending.is_set():
        return JSONResponse({"status": "stopping"}, 503)
    try:
        await door.run(door.house.spaces)
    except HoldfastError as error:
        return JSONResponse({"status": type(error).__name__}, 503)
    return JSONResponse({"status": "ready"})
