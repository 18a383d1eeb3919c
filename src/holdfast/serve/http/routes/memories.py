"""Memories: kept, listed, looked at, changed, let go, brought back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling, page

routes = APIRouter(prefix="/memories", tags=["memories"])


@routes.post("", response_model=shapes.Outcome)
async def remember(caller: Calling, body: bodies.Remember) -> Response:
    """Keeps a statement, or says why not."""
    return await caller.does("remember", lambda me: me.remember(**body.told()))


@routes.post("/batch", response_model=list[shapes.Outcome])
async def remember_many(caller: Calling, body: bodies.RememberMany) -> Response:
    """Keeps several in one commit, with an outcome each; one that is wrong and none is written."""
    items = [item.told() for item in body.items]
    return await caller.does("remember_many", lambda me: me.remember_many(items))


@routes.get("", response_model=shapes.page_of(shapes.Memory))
async def list_(caller: Calling, wanted: Annotated[bodies.Listed, Query()]) -> Response:
    """Memories, oldest first; deleted ones only where the status asks for them."""
    told = {**wanted.told(), "limit": wanted.limit + 1}
    return await caller.does("list", lambda me: page(me.list(**told), wanted.limit))


@routes.get("/{id}", response_model=shapes.Memory)
async def get(caller: Calling, id: str) -> Response:
    """One memory; its version is its ETag."""
    return await caller.does("get", lambda me: me.get(id))


@routes.patch("/{id}", response_model=shapes.Outcome)
async def revise(caller: Calling, id: str, body: bodies.Revise) -> Response:
    """Changes content or details; the old version stays. With If-Match only if it is still that version."""
    version = caller.version
    return await caller.does("revise", lambda me: me.revise(id, version=version, **body.told()))


@routes.delete("/{id}", response_model=shapes.Outcome)
async def forget(caller: Calling, id: str, reason: str = "") -> Response:
    """Hides it at once; it can be restored for some days."""
    return await caller.does("forget", lambda me: me.forget(id, reason))


@routes.post("/{id}/negate", response_model=shapes.Outcome)
async def negate(caller: Calling, id: str, body: bodies.Negate) -> Response:
    """Takes it back; what is said instead is a memory of its own."""
    return await caller.does("negate", lambda me: me.negate(id, **body.told()))


@routes.post("/{id}/affirm", response_model=shapes.Outcome)
async def affirm(caller: Calling, id: str, body: bodies.At) -> Response:
    """Says it again."""
    return await caller.does("affirm", lambda me: me.affirm(id, **body.told()))


@routes.post("/{id}/restore", response_model=shapes.Outcome)
async def restore(caller: Calling, id: str, body: bodies.At) -> Response:
    """Brings it back."""
    return await caller.does("restore", lambda me: me.restore(id, **body.told()))


@routes.post("/{id}/archive", response_model=shapes.Outcome)
async def archive(caller: Calling, id: str, body: bodies.At) -> Response:
    """Puts it away, out of normal recall."""
    return await caller.does("archive", lambda me: me.archive(id, **body.told()))


@routes.post("/{id}/review", response_model=shapes.Outcome)
async def mark_for_review(caller: Calling, id: str, body: bodies.Review) -> Response:
    """Has a person look at it."""
    return await caller.does("mark_for_review", lambda me: me.mark_for_review(id, **body.told()))


@routes.post("/{id}/attachments", response_model=shapes.Outcome)
async def attach(caller: Calling, id: str, body: bodies.Attach) -> Response:
    """Joins an image or a recording to it."""
    return await caller.does("attach", lambda me: me.attach(id, **body.told()))


@routes.get("/{id}/history", response_model=list[shapes.Memory])
async def history(caller: Calling, id: str) -> Response:
    """Every version, oldest first."""
    return await caller.does("history", lambda me: me.history(id))


@routes.get("/{id}/why", response_model=shapes.Why)
async def why(caller: Calling, id: str) -> Response:
    """Where it comes from, back to the first words."""
    return await caller.does("why", lambda me: me.why(id))


@routes.get("/{id}/weights", response_model=list[shapes.WeightChange])
async def weights(caller: Calling, id: str) -> Response:
    """Its weight log."""
    return await caller.does("weights", lambda me: me.weights(id))
