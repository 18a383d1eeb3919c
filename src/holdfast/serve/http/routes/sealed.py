"""What is sealed (level 3): the one path by which it leaves, by right and by asking; the ledger says who."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling

routes = APIRouter(tags=["sealed"])


@routes.post("/memories/{id}/seal", response_model=shapes.Outcome)
async def seal(caller: Calling, id: str, body: bodies.Seal) -> Response:
    """Seals what was kept in plain, under a new id; its plain versions are destroyed."""
    return await caller.does("seal", lambda me: me.seal(id, **body.told()))


@routes.post("/memories/{id}/open", response_model=shapes.Opened)
async def open_(caller: Calling, id: str) -> Response:
    """What is sealed in a memory or a capture, in plain. No answer of it is kept for an Idempotency-Key."""
    return await caller.does("open", lambda me: me.open(id))


@routes.post("/rotate", response_model=dict[str, int])
async def rotate(caller: Calling) -> Response:
    """Wraps the keys of all that is sealed under a new master key."""
    return await caller.keeps("rotate", lambda house, _: {"keys": house.rotate()})
