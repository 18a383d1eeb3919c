"""What is remembered: recall, context, entities. Questions come in bodies, which no log of a proxy keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.model.layer import Mode
from holdfast.serve import told
from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling, page

if TYPE_CHECKING:
    from holdfast.space import Space

routes = APIRouter(tags=["recall"])


def verb_of(mode: str | None, verb: str) -> str:
    """Asking for everything, deleted memories too, needs a right of its own (E13)."""
    return "recall_debug" if mode == Mode.DEBUG else verb


@routes.post("/recall", response_model=shapes.Answer)
async def recall(caller: Calling, body: bodies.Recall) -> Response:
    """What is remembered about the query, best first; with `explain` also why."""

    def found(me: Space) -> Any:
        answer = me.recall(**body.told("explain"))
        return told.with_reasons(answer) if body.explain else answer

    return await caller.does(verb_of(body.mode, "recall"), found)


@routes.post("/context", response_model=shapes.Context)
async def context(caller: Calling, body: bodies.Context) -> Response:
    """A prompt's worth of memory: the constitution whole, the rest within the budget of tokens."""
    return await caller.does(verb_of(body.mode, "context"), lambda me: me.context(**body.told()))


@routes.post("/entities", response_model=shapes.Outcome)
async def store_entity(caller: Calling, body: bodies.Entity) -> Response:
    """Keeps a thing with a type and a value; an exact match adds a mention."""
    return await caller.does("store_entity", lambda me: me.store_entity(**body.told()))


@routes.get("/entities", response_model=shapes.page_of(shapes.Memory))
async def get_user_entities(caller: Calling, wanted: Annotated[bodies.OfType, Query()]) -> Response:
    """Entities, oldest first."""
    return await caller.does(
        "get_user_entities",
        lambda me: page(
            me.get_user_entities(wanted.entity_type, after=wanted.after, limit=wanted.limit + 1), wanted.limit
        ),
    )


@routes.post("/entities/retrieve", response_model=list[shapes.Hit])
async def retrieve_entities(caller: Calling, body: bodies.Retrieve) -> Response:
    """The most relevant, most used, freshest."""
    return await caller.does("retrieve_entities", lambda me: me.retrieve_entities(**body.told()))


@routes.post("/entities/noted", response_model=list[shapes.Outcome])
async def note_entities(caller: Calling, body: bodies.Noted) -> Response:
    """Finds the entities in what somebody said, and keeps them."""
    return await caller.does("note_entities", lambda me: me.note_entities(**body.told()))


@routes.post("/entities/resolve", response_model=shapes.Resolved)
async def resolve(caller: Calling, body: bodies.Reference) -> Response:
    """The memory that a reference means, or several with their scores."""
    return await caller.does("resolve", lambda me: me.resolve(**body.told()))


@routes.post("/entities/conflicts", response_model=list[shapes.MemoryConflict])
async def detect_conflicts(caller: Calling, body: bodies.Conflicts) -> Response:
    """What storing this would conflict with; changes nothing."""
    return await caller.does("detect_conflicts", lambda me: me.detect_conflicts(**body.told()))
