"""What time does: the steward's plan, run, forecast, log and undo; the week's brief, and promotion."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling

routes = APIRouter(tags=["time"])


@routes.get("/brief", response_model=shapes.Brief)
async def brief(caller: Calling) -> Response:
    """The week's quarantine as a few insights."""
    return await caller.does("brief", lambda me: me.brief())


@routes.post("/promote", response_model=list[shapes.Outcome])
async def promote(caller: Calling, body: bodies.Promote) -> Response:
    """Makes an insight, a capture or an entry of working memory a verified fact."""
    return await caller.does("promote", lambda me: me.promote(**body.told()))


@routes.post("/steward/plan", response_model=shapes.Round)
async def plan(caller: Calling, body: bodies.Rules) -> Response:
    """What a run would do now; touches nothing."""
    return await caller.does("steward.plan", lambda me: me.steward.plan(**body.told()))


@routes.post("/steward/run", response_model=shapes.Round)
async def run(caller: Calling, body: bodies.Rules) -> Response:
    """Does what is due."""
    return await caller.does("steward.run", lambda me: me.steward.run(**body.told()))


@routes.post("/steward/forecast", response_model=shapes.Forecast)
async def forecast(caller: Calling, body: bodies.Ahead) -> Response:
    """What would happen in so many days, as if nobody said anything more."""
    return await caller.does("steward.forecast", lambda me: me.steward.forecast(**body.told()))


@routes.post("/memories/{id}/curve", response_model=list[shapes.Point])
async def curve(caller: Calling, id: str, body: bodies.Ahead) -> Response:
    """The weight of a memory on every day to come."""
    return await caller.does("steward.curve", lambda me: me.steward.curve(id, **body.told()))


@routes.get("/steward/log", response_model=list[shapes.Run])
async def log(caller: Calling, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    """What the runs did, newest first."""
    return await caller.does("steward.log", lambda me: me.steward.log(limit=limit))


@routes.get("/steward/metrics", response_model=shapes.Metrics)
async def metrics(caller: Calling) -> Response:
    """Counts of all time, and the weights of what is alive now."""
    return await caller.does("steward.metrics", lambda me: me.steward.metrics())


@routes.post("/steward/undo", response_model=list[shapes.Outcome])
async def undo(caller: Calling, body: bodies.UndoRun) -> Response:
    """Takes a whole run back."""
    return await caller.does("steward.undo", lambda me: me.steward.undo(**body.told()))


@routes.post("/house/plan", response_model=list[shapes.Round])
async def plan_all(caller: Calling, body: bodies.Rules) -> Response:
    """What a run would do now in every space."""
    return await caller.keeps("steward.plan_all", lambda house, _: house.steward.plan(**body.told()))


@routes.post("/house/run", response_model=list[shapes.Round])
async def run_all(caller: Calling, body: bodies.Rules) -> Response:
    """Does what is due in every space."""
    return await caller.keeps("steward.run_all", lambda house, _: list(house.steward.run(**body.told())))
