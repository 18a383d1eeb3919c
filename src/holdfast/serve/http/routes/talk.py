"""Conversations: turns as they are said, what to remember while they go on, and their end; observations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling
from holdfast.serve.http.routes.house import named
from holdfast.serve.http.routes.recall import verb_of

routes = APIRouter(tags=["conversations"])
# A name may hold slashes, so the longer paths come first.


@routes.post("/conversations/{session:path}/turns", response_model=shapes.Outcome)
async def say(caller: Calling, session: str, body: bodies.Say) -> Response:
    """Records a turn; `recalled` are the ids of the memories that it was given."""
    return await caller.does("converse.say", lambda me: me.converse(session).say(**body.told()))


@routes.get("/conversations/{session:path}/turns", response_model=list[shapes.Memory])
async def turns(caller: Calling, session: str, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    """The newest turns that have not left working memory, oldest first."""
    return await caller.does("converse.turns", lambda me: me.converse(session).turns(limit=limit))


@routes.post("/conversations/{session:path}/recall", response_model=shapes.Answer)
async def recall(caller: Calling, session: str, body: bodies.Recall) -> Response:
    """As /recall."""
    verb = verb_of(body.mode, "converse.recall")
    return await caller.does(verb, lambda me: me.converse(session).recall(**body.told("explain")))


@routes.post("/conversations/{session:path}/context", response_model=shapes.Context)
async def context(caller: Calling, session: str, body: bodies.Context) -> Response:
    """As /context."""
    verb = verb_of(body.mode, "converse.context")
    return await caller.does(verb, lambda me: me.converse(session).context(**body.told()))


@routes.post("/conversations/{session:path}/end", response_model=shapes.Ended)
async def end(caller: Calling, session: str, body: bodies.End) -> Response:
    """Summary, observations, grades; called again it answers the same and does nothing twice."""
    return await caller.does("converse.end", lambda me: me.converse(session).end(**body.told()))


@routes.post("/conversations/{session:path}", response_model=dict[str, str])
async def begin(caller: Calling, session: str) -> Response:
    """Whether a conversation of that name can be held; nothing is written before its first turn."""
    return await caller.does("converse", lambda me: {"session": me.converse(session).session})


@routes.post("/observations", response_model=shapes.Outcome)
async def observe(
    caller: Calling, body: dict[str, Any], confidence: Annotated[float | None, Query(ge=0, le=1)] = None
) -> Response:
    """Keeps an observation in the form that /schemas publishes."""
    return await caller.does("observe", lambda me: me.observe(body, confidence=confidence))


@routes.get("/schemas", response_model=dict[str, Any])
async def schemas(caller: Calling, profile: str | None = None) -> Response:
    """The JSON Schemas of what is taken in a fixed form, with the authors that a profile allows."""
    return await caller.keeps(
        "schemas", lambda house, _: house.schemas(None if profile is None else named(house, profile))
    )


@routes.post("/memories/{id}/look-again", response_model=shapes.Review)
async def review(caller: Calling, id: str, body: bodies.At) -> Response:
    """Lets the judge look at a memory again: core, kept or let go."""
    return await caller.does("review", lambda me: me.review(id, **body.told()))
