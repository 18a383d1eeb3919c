"""The curator (C3): after a reply it sees the exchange and the memories at hand, and says what changes.

Its answer is read strictly and carried out in one commit, which one `undo` takes back. It may name only what
it was shown, changes nothing that is protected, and lifts only what shaped the reply (C4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.model.actor import Actor, Role
from holdfast.model.draft import Draft
from holdfast.model.layer import Decision, Layer, Level
from holdfast.model.plan import Job
from holdfast.model.status import Mark, Status
from holdfast.model.status import change as legal
from holdfast.ports.judge import Shown
from holdfast.remember import check as incoming
from holdfast.remember import related, turns
from holdfast.remember.change import Editing
from holdfast.remember.conflict import doubt_of
from holdfast.remember.curation import Operation, Verb, parse
from holdfast.remember.known import STANDING, Ruling
from holdfast.remember.lookup import known
from holdfast.remember.store import Also, More, made_before, together
from holdfast.remember.turns import NOT_HEARD, change_of
from holdfast.remember.words import refused
from holdfast.steward import salience

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome
    from holdfast.remember.desk import Desk
    from holdfast.scope import Scope

CURATOR = Actor(Role.AGENT, "curator")
REVIEW = "review"
_NEVER_FADES = frozenset({Mark.CORE, Mark.SYSTEM})


@dataclass(frozen=True, slots=True, kw_only=True)
class Curated:
    """What became of the curator's lines, in order; nothing where it was done before. `change` undoes all."""

    turn: str
    operations: tuple[Operation, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    change: str = ""


@dataclass(frozen=True, slots=True)
class _Curation:
    """One curation under way: what was said, what was shown, and which of it shaped the reply."""

    scope: Scope
    said: Sequence[Memory]
    shown: Sequence[str]
    shaped: frozenset[str]
    at: datetime


def job(scope: Scope, job: Job) -> None:
    """A curation, behind the conversation."""
    curate(scope, job.payload["turn"], job.payload.get("shown", ()))


def curate(scope: Scope, reply: str, shown: Sequence[str] = ()) -> Curated:
    """What the exchange that ends with this reply changes. Done once, however often it is asked for."""
    change = change_of("curate", reply)
    turn = known(scope, [reply]).get(reply)
    if turn is None or not turn.content or made_before(scope, change):
        return Curated(turn=reply)
    said = turns.exchange(scope, turn)
    memories = _shown(scope, said, shown)
    asked = [_as_shown(memory) for memory in memories]
    operations = parse(scope.judge.curate(turns.told(said), asked))
    boosted = {op.id for op in operations if op.verb is Verb.BOOST}
    shaped = {m.id for m in memories if m.id in boosted and scope.judge.shaped(m.content, turn.content).holds}
    scope = turns.guarded(scope.seen_by(CURATOR))
    at = max(scope.clock.now(), turn.created_at)
    curation = _Curation(scope, said, [memory.id for memory in memories], frozenset(shaped), at)
    return _carried_out(curation, operations, turn=reply, change=change)


def _carried_out(curation: _Curation, operations: Sequence[Operation], *, turn: str, change: str) -> Curated:
    drafts = [_draft(curation, op) for op in operations]
    adds = [draft for draft in drafts if isinstance(draft, Draft)]

    def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
        del rulings
        for memory in known(curation.scope, curation.shown).values():
            if desk.stored(memory.id) is None:
                desk.take(memory)
        touched: set[str] = set()
        rest = [
            draft if isinstance(draft, Ruling) else _ruled(curation, desk, op, touched=touched)
            for op, draft in zip(operations, drafts, strict=True)
            if not isinstance(draft, Draft)
        ]
        return More(rest, _reviews(curation, desk))

    plan = Also(verb="curate", at=curation.at, change=change, decide=also)
    outcomes = together(curation.scope, adds, plan)
    added, others = iter(outcomes[: len(adds)]), iter(outcomes[len(adds) :])
    ordered = [next(added if isinstance(draft, Draft) else others) for draft in drafts]
    return Curated(turn=turn, operations=tuple(operations), outcomes=tuple(ordered), change=change)


def _shown(scope: Scope, said: Sequence[Memory], told: Sequence[str]) -> list[Memory]:
    """What the reply was given, where that was said; else what the exchange calls to mind."""
    if told:
        found = known(scope, list(told))
        return [found[id] for id in told if id in found and found[id].status in STANDING]
    heard = " ".join(turn.content for turn in said if turn.speaker not in NOT_HEARD)
    return related.to(scope, heard or said[-1].content, said[-1].created_at)


def _as_shown(memory: Memory) -> Shown:
    return Shown(memory.id, memory.content, memory.kind, f"{memory.created_at:%Y-%m-%d}")


# --- one line ---------------------------------------------------------------------------------------


def _draft(curation: _Curation, op: Operation) -> Draft | Ruling | None:
    """An addition as a draft for the gate; a ruling where it cannot be one; None for other operations."""
    if op.verb is not Verb.ADD:
        return None
    heard = [turn for turn in curation.said if turn.speaker not in NOT_HEARD] or curation.said
    told: dict[str, Any] = {"layer": Layer.FACT, "source": "curator", "session": heard[-1].session}
    told |= {"at": heard[-1].created_at, "source_ids": [turn.id for turn in heard]}
    told["speaker"] = turns.speaker_of(heard[-1]) if heard is not curation.said else ""
    try:
        draft = incoming.draft(op.words, told)
    except InvalidInput as error:
        return _no(f"ADD: {error.problem}")
    return _no(f"ADD: {turns.STAYS_THERE}") if turns.secret(curation.scope, op.words) else draft


def _ruled(curation: _Curation, desk: Desk, op: Operation, *, touched: set[str]) -> Ruling:
    if op.verb is Verb.MALFORMED:
        return _no(f"malformed: {op.why}")
    if op.verb is Verb.SKIP:
        return Ruling(Decision.LOGGED, ("nothing to change",), note="SKIP")
    memory = desk.get(op.id) if op.id in curation.shown else None
    if memory is None:
        return _no(f"{op.verb}: names a memory that it was not shown")
    if op.id in touched:
        return _no(f"{op.verb}: a line before changed it already", op.id)
    if memory.status not in STANDING:
        return _no(f"{op.verb}: it is {memory.status} by now", op.id)
    ruling = _ACTS[op.verb](curation, desk, memory, op=op)
    touched.update(ruling.touched)
    return ruling


def _update(curation: _Curation, desk: Desk, memory: Memory, *, op: Operation) -> Ruling:
    why = doubt_of(memory, desk.standing) or ("" if memory.layer is Layer.FACT else "it is a record")
    if why:
        return _no(f"UPDATE: {why}", memory.id)
    new = replace(memory, content=op.words, level=Level.FULL, reason="", author=str(CURATOR))
    turned = refused(Editing(curation.scope, "curate", curation.at), desk, old=memory, new=new)
    if turned is not None:
        return turned
    desk.change(new, curation.at, "updated by the curator")
    return _yes("UPDATE", "another version of it; the old one stays in its history", memory.id)


def _boost(curation: _Curation, desk: Desk, memory: Memory, *, op: Operation) -> Ruling:
    del op
    if _NEVER_FADES & memory.marks:
        return _no(f"BOOST: it is {min(_NEVER_FADES & memory.marks)} and never fades", memory.id)
    if memory.id not in curation.shaped:
        return _no("BOOST: it was at hand and did not shape the reply", memory.id)
    after = salience.boosted(memory, curation.at, curation.scope.profile)
    desk.change(after, curation.at, "it shaped a reply")
    return _yes("BOOST", "it shaped the reply", memory.id)


def _delete(curation: _Curation, desk: Desk, memory: Memory, *, op: Operation) -> Ruling:
    del op
    why = doubt_of(memory, desk.standing)
    if why:
        return _no(f"DELETE: {why}", memory.id)
    days = curation.scope.profile.retention.deleted_days
    desk.change(deleted(memory, curation.at, "the curator held it for wrong or out of date"), curation.at)
    return _yes("DELETE", f"hidden; it can be restored for {days:g} days", memory.id)


def deleted(memory: Memory, at: datetime, reason: str) -> Memory:
    """Hidden softly, by a judge rather than by a person (E16)."""
    status = legal(memory.status, Status.DELETED)
    return replace(memory, status=status, deleted_at=at, deletion="auto_cleanup", reason=reason)


_ACTS = {Verb.UPDATE: _update, Verb.BOOST: _boost, Verb.DELETE: _delete}


def _reviews(curation: _Curation, desk: Desk) -> list[Job]:
    """C6: work for the reviewer, where importance crossed its threshold upwards."""
    profile, now = curation.scope.profile, curation.scope.clock.now()
    above = profile.salience.review_above
    jobs = []
    for after in desk.puts():
        before = desk.stored(after.id)
        if before is None or salience.importance_now(before, curation.at, profile) >= above:
            continue
        if salience.importance_now(after, curation.at, profile) >= above:
            id = curation.scope.clock.new_id()
            told = {"memory": after.id}
            jobs.append(Job(id=id, kind=REVIEW, key=f"{REVIEW}:{after.id}", payload=told, run_at=now))
    return jobs


def _no(why: str, id: str = "") -> Ruling:
    return Ruling(Decision.REFUSED, (why,), note=why, memory=id)


def _yes(verb: str, why: str, id: str) -> Ruling:
    return Ruling(Decision.ACCEPTED, (why,), note=verb, memory=id, touched=(id,))
