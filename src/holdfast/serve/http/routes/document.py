"""The five paths of the care design, as it names them (M13). They ask the same verbs as the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from holdfast.errors import Forbidden
from holdfast.model.access import speaks_as
from holdfast.model.actor import Actor
from holdfast.model.layer import Layer
from holdfast.serve import told
from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling, page
from holdfast.serve.http.routes.constitution import change

if TYPE_CHECKING:
    from holdfast.model.plan import Outcome
    from holdfast.space import Space

routes = APIRouter(prefix="/memory", tags=["memory"])


@routes.post("/add", response_model=shapes.Added)
async def add(caller: Calling, body: bodies.Add) -> Response:
    """Adds a memory. `source` says whose words they are: a caregiver's (an owner), a patient's (a user), or
    what a program extracted (an agent); a key can speak for its own role and for those below.
    """

    def done(me: Space) -> dict[str, Any]:
        if body.source is not None:
            me = _speaking(me, body.source)
        if body.layer == Layer.CONSTITUTION:
            return _proposed(me, body)
        said = {"kind": body.category, "confidence": body.confidence, "source": body.source}
        asked = body.requires_approval
        return _added(me.remember(body.content, layer=body.layer, requires_approval=asked, **said))  # type: ignore[arg-type]

    return await caller.does("remember", done)


def _speaking(me: Space, source: str) -> Space:
    try:
        role = speaks_as(me.actor.role, source)
    except Forbidden as error:
        raise me.refuse(str(error)) from None
    return me.as_actor(Actor(role, me.actor.name))


def _added(out: Outcome) -> dict[str, Any]:
    memory = out.memory
    id, status = (memory.id, str(memory.status)) if memory else (out.capture, "quarantine")
    return {
        "id": id,
        "decision": out.decision,
        "status": status,
        "reasons": out.reasons,
        "memory": memory,
        "change": None,
    }


def _proposed(me: Space, body: bodies.Add) -> dict[str, Any]:
    """Nothing stands in the constitution before its third confirmation."""
    made = change(me.constitution.propose(body.content))
    why = [f"confirm it {made['needed']} times at /api/v1/constitution/changes/{made['id']}/confirm"]
    return {
        "id": made["id"],
        "decision": "pending",
        "status": "pending",
        "reasons": why,
        "memory": None,
        "change": made,
    }


@routes.get("/search", response_model=shapes.Answer)
async def search(caller: Calling, wanted: Annotated[bodies.Search, Query()]) -> Response:
    """Searches; the constitution comes with every answer, and alone where the layer is `constitution`."""
    alone = wanted.layer == Layer.CONSTITUTION
    asked = {"limit": wanted.limit, "layers": None if alone else wanted.layer}

    def found(me: Space) -> Any:
        answer = me.recall(wanted.q, **asked)  # type: ignore[arg-type]
        return {**told.record(answer), "hits": []} if alone else answer

    return await caller.does("recall", found)


@routes.get("/pending", response_model=shapes.page_of(shapes.Memory))
async def pending(caller: Calling, wanted: Annotated[bodies.Paged, Query()]) -> Response:
    """What waits for a person."""
    return await caller.does(
        "pending", lambda me: page(me.pending(after=wanted.after, limit=wanted.limit + 1), wanted.limit)
    )


@routes.patch("/{id}/approve", response_model=shapes.Outcome)
async def approve(caller: Calling, id: str) -> Response:
    """Lets it in; it is verified now."""
    return await caller.does("approve", lambda me: me.approve(id)[0])


@routes.patch("/{id}/reject", response_model=shapes.Outcome)
async def reject(caller: Calling, id: str, reason: str = "") -> Response:
    """Keeps it out."""
    return await caller.does("reject", lambda me: me.reject(id, reason))
