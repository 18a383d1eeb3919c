"""The reviewer (C6): a memory whose importance crossed a threshold is looked at again, with what is related.

In up to three rounds the judge may search for more; then it promotes (rising only), keeps or deletes. Every
step is in the ledger, in one commit with what it led to, and one `undo` takes it back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange
from holdfast.model import check
from holdfast.model.layer import Decision, Layer
from holdfast.model.status import Mark
from holdfast.ports.judge import Case, Shown
from holdfast.remember import related
from holdfast.remember.curate import deleted
from holdfast.remember.known import STANDING, Ruling, protected
from holdfast.remember.lookup import read
from holdfast.remember.store import Also, More, together
from holdfast.steward import salience

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Job, Outcome
    from holdfast.remember.desk import Desk
    from holdfast.scope import Scope

ROUNDS = 3  # C6
SEARCH, PROMOTE, KEEP, DELETE, MALFORMED = "SEARCH", "PROMOTE", "KEEP", "DELETE", "MALFORMED"
_OPERATION = re.compile(r"\[(?:(?P<search>SEARCH):(?P<words>[^\[\]]+)|(?P<verb>PROMOTE|KEEP|DELETE))\]")
_LAYERS = frozenset({Layer.FACT, Layer.EPISODE})
WORDS_MOST = 200  # of a search


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One round: what the judge said, why, and which memories it had seen by then."""

    said: str
    words: str = ""
    reasons: tuple[str, ...] = ()
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What a review came to. `rising`: it was looked at for having grown, not for having faded."""

    memory: str
    rising: bool
    decision: str
    steps: tuple[Step, ...]
    outcome: Outcome


def job(scope: Scope, job: Job) -> None:
    """A review, behind the conversation; a memory that is gone by now needs none."""
    id = job.payload["memory"]
    found = scope.store.get([id]).get(id)
    if found is not None and not _unfit(found):
        review(scope, id, at=max(scope.clock.now(), found.updated_at))


def review(scope: Scope, id: str, *, at: datetime | None = None) -> Review:
    """Looks at one memory again: as fading where its importance is below the lower threshold, else as
    rising.
    """
    moment = check.moment("at", at) if at is not None else scope.clock.now()
    scope.require("review", moment)
    memory = read(scope, [check.text("id", id)])[id]
    unfit = _unfit(memory)
    if unfit:
        raise IllegalChange(f"{id} {unfit}")
    rising = salience.importance_now(memory, moment, scope.profile) >= scope.profile.salience.review_below
    steps = _rounds(scope, memory, moment, rising=rising)
    decision = steps[-1].said

    def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
        del rulings
        desk.take(read(scope, [id])[id])
        walked = [_walked(number, step) for number, step in enumerate(steps, 1)]
        return More([*walked, _done(scope, desk, desk.need(id), decision=decision, rising=rising)])

    outcome = together(scope, [], Also(verb="review", at=moment, decide=also))[-1]
    return Review(memory=id, rising=rising, decision=decision, steps=steps, outcome=outcome)


def _unfit(memory: Memory) -> str:
    """Why there is nothing to review; empty where there is."""
    if memory.layer not in _LAYERS:
        return f"is in the {memory.layer} layer; facts and episodes are reviewed"
    if memory.status not in STANDING:
        return f"is {memory.status}; restore it first"
    return ""


def _rounds(scope: Scope, memory: Memory, at: datetime, *, rising: bool) -> tuple[Step, ...]:
    near = {other.id: other for other in related.to(scope, memory.content, at, but=memory.id)}
    steps: list[Step] = []
    for number in range(1, ROUNDS + 1):
        seen = tuple(_shown(other) for other in near.values())
        searched = tuple(step.words for step in steps)
        case = Case(
            memory=_shown(memory), related=seen, rising=rising, searched=searched, last=number == ROUNDS
        )
        step = replace(parse(scope.judge.review(case), case), related=tuple(near))
        steps.append(step)
        if step.said != SEARCH:
            break
        near |= {other.id: other for other in related.to(scope, step.words, at, but=memory.id)}
    return tuple(steps)


def parse(answer: str, case: Case) -> Step:
    """One round as it was said. Whatever is not exactly one operation that is open in this round keeps."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    found = [match for line in lines if (match := _OPERATION.fullmatch(line))]
    reasons = tuple(line[:WORDS_MOST] for line in lines if not _OPERATION.fullmatch(line))
    if len(found) != 1:
        return Step(said=MALFORMED, reasons=(f"{len(found)} operations instead of one", *reasons))
    said = found[0]["verb"] or SEARCH
    if said == SEARCH and case.last:
        return Step(said=MALFORMED, reasons=("a search in the last round", *reasons))
    if said == PROMOTE and not case.rising:
        return Step(said=MALFORMED, reasons=("a promotion of what fades", *reasons))
    return Step(said=said, words=(found[0]["words"] or "").strip()[:WORDS_MOST], reasons=reasons)


def _shown(memory: Memory) -> Shown:
    return Shown(memory.id, memory.content, memory.kind, f"{memory.created_at:%Y-%m-%d}")


def _walked(number: int, step: Step) -> Ruling:
    """A round as the ledger keeps it: without a word of what was said."""
    note = f"round {number}: {step.said}; seen: {', '.join(step.related) or 'nothing related'}"
    return Ruling(Decision.LOGGED, step.reasons, note=note)


def _done(scope: Scope, desk: Desk, memory: Memory, *, decision: str, rising: bool) -> Ruling:
    at, profile = desk.standing.now, scope.profile
    if decision == DELETE:
        why = protected(memory)
        if why:
            refusal = f"it is {why}: only a person deletes it"
            return Ruling(Decision.REFUSED, (refusal,), note=f"DELETE: {refusal}", memory=memory.id)
        return _put(desk, deleted(memory, at, "a review let it go"), "let go by a review")
    if decision == PROMOTE:
        if Mark.CORE in memory.marks:
            return Ruling(Decision.ACCEPTED, ("it is core already",), note="core already", memory=memory.id)
        core = replace(memory, marks=memory.marks | {Mark.CORE}, promoted_at=at)
        return _put(desk, core, "promoted to core by a review")
    if rising or salience.is_protected(memory):
        return Ruling(Decision.ACCEPTED, ("it stays as it is",), note="kept", memory=memory.id)
    return _put(desk, salience.kept(memory, at, profile), "kept by a review: its days start again")


def _put(desk: Desk, memory: Memory, why: str) -> Ruling:
    desk.change(memory, desk.standing.now, why)
    return Ruling(Decision.ACCEPTED, (why,), note=why, memory=memory.id, touched=(memory.id,))
