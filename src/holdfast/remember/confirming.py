"""Proposals for the constitution and their confirmations (M2).

A proposal is a pending memory of the layer: it survives the process, is in the ledger and holds the exact
words. Each confirmation needs the token which the one before returned, once; only digests of tokens are
stored.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from holdfast.errors import IllegalChange, InvalidInput
from holdfast.model.layer import Layer, Priority
from holdfast.model.memory import Memory
from holdfast.model.plan import Listing
from holdfast.model.status import Status
from holdfast.model.status import change as legal
from holdfast.remember.change import outcome
from holdfast.remember.desk import Desk
from holdfast.remember.lookup import constitution, read
from holdfast.remember.writing import filled, write

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.plan import Outcome, Plan
    from holdfast.remember.change import Editing
    from holdfast.remember.known import Ruling
    from holdfast.scope import Scope

CREATE, CHANGE, DELETE = "create", "change", "delete"
KEY = "confirming"  # where in a proposal's metadata its confirmations stand
TOKEN_BYTES = 24  # 192 bits: nobody guesses one
KIND = "identity"  # what the constitution is about, where the profile has that kind


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to change. `target` and `version` are those of the entry that is changed or deleted."""

    action: str
    content: str
    priority: Priority
    target: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """What one confirmation led to: the next token, or after the last one the outcome."""

    proposal: Proposal
    confirmations: int
    token: str = ""
    outcome: Outcome | None = None


def propose(edit: Editing, proposal: Proposal) -> tuple[str, str]:
    """Writes the proposal; returns its id and the first token."""
    scope, token = edit.scope, secrets.token_urlsafe(TOKEN_BYTES)
    kinds = scope.profile.kinds
    memory = Memory(
        id=scope.clock.new_id(),
        space=scope.space,
        content=proposal.content,
        created_at=edit.at,
        updated_at=edit.at,
        last_activated_at=edit.at,
        layer=Layer.CONSTITUTION,
        kind=KIND if KIND in kinds else scope.profile.default_kind,
        status=Status.PENDING,
        priority=proposal.priority,
        source=str(scope.actor.role),
        author=str(scope.actor),
        reason=f"waits for {scope.profile.constitution.confirmations} confirmations",
        metadata=_asked(proposal, 0, token),
        expires_at=edit.at + timedelta(minutes=scope.profile.constitution.token_minutes),
    )
    desk = Desk({}, edit.standing)
    desk.add(memory, 0, 0)
    scope.store.apply(_plan(edit, desk, f"proposed: {proposal.action}"))
    return memory.id, token


def confirm(edit: Editing, id: str, token: str) -> Step:
    """One confirmation; the last one carries the proposal out."""
    scope, following = edit.scope, secrets.token_urlsafe(TOKEN_BYTES)
    needed = scope.profile.constitution.confirmations

    def decided() -> tuple[Plan, Step]:
        seen = scope.store.sequence()
        memory = read(scope, [id])[id]
        proposal, confirmed = _checked(edit, memory, token)
        desk = Desk({id: memory}, edit.standing)
        if confirmed + 1 < needed:
            asked = replace(memory, metadata=_asked(proposal, confirmed + 1, following))
            edit.put(desk, asked, "")
            plan = _plan(edit, desk, f"confirmed {confirmed + 1} of {needed}")
            return plan, Step(proposal, confirmed + 1, following)
        ruling = DONE[proposal.action](edit, desk, memory)
        plan = replace(_plan(edit, desk, f"confirmed: {proposal.action}"), seen=seen)
        return plan, Step(proposal, needed, outcome=outcome(ruling, desk, plan))

    return write(scope, decided)


def _checked(edit: Editing, memory: Memory, token: str) -> tuple[Proposal, int]:
    """The proposal and how often it was confirmed, where this token is the one that comes next."""
    asked = memory.metadata.get(KEY)
    if memory.layer is not Layer.CONSTITUTION or not isinstance(asked, Mapping):
        raise IllegalChange(f"{memory.id} is no proposal for the constitution")
    if memory.status is not Status.PENDING:
        raise IllegalChange(f"this proposal is {memory.status}: it cannot be confirmed any more")
    if not is_open(memory, edit.at):
        raise IllegalChange("this proposal has run out of time; propose it again")
    if not hmac.compare_digest(_digest(token), str(asked["token"])):
        raise InvalidInput(
            "token", "is not the one that comes next", "give the one the last confirmation returned"
        )
    return _proposal(memory), int(asked["confirmed"])


def _proposal(memory: Memory) -> Proposal:
    asked = memory.metadata[KEY]
    return Proposal(
        str(asked["action"]), memory.content, memory.priority, str(asked["target"]), int(asked["version"])
    )


def _asked(proposal: Proposal, confirmed: int, token: str) -> dict[str, Any]:
    told = {"action": proposal.action, "target": proposal.target, "version": proposal.version}
    return {KEY: {**told, "confirmed": confirmed, "token": _digest(token)}}


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def is_open(memory: Memory, now: datetime) -> bool:
    """Whether a proposal can still be confirmed."""
    waits = memory.status is Status.PENDING and KEY in memory.metadata
    return waits and memory.expires_at is not None and now < memory.expires_at


def proposals(scope: Scope) -> list[Memory]:
    """Every pending proposal, those out of time too."""
    wanted = Listing(layers=frozenset({Layer.CONSTITUTION}), statuses=frozenset({Status.PENDING}), limit=1000)
    return scope.store.list(wanted)


def withdraw(edit: Editing, id: str) -> Outcome:
    """A proposal becomes rejected."""
    memory = read(edit.scope, [id])[id]
    if KEY not in memory.metadata or memory.status is not Status.PENDING:
        raise IllegalChange(f"{id} is no proposal that waits")
    return written(edit, replace(memory, status=legal(memory.status, Status.REJECTED)), "withdrawn")


# --- what the last confirmation does -------------------------------------------------------------


def _create(edit: Editing, desk: Desk, memory: Memory) -> Ruling:
    room(edit.scope)
    entry = replace(
        memory, status=legal(memory.status, Status.ACTIVE), expires_at=None, reason="", metadata={}
    )
    return edit.put(desk, due(entry, edit), "entered: confirmed three times")


def _change(edit: Editing, desk: Desk, memory: Memory) -> Ruling:
    entry = _target(edit, desk, memory)
    changed = due(replace(entry, content=memory.content, priority=memory.priority), edit)
    return _closed(edit, desk, memory, entry=changed, why="changed: confirmed three times")


def _delete(edit: Editing, desk: Desk, memory: Memory) -> Ruling:
    entry = _target(edit, desk, memory)
    status = legal(entry.status, Status.DELETED)
    gone = replace(entry, status=status, deleted_at=edit.at, deletion="user_delete", due_at=None)
    days = edit.scope.profile.constitution.restore_days
    return _closed(edit, desk, memory, entry=gone, why=f"deleted: it can be restored for {days:g} days")


def _target(edit: Editing, desk: Desk, memory: Memory) -> Memory:
    proposal = _proposal(memory)
    entry = read(edit.scope, [proposal.target])[proposal.target]
    if entry.version != proposal.version:
        raise IllegalChange(f"{entry.id} changed since this was proposed; look at it and propose again")
    desk.take(entry)
    return entry


def _closed(edit: Editing, desk: Desk, proposal: Memory, *, entry: Memory, why: str) -> Ruling:
    """The entry in its new state; the proposal has served its purpose."""
    status = legal(proposal.status, Status.SUPERSEDED)
    edit.put(desk, replace(proposal, status=status, superseded_by=entry.id, reason=why), "")
    return edit.put(desk, entry, why)


DONE = {CREATE: _create, CHANGE: _change, DELETE: _delete}


def due(entry: Memory, edit: Editing) -> Memory:
    """A created, changed or restored entry holds from now on, and is to be looked at again the next day
    (M2).
    """
    days = edit.scope.profile.constitution.recheck_days
    return replace(entry, due_at=edit.at + timedelta(days=days), verified_at=edit.at)


def room(scope: Scope) -> None:
    """Raises where the constitution is full (M1)."""
    most = scope.profile.constitution.max_entries
    if len(constitution(scope)) >= most:
        raise IllegalChange(
            f"the constitution has {most} entries, the most it may; delete or change one of them"
        )


def written(edit: Editing, entry: Memory, why: str, *, grows: bool = False) -> Outcome:
    """One entry in a new state, which was read just now. `grows`: it counts as one more."""
    scope = edit.scope

    def decided() -> tuple[Plan, Outcome]:
        seen = scope.store.sequence()
        if grows:
            room(scope)
        desk = Desk({entry.id: entry}, edit.standing)
        ruling = edit.put(desk, entry, why)
        plan = replace(_plan(edit, desk, why), seen=seen if grows else None)
        return plan, outcome(ruling, desk, plan)

    return write(scope, decided)


def _plan(edit: Editing, desk: Desk, why: str) -> Plan:
    """Never embedded: it is preloaded, not searched (M1), and written whether or not there is an embedder."""
    plan = edit.scope.plan(edit.verb, edit.at, reasons=(why,))
    puts = desk.puts()
    plan = filled(plan, edit.scope, puts, vectors={memory.id: b"" for memory in puts})
    return replace(plan, weights=tuple(desk.weights))
