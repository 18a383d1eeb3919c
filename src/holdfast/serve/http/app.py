"""The application: paths, the map of errors, the gate around all of it, what starts and stops with it.

`make` gives an ASGI application for one house in one process; `run` starts processes of it. Other doors are
mounted here (`DOORS`), behind the same gate and the same keys.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from holdfast import __version__
from holdfast.errors import HoldfastError, StaleWrite
from holdfast.serve.http import problems
from holdfast.serve.http.caller import shown
from holdfast.serve.http.counts import Counts
from holdfast.serve.http.door import Door
from holdfast.serve.http.events import Streams
from holdfast.serve.http.gate import NOTED, Gate
from holdfast.serve.http.log import fault, say
from holdfast.serve.http.metrics import Metrics
from holdfast.serve.http.openapi import described
from holdfast.serve.http.routes import (
    constitution,
    document,
    house,
    judge,
    memories,
    people,
    recall,
    sealed,
    story,
    talk,
    time,
    watch,
    whole,
)
from holdfast.serve.http.shapes import PROBLEMS
from holdfast.serve.mcp import http as mcp
from holdfast.worker import Worker

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from holdfast.engine import Holdfast
    from holdfast.settings import ServeSettings

API = "/api/v1"
ROUTES = (
    document,
    judge,
    memories,
    recall,
    people,
    constitution,
    story,
    sealed,
    talk,
    time,
    house,
    whole,
    watch,
)


class LastStop:
    """Nobody stands behind it: what no handler knows becomes a 500 that says nothing of its inside."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            if scope["type"] != "http":
                raise
            noted = scope[NOTED]
            say("unexpected", level=logging.ERROR, id=noted.id, verb=noted.verb, **fault(error))
            if not noted.status:
                told = f"this is a mistake in Holdfast; its log says where, under the id {noted.id}"
                await problems.Told(problems.INTERNAL, told).response()(scope, receive, send)


def make(house_: Holdfast, settings: ServeSettings, counts: Path) -> FastAPI:
    """The application; whoever runs it closes the house after it has ended."""
    worker = Worker(house_, steward=True) if settings.background else None
    door = Door(house_, settings, nudge=lambda: _nudged(app, worker))
    numbers = Counts(counts)
    agents = mcp.Mounted(settings)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        if worker is not None:
            worker.start()
        async with agents.living():
            yield
        app.state.streams.end()
        if worker is not None:
            await asyncio.to_thread(worker.stop, settings.stop_seconds)
        await asyncio.to_thread(door.end)
        numbers.end()

    app = FastAPI(
        title="Holdfast",
        version=__version__,
        lifespan=living,
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
    )
    app.state.door, app.state.streams = door, Streams(door, numbers)
    app.state.metrics = Metrics(house_, numbers)
    _routed(app, agents)
    app.openapi = lambda: described(app)  # type: ignore[method-assign]
    app.add_exception_handler(HoldfastError, _refused)
    app.add_exception_handler(HTTPException, _turned_away)
    app.add_exception_handler(RequestValidationError, _misshapen)
    app.add_middleware(LastStop)
    app.add_middleware(Gate, settings=settings, counts=numbers)
    return app


def _routed(app: FastAPI, agents: mcp.Mounted) -> None:
    for part in ROUTES:
        app.include_router(part.routes, prefix=API)
    app.include_router(watch.outside)
    app.router.routes.append(Route(mcp.PATH, endpoint=agents, include_in_schema=False))


def _nudged(app: FastAPI, worker: Worker | None) -> None:
    app.state.streams.hurry()
    if worker is not None:
        worker.nudge()


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HoldfastError)
    told = problems.of_error(error)
    if told.sort.status >= 500:
        say("failed", level=logging.ERROR, id=request.scope[NOTED].id, **fault(error))
    if isinstance(error, StaleWrite) and "if-match" in request.headers:
        return problems.Told(problems.STALE_MATCH, told.detail).response()
    return told.response()


async def _turned_away(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problems.of_http(error).response()


async def _misshapen(request: Request, error: Exception) -> Response:
    """Only a holder of a key is told what was wrong with the form of a request."""
    assert isinstance(error, RequestValidationError)
    door: Door = request.app.state.door
    client = request.client.host if request.client else "-"
    try:
        await door.run(lambda: door.holder(shown(request), client))
    except HTTPException as refused:
        return problems.of_http(refused).response()
    return problems.of_form(error.errors()).response()
