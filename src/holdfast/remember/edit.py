"""Edits of one memory: every one a new version with a reason, nothing overwritten (M5).

Each verb decides by a pure step (Memory → Memory) and goes through `change.change`; what adds words (a
revision, what is said instead, a caption) passes the same gate as anything new.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.errors import IllegalChange, InvalidInput, StaleWrite
from holdfast.model import check
from holdfast.model.actor import Role
from holdfast.model.layer import Level
from holdfast.model.memory import Attachment, Memory
from holdfast.model.status import Mark, Status
from holdfast.model.status import change as legal
from holdfast.remember import check as incoming
from holdfast.remember import store
from holdfast.remember.again import awake
from holdfast.remember.beside import harmless
from holdfast.remember.change import change, editing, guard, guard_words, nothing
from holdfast.remember.known import lapsed
from holdfast.remember.lookup import read
from holdfast.remember.offer import Instead
from holdfast.remember.sealing import resealed
from holdfast.remember.words import refused
from holdfast.steward import salience

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from holdfast.model.plan import Outcome
    from holdfast.remember.change import Editing
    from holdfast.remember.desk import Desk
    from holdfast.remember.known import Ruling
    from holdfast.scope import Scope

MODALITIES = ("text", "image", "audio")  # E10
CAPTION_MOST = 20_000  # a transcript, as long as a memory may be
# What a revision may touch. Where a memory lives and when it was said is not among it.
REVISED = (
    "content", "kind", "confidence", "priority", "sensitivity", "importance", "source", "expires_at",
    "speaker", "entity_type", "entity_value", "label", "tags", "metadata", "source_ids",
)  # fmt: skip


def revise(
    scope: Scope, id: str, changes: Mapping[str, Any], *, at: datetime | None, version: int | None = None
) -> Outcome:
    """New content or details. A memory that was verified stays so only where an owner revises it."""
    edit = editing(scope, "revise", right="revise", at=at)
    wanted = _checked(changes, scope)

    def decide(desk: Desk, memory: Memory) -> Ruling:
        if version is not None and memory.version != check.whole("version", version, low=1, high=2**31):
            raise StaleWrite(f"{memory.id} is at version {memory.version}, not {version}; read it again")
        guard(edit, memory)
        guard_words(edit, memory)
        new = {key: value for key, value in wanted.items() if getattr(memory, key) != value}
        if not new:
            return nothing(memory, "nothing in it would change")
        revised = resealed(scope, memory, _revised(memory, new, edit))
        return refused(edit, desk, old=memory, new=revised) or edit.put(
            desk, revised, f"revised: {', '.join(new)}"
        )

    return change(edit, [id], decide)[0]


def _checked(changes: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    if not changes:
        raise InvalidInput("changes", "name nothing", f"give some of {', '.join(REVISED)}")
    for key in changes:
        if key not in REVISED:
            raise InvalidInput(key, "cannot be revised", f"it can be {', '.join(REVISED)}")
    told = {key: value for key, value in changes.items() if key not in ("content", "expires_at")}
    for key, value in told.items():
        if value is None:
            raise InvalidInput(key, "is None", "leave it out, or give a value")
    draft = incoming.draft(changes.get("content", "·"), {**told, "expires_at": changes.get("expires_at")})
    incoming.suits([draft], scope.profile)
    return {key: getattr(draft, key) for key in changes}


def _revised(memory: Memory, new: Mapping[str, Any], edit: Editing) -> Memory:
    actor = edit.scope.actor
    revised = replace(memory, **new, reason="")
    if "confidence" in new:
        revised = replace(revised, sources={str(actor): revised.confidence})
    if "content" in new or "entity_value" in new:
        confirmed = edit.at if memory.verified and actor.role is Role.OWNER else None
        revised = replace(revised, verified_at=confirmed, level=Level.FULL)
    if actor.is_person:
        revised = replace(revised, marks=revised.marks - {Mark.AUTO_APPROVED, Mark.NEEDS_VERIFICATION})
    return revised


def negate(scope: Scope, id: str, content: str | None = None, *, at: datetime | None) -> Outcome:
    """Takes it back (E8). What is said instead comes in like anything new, and is decided in the same
    plan.
    """
    edit = editing(scope, "negate", right="negate", at=at)
    if content is not None:
        return _instead(edit, id, content)

    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        guard_words(edit, memory)
        if Mark.NEGATED in memory.marks:
            return nothing(memory, "it was taken back before")
        negated = salience.negate(memory, edit.at, scope.profile, by=str(scope.actor))
        return edit.put(desk, negated, "taken back")

    return change(edit, [id], decide)[0]


def _instead(edit: Editing, id: str, content: str) -> Outcome:
    scope, old = edit.scope, _one(edit.scope, id)
    guard_words(edit, old)
    told = {
        "kind": old.kind if old.kind in scope.profile.kinds else None,
        "layer": str(old.layer),
        "speaker": old.speaker,
        "at": edit.at,
    }
    return store.remember(
        scope, [incoming.draft(content, told)], verb="negate", instead=Instead(negates=old.id)
    )[0]


def affirm(scope: Scope, id: str, *, at: datetime | None) -> Outcome:
    """Says it again in its own words: a mention; what was taken back or replaced comes back (E3)."""
    edit = editing(scope, "affirm", right="affirm", at=at)
    old = _one(scope, id)
    if old.status is Status.DELETED:
        raise IllegalChange(f"{old.id} was forgotten; restore it, or remember it anew")
    told = {name: getattr(old, name) for name in ("speaker", "entity_type", "entity_value", "session")}
    told |= {"layer": str(old.layer), "sensitivity": old.sensitivity, "at": edit.at}
    draft = incoming.draft(old.content, told)
    return store.remember(scope, [draft], verb="affirm", instead=Instead(repeats=old.id))[0]


def _one(scope: Scope, id: str) -> Memory:
    return read(scope, [check.text("id", id)])[id]


def forget(scope: Scope, id: str, reason: str = "", *, at: datetime | None) -> Outcome:
    """Hidden at once, kept for a while (E16)."""
    edit = editing(scope, "forget", right="forget", at=at)
    reason = harmless("reason", check.text("reason", reason, most=2000, empty=True), scope.judge.at_once)
    why = f"forgotten: it can be restored for {scope.profile.retention.deleted_days:g} days"

    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        if memory.status is Status.DELETED:
            return nothing(memory, "it was forgotten before")
        return edit.put(desk, forgotten(memory, edit, reason), why)

    return change(edit, [id], decide)[0]


def forgotten(memory: Memory, edit: Editing, reason: str) -> Memory:
    """The memory deleted, softly; the policy that did it is named (E16)."""
    return replace(
        memory,
        status=legal(memory.status, Status.DELETED),
        deleted_at=edit.at,
        deletion="auto_cleanup" if edit.scope.actor.role is Role.SYSTEM else "user_delete",
        reason=reason,
    )


def restore(scope: Scope, id: str, *, at: datetime | None) -> Outcome:
    """Back among the living, from wherever it was put away."""
    edit = editing(scope, "restore", right="restore", at=at)

    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        memory = lapsed(memory, edit.at)
        if memory.status in (Status.ACTIVE, Status.PENDING):
            return nothing(memory, f"it is {memory.status} already")
        if not memory.content:
            raise IllegalChange(f"{memory.id} was purged: its words are gone, so there is nothing to restore")
        back = awake(replace(memory, merged_into=""), edit.at)
        return edit.put(desk, back, f"restored: it was {memory.status}")

    return change(edit, [id], decide)[0]


def archive(scope: Scope, id: str, *, at: datetime | None) -> Outcome:
    """Out of normal recall, still there for review (A9)."""
    edit = editing(scope, "archive", right="archive", at=at)
    return _moved(edit, id, Status.ARCHIVED, reason="archived")


def mark_for_review(scope: Scope, id: str, reason: str, *, at: datetime | None) -> Outcome:
    """A person should look at it; until then it is recalled as before (A9)."""
    edit = editing(scope, "mark_for_review", right="review", at=at)
    reason = harmless("reason", check.text("reason", reason, most=2000), scope.judge.at_once)
    return _moved(edit, id, Status.REVIEW, reason=reason)


def _moved(edit: Editing, id: str, status: Status, *, reason: str) -> Outcome:
    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        if memory.status is status and memory.reason == reason:
            return nothing(memory, f"it is {status} already")
        moved = replace(memory, status=legal(memory.status, status), reason=reason)
        return edit.put(desk, moved, f"{status}: {edit.scope.actor.role} asked")

    return change(edit, [id], decide)[0]


ATTACHED: Mapping[str, Callable[[str, object], str]] = {
    "reference": lambda field, value: check.text(field, value, most=2000, empty=True),
    "digest": lambda field, value: check.text(field, value, empty=True),
    "text": lambda field, value: check.text(field, value, most=CAPTION_MOST, empty=True),
}


def attach(
    scope: Scope, id: str, modality: str, *, details: Mapping[str, str], at: datetime | None
) -> Outcome:
    """Joins another modality to the memory it belongs to: a mention, and its words are searched from now on
    (E10).
    """
    edit = editing(scope, "attach", right="attach", at=at)
    attached = _attachment(modality, details, edit.at)

    def decide(desk: Desk, memory: Memory) -> Ruling:
        guard(edit, memory)
        guard_words(edit, memory)
        known = any(_same_thing(attached, other) for other in memory.attachments)
        lifted = salience.mentioned(memory, edit.at, scope.profile)
        joined = lifted if known else replace(lifted, attachments=(*memory.attachments, attached))
        why = "attached before: a mention" if known else f"attached: {modality}"
        return refused(edit, desk, old=memory, new=joined) or edit.put(desk, joined, why)

    return change(edit, [id], decide)[0]


def _attachment(modality: str, details: Mapping[str, str], at: datetime) -> Attachment:
    modality = check.choice("modality", modality, MODALITIES)
    for key in details:
        if key not in ATTACHED:
            raise InvalidInput(key, "says nothing of an attachment", f"give some of {', '.join(ATTACHED)}")
    told = {key: ATTACHED[key](key, value) for key, value in details.items() if value is not None}
    if not any(told.values()):
        raise InvalidInput(
            "reference", "is missing", "give a reference, a digest or a text of what is attached"
        )
    return Attachment(modality=modality, at=at, **{"reference": "", **told})


def _same_thing(one: Attachment, other: Attachment) -> bool:
    """The same file, or the same place: a thing is attached once."""
    if one.modality != other.modality:
        return False
    if one.digest and other.digest:
        return one.digest == other.digest
    return (one.reference, one.text) == (other.reference, other.text)
