"""The constitution: read by all, changed by owners with three confirmations, each of which needs the token
that the one before returned (M2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.responses import Response

from holdfast.remember.constitution import PROMPTS, prompts
from holdfast.serve import told
from holdfast.serve.http import bodies, shapes
from holdfast.serve.http.caller import Calling

if TYPE_CHECKING:
    from holdfast.remember.constitution import Change

routes = APIRouter(prefix="/constitution", tags=["constitution"])


def change(made: Change) -> dict[str, Any]:
    """A change as it is told: the questions for a person beside the token that the next answer needs."""
    asked = [question for language in PROMPTS for question in prompts(made.action, language)]
    return {**told.record(made), "prompts": asked}


@routes.get("", response_model=list[shapes.Memory])
async def entries(caller: Calling) -> Response:
    """What stands, by priority."""
    return await caller.does("constitution.entries", lambda me: me.constitution.entries())


@routes.get("/due", response_model=list[shapes.Memory])
async def due(caller: Calling) -> Response:
    """Entries whose re-check has come."""
    return await caller.does("constitution.due", lambda me: me.constitution.due())


@routes.get("/changes", response_model=list[shapes.Memory])
async def waiting(caller: Calling) -> Response:
    """Proposals that can still be confirmed, by whoever holds their next token."""
    return await caller.does("constitution.waiting", lambda me: me.constitution.waiting())


@routes.post("", response_model=shapes.Change)
async def propose(caller: Calling, body: bodies.Propose) -> Response:
    """Proposes an entry; nothing stands before the last confirmation."""
    return await caller.does(
        "constitution.propose", lambda me: change(me.constitution.propose(**body.told()))
    )


@routes.patch("/{id}", response_model=shapes.Change)
async def propose_change(caller: Calling, id: str, body: bodies.ProposeChange) -> Response:
    """Proposes other words, or another priority, for a standing entry."""
    return await caller.does(
        "constitution.propose_change", lambda me: change(me.constitution.propose_change(id, **body.told()))
    )


@routes.delete("/{id}", response_model=shapes.Change)
async def propose_delete(caller: Calling, id: str) -> Response:
    """Proposes to take an entry away, softly."""
    return await caller.does(
        "constitution.propose_delete", lambda me: change(me.constitution.propose_delete(id))
    )


@routes.post("/changes/{id}/confirm", response_model=shapes.Change)
async def confirm(caller: Calling, id: str, body: bodies.Confirm) -> Response:
    """Confirms once; the answer holds the next token, or what came of it."""
    return await caller.does(
        "constitution.confirm", lambda me: change(me.constitution.confirm(id, **body.told()))
    )


@routes.delete("/changes/{id}", response_model=shapes.Outcome)
async def withdraw(caller: Calling, id: str) -> Response:
    """Drops a proposal."""
    return await caller.does("constitution.withdraw", lambda me: me.constitution.withdraw(id))


@routes.post("/{id}/restore", response_model=shapes.Outcome)
async def restore(caller: Calling, id: str, body: bodies.At) -> Response:
    """Brings a deleted entry back, within some days."""
    return await caller.does("constitution.restore", lambda me: me.constitution.restore(id, **body.told()))


@routes.post("/{id}/checked", response_model=shapes.Outcome)
async def checked(caller: Calling, id: str, body: bodies.At) -> Response:
    """Says that an entry was looked at again and holds."""
    return await caller.does("constitution.checked", lambda me: me.constitution.checked(id, **body.told()))
