"""What waits for a person, and what a person says to it: approve or reject (M3, M9).

Approval makes a memory verified and carries out the conflict it waited for, all of it in one undoable change.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, InvalidInput
from holdfast.model import check
from holdfast.model.layer import Layer
from holdfast.model.plan import Listing
from holdfast.model.status import Mark, Status
from holdfast.model.status import change as legal
from holdfast.remember.beside import harmless
from holdfast.remember.change import change, editing, guard
from holdfast.remember.conflict import EFFECTS, settled_by_person
from holdfast.remember.known import lapsed, live
from holdfast.remember.lookup import PAGE_MOST
from holdfast.steward import verify

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome
    from holdfast.remember.change import Editing
    from holdfast.remember.desk import Desk
    from holdfast.remember.known import Ruling
    from holdfast.scope import Scope

APPROVED_FROM = frozenset({Status.PENDING, Status.REVIEW, Status.ACTIVE, Status.REJECTED})
REJECTED_FROM = frozenset({Status.PENDING, Status.REVIEW})
# The layers where anything waits to be approved; a proposal for the constitution is confirmed instead (M2).
_LAYERS = frozenset({Layer.FACT, Layer.EPISODE, Layer.SESSION})

_VERIFIED = Listing(layers=frozenset({Layer.FACT}), statuses=verify.ASKED_OF, limit=PAGE_MOST)


def pending(scope: Scope, *, after: str = "", limit: int = 100) -> list[Memory]:
    """What waits, oldest first."""
    scope.require("pending")
    listing = Listing(
        layers=_LAYERS,
        statuses=frozenset({Status.PENDING}),
        after=check.text("after", after, empty=True),
        limit=check.whole("limit", limit, low=1, high=PAGE_MOST),
    )
    return scope.store.list(listing)


def to_verify(scope: Scope, *, at: datetime | None) -> list[Memory]:
    """Facts whose confidence has faded, a few a day, the most used first (M4); approving them verifies
    them.
    """
    scope.require("pending")
    now = check.moment("at", at) if at is not None else scope.clock.now()
    scope.images.flush(scope.store)
    known: list[Memory] = []
    while page := scope.store.list(replace(_VERIFIED, after=known[-1].id if known else "")):
        known += page
    return verify.to_verify(known, now, scope.profile)


def approve(scope: Scope, ids: Sequence[str], *, at: datetime | None) -> list[Outcome]:
    """Several at once: one plan, one ledger entry, one undo."""
    edit = editing(scope, "approve", right="approve", at=at)
    if not ids:
        raise InvalidInput("ids", "are missing", "name what to approve; pending lists it")
    names = list(dict.fromkeys(check.text("id", id) for id in ids))
    return change(edit, names, lambda desk, memory: _approved(edit, desk, memory), needs=True)


def _approved(edit: Editing, desk: Desk, memory: Memory) -> Ruling:
    guard(edit, memory)
    memory = lapsed(memory, edit.at)
    if memory.status not in APPROVED_FROM:
        raise IllegalChange(f"{memory.id} is {memory.status}; restore it first, then approve it")
    approved = replace(
        memory,
        status=legal(memory.status, Status.ACTIVE),
        marks=memory.marks - {Mark.AUTO_APPROVED, Mark.NEEDS_VERIFICATION},
        confidence=1.0,
        sources={**memory.sources, str(edit.scope.actor): 1.0},
        verified_at=edit.at,
        reason="",
        conflicts_with=(),
    )
    against = [desk.get(id) for id in memory.conflicts_with]
    retired = [
        _retired(edit, desk, old=old, new=approved) for old in against if old is not None and live(old)
    ]
    approved = replace(approved, supersedes=tuple(dict.fromkeys((*approved.supersedes, *retired))))
    ruling = edit.put(desk, approved, "approved by a person: verified now")
    ruling.touched = (memory.id, *retired)
    return ruling


def _retired(edit: Editing, desk: Desk, *, old: Memory, new: Memory) -> str:
    """The old one yields now, as it would have at once had nobody needed to wait."""
    related = edit.scope.judge.at_once.relation(old.content, new.content)
    effect = settled_by_person(old, related, edit.scope.profile)
    desk.change(
        EFFECTS[effect](old, new, edit.at, profile=edit.scope.profile), edit.at, f"{effect}: a person decided"
    )
    return old.id


def reject(scope: Scope, id: str, reason: str = "", *, at: datetime | None) -> Outcome:
    """It does not become a memory; kept, so that the same is not asked again."""
    edit = editing(scope, "reject", right="reject", at=at)
    reason = harmless("reason", check.text("reason", reason, most=2000, empty=True), scope.judge.at_once)

    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        if memory.status not in REJECTED_FROM:
            raise IllegalChange(f"{memory.id} is {memory.status}, not waiting; forget it, or undo the change")
        rejected = replace(memory, status=legal(memory.status, Status.REJECTED), reason=reason)
        return edit.put(desk, rejected, "rejected by a person")

    return change(edit, [id], decide)[0]
