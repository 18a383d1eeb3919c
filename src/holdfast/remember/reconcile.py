"""Third step of the way in: what becomes of what was let in, given what is known. Pure.

Cheap answers come first: turned away, against the constitution, the same entity, the same words; only then
what is near, with what the judge said of it. Members of a batch are decided in order and see each other on
the desk.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.layer import Decision, Layer
from holdfast.model.memory import Capture, Memory
from holdfast.model.status import Status
from holdfast.ports.judge import Relation
from holdfast.remember.again import believed, mentioned, revived, source_of
from holdfast.remember.conflict import RETIRING, WAIT
from holdfast.remember.known import Ruling, live
from holdfast.remember.reconcile_near import carry_out, disputes, pairs
from holdfast.steward import salience
from holdfast.steward.salience import Action

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.remember.desk import Desk
    from holdfast.remember.known import Case, Near, Standing
    from holdfast.remember.reconcile_near import Settled

# Which of several memories with the same words is meant, best first. A deleted one is never meant.
_MEANT = {
    Status.ACTIVE: 0,
    Status.REVIEW: 0,
    Status.PENDING: 1,
    Status.MERGED: 2,
    Status.EXPIRED: 3,
    Status.SUPERSEDED: 3,
    Status.ARCHIVED: 3,
    Status.REJECTED: 4,
}
_MENTIONED = {
    Action.REINFORCE: "said again: a mention of what is known",
    Action.MERGE: "said again and again: one entry in place of several, lifted less",
}
_STILL = "it still waits for a person"


def reconcile(cases: Sequence[Case], desk: Desk) -> list[Ruling]:
    """One ruling a case, in order; what they change is on the desk."""
    rulings = []
    for case in cases:
        ruling = _decide(case, desk)
        if ruling.memory != case.id:
            desk.became(case.id, ruling.memory)
        rulings.append(ruling)
    return rulings


def _decide(case: Case, desk: Desk) -> Ruling:
    if not case.admission.enters:
        return turned_away(case, desk)
    if case.guard:
        why = ("it contradicts the constitution", *case.guard)
        refused = replace(
            case.admission, fate=Decision.REFUSED, reasons=why, note="contradicts the constitution", kept=True
        )
        return turned_away(replace(case, admission=refused), desk)
    known = _known(case, desk)
    ruling = _again(known, case, desk) if known is not None else None
    return ruling or _near(case, desk)


def turned_away(case: Case, desk: Desk) -> Ruling:
    """Not a memory: kept in quarantine where that is allowed, and answered with the reason."""
    a = case.admission
    ruling = Ruling(a.fate, a.reasons, a.note)
    if a.kept:
        desk.captures.append(
            Capture(
                id=case.id,
                content=case.kept or a.draft.content,
                at=a.at,
                author=str(desk.standing.actor),
                session=a.draft.session,
                reason=a.note,
                metadata=a.draft.metadata,
                sealed=a.draft.sealed,
            )
        )
        ruling.capture = case.id
    return ruling


# --- the same again ------------------------------------------------------------------------------


def _known(case: Case, desk: Desk) -> Memory | None:
    """The memory that already says this: the same entity, else the same words in the same layer."""
    if case.again:
        return desk.need(case.again)
    a = case.admission
    found = desk.entities(case.entity, case.entities) if case.entity else []
    found = [memory for memory in found if memory.layer is a.layer]
    if not found:
        found = [m for m in desk.same(a.layer, case.words, case.same) if _same_statement(m, case)]
    found = [memory for memory in found if memory.status in _MEANT]
    return min(found, key=lambda memory: _MEANT[memory.status]) if found else None


def _same_statement(memory: Memory, case: Case) -> bool:
    """Whether equal words mean the same: one speaker, one kind. A turn of a conversation is never said
    again, and working memory that has ended stays what it was: a record of its day.
    """
    a, draft = case.admission, case.admission.draft
    if (
        memory.layer is not a.layer
        or memory.speaker != draft.speaker
        or memory.entity_type != draft.entity_type
    ):
        return False
    if a.layer is Layer.SESSION and (draft.session or memory.session or not live(memory)):
        return False
    return draft.kind is None or draft.kind == memory.kind


def _again(memory: Memory, case: Case, desk: Desk) -> Ruling | None:
    """None where it cannot be taken as said again: then it is looked at as something new."""
    if memory.status is Status.MERGED:
        target = desk.get(memory.merged_into)
        if target is None or not live(target):
            return None
        memory = target
    if memory.status is Status.REJECTED and not desk.standing.actor.is_person:
        logged = replace(
            case.admission, fate=Decision.LOGGED, reasons=("a person rejected it before",), kept=True
        )
        return turned_away(replace(case, admission=replace(logged, note="rejected before")), desk)
    waiting = live(memory) and memory.status is Status.PENDING
    if live(memory) and not (waiting and _lets_in(case, desk.standing)):
        return _mention(memory, case, desk)
    return _revive(memory, case, desk) or (_mention(memory, case, desk) if waiting else None)


def _lets_in(case: Case, standing: Standing) -> bool:
    """Whether saying what waits for a person is itself the word of a person who need not wait."""
    return standing.actor.is_person and case.admission.status is Status.ACTIVE


def _mention(memory: Memory, case: Case, desk: Desk) -> Ruling | None:
    at = case.admission.at
    told = [one for one in disputes(case, desk, but=memory.id) if one.dispute.explicit]
    if any(one.effect == WAIT for one in told):
        return None
    action = salience.on_mention(memory, at, desk.standing.profile)
    why = _MENTIONED[action]
    again = desk.change(mentioned(memory, case.admission, desk.standing), at, why)
    touched = carry_out(told, again, case=case, desk=desk)
    reasons = (why, _STILL) if again.status is Status.PENDING else (why,)
    return Ruling(Decision.REINFORCED, reasons, action, memory.id, (memory.id, *touched))


def _revive(memory: Memory, case: Case, desk: Desk) -> Ruling | None:
    """Brings it back, unless this actor must wait for a person; then the statement waits as a new memory."""
    settled = disputes(case, desk, but=memory.id)
    by = memory.corrections[-1].by if memory.corrections else ""
    barred = not desk.standing.actor.is_person and by.startswith(("owner:", "user:"))
    if case.admission.status is Status.PENDING or barred or any(one.effect == WAIT for one in settled):
        return None
    back = revived(memory, case.admission, desk.standing)
    desk.change(back, case.admission.at, "said again after it was taken back or put away")
    touched = carry_out(settled, back, case=case, desk=desk)
    reasons = ("said again: it stands again", *dict.fromkeys(one.why for one in settled))
    return Ruling(Decision.REINFORCED, reasons, "reaffirmed", memory.id, (memory.id, *touched))


# --- something near ------------------------------------------------------------------------------


def _near(case: Case, desk: Desk) -> Ruling:
    """Says it in other words, refines, contradicts, or is new."""
    near_by = pairs(case, desk)
    for memory, near in near_by:
        if _says_the_same(near, desk.standing):
            ruling = _again(memory, case, desk)
            if ruling is not None:
                return ruling
    settled = disputes(case, desk)
    policy = desk.standing.profile.reconcile
    refined = tuple(
        memory.id
        for memory, near in near_by
        if near.related
        and near.related.label is Relation.REFINES
        and near.related.confidence >= policy.judge_confidence
    )
    return _made(memory_of(case, desk.standing, refined), settled, case=case, desk=desk)


def _says_the_same(near: Near, standing: Standing) -> bool:
    policy = standing.profile.reconcile
    if near.related is None or near.related.label is not Relation.DUPLICATE:
        return False
    return near.related.confidence >= policy.judge_confidence or near.similarity >= policy.same


def _made(new: Memory, settled: list[Settled], *, case: Case, desk: Desk) -> Ruling:
    """The new memory with what it does to old ones; where anything must wait, nothing old changes."""
    a = case.admission
    old = tuple(one.dispute.old.id for one in settled)
    reasons = (*a.reasons, *(one.why for one in settled))
    waits = [one for one in settled if one.effect == WAIT]
    if a.status is Status.PENDING or waits:
        waiting = replace(new, status=Status.PENDING, conflicts_with=old, reason="; ".join(reasons))
        desk.add(waiting, case.words, case.entity)
        note = "conflict" if settled else a.note
        return Ruling(Decision.PENDING, reasons, f"waits: {note}", new.id, (new.id,), old)
    retired = tuple(one.dispute.old.id for one in settled if one.effect in RETIRING)
    beside = tuple(one.dispute.old.id for one in settled if one.effect == Action.BALANCE)
    since = a.at if any(one.effect == Action.VERSION for one in settled) else None
    new = replace(new, supersedes=retired, conflicts_with=beside, valid_from=since) if settled else new
    desk.add(new, case.words, case.entity)
    touched = carry_out(settled, new, case=case, desk=desk)
    decision = Decision.SUPERSEDED if retired else Decision.ACCEPTED
    note = ", ".join(dict.fromkeys(one.effect for one in settled)) or a.note
    time_changes = _stands_beside(case)
    told = (*reasons, *time_changes) or ("new: nothing known says it or contradicts it",)
    return Ruling(decision, told, note, new.id, (new.id, *touched), beside)


def _stands_beside(case: Case) -> tuple[str, ...]:
    """C7: what was so then and what is so now do not contradict each other."""
    changed = any(near.related and near.related.label is Relation.TIME_CHANGE for near in case.near)
    return ("a change in time, not a conflict: both stand",) if changed else ()


def memory_of(case: Case, standing: Standing, refined: tuple[str, ...] = ()) -> Memory:
    """A memory of what was let in, as if nothing else were known."""
    a, draft = case.admission, case.admission.draft
    source = source_of(a, standing)
    return Memory(
        id=case.id,
        space=standing.space,
        content=draft.content,
        created_at=a.at,
        updated_at=a.at,
        last_activated_at=a.at,
        layer=a.layer,
        kind=a.kind,
        status=a.status,
        marks=a.marks,
        confidence=a.confidence,
        priority=a.priority,
        sensitivity=a.sensitivity,
        importance=a.importance,
        source=draft.source or str(standing.actor.role),
        author=str(standing.actor),
        session=draft.session,
        speaker=draft.speaker,
        entity_type=draft.entity_type,
        entity_value=draft.entity_value,
        label=draft.label,
        tags=a.tags,
        metadata=draft.metadata,
        sources={source: believed({source: a.confidence}, 1.0)},
        expires_at=a.expires_at,
        source_ids=tuple(dict.fromkeys((*draft.source_ids, *refined))),
        sealed=draft.sealed,
    )
