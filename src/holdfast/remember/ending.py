"""The end of a conversation (M7): summary, candidate observations, grades; then fact, pending or log.

Each half is one commit under an id that the last turn decides, so a repetition, also after a crash between
the two, finds in the ledger what is done and does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdfast.model.draft import Draft
from holdfast.model.layer import Decision, Layer
from holdfast.model.plan import Outcome
from holdfast.model.status import Status
from holdfast.remember import curate, episodes, turns
from holdfast.remember.known import Ruling
from holdfast.remember.lookup import known
from holdfast.remember.store import Also, More, made_before, together
from holdfast.remember.turns import REPLIES, change_of, guarded
from holdfast.remember.working import TURN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Entry, Job
    from holdfast.ports.judge import Finding
    from holdfast.remember.desk import Desk
    from holdfast.scope import Scope

SUMMARY, OBSERVATIONS = "summary", "observations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What became of a conversation. `summary` is None where nothing was left to sum up; `repeated` says that
    this was done before, `later` that the worker will do it.
    """

    session: str
    at: datetime
    turns: int
    summary: Outcome | None = None
    observations: tuple[Outcome, ...] = ()
    repeated: bool = False
    later: bool = False


def job(scope: Scope, job: Job) -> None:
    """The end, behind the conversation."""
    turn = known(scope, [job.payload["turn"]]).get(job.payload["turn"])
    if turn is not None and turn.content:
        end(scope.seen_by(turns.author_of(turn)), turn.session, max(scope.clock.now(), turn.created_at))


def end(scope: Scope, session: str, at: datetime) -> Ended:
    """Everything that is not done yet of what was said since the end before."""
    said = _since_end(scope, session)
    if not said:
        return Ended(session=session, at=at, turns=0)
    last = said[-1].id
    done = [made_before(scope, change_of(what, last)) for what in (SUMMARY, OBSERVATIONS)]
    summary = _summary(scope, session, said)
    observations = [*_curated(scope, said), *_observed(scope, said, at)]
    return Ended(
        session=session,
        at=at,
        turns=len(said),
        summary=summary,
        observations=tuple(observations),
        repeated=all(done),
    )


def _since_end(scope: Scope, session: str) -> list[Memory]:
    """The turns since the end before this one. An end that nothing was said after is that of now."""
    said = turns.turns(scope, session)
    for place in range(len(said) - 2, -1, -1):
        if made_before(scope, change_of(OBSERVATIONS, said[place].id)):
            return said[place + 1 :]
    return said


def _summary(scope: Scope, session: str, said: Sequence[Memory]) -> Outcome | None:
    """An episode of what none has told yet (C1)."""
    change = change_of(SUMMARY, said[-1].id)
    if made_before(scope, change):
        return next(iter(_told_before(scope, change)), None)
    covered = {id for episode in episodes.of_session(scope, session) for id in episode.source_ids}
    rest = [turn for turn in said if turn.id not in covered]
    return next(iter(episodes.summed_up(scope, rest, change=change)), None) if rest else None


def _curated(scope: Scope, said: Sequence[Memory]) -> list[Outcome]:
    """What the curator has not come to yet (C3)."""
    if not scope.profile.converse.curate:
        return []
    replies = [turn.id for turn in said if turn.speaker in REPLIES]
    return [outcome for reply in replies for outcome in curate.curate(scope, reply).outcomes]


def _observed(scope: Scope, said: Sequence[Memory], at: datetime) -> list[Outcome]:
    """What is worth keeping, through the gate (M8)."""
    change = change_of(OBSERVATIONS, said[-1].id)
    if made_before(scope, change):
        return _told_before(scope, change)
    unheard = said
    if scope.profile.converse.curate:  # what has been answered, the curator has heard
        place = max((p for p, turn in enumerate(said) if turn.speaker in REPLIES), default=-1)
        unheard = said[place + 1 :]
    findings = scope.judge.extract(turns.told(unheard)) if unheard else ()
    plain = [finding for finding in findings if not turns.secret(scope, finding.quote)]
    drafts = [_draft(scope, unheard[finding.turn], finding) for finding in plain]
    told = Ruling(Decision.REFUSED, (turns.STAYS_THERE,), note=turns.STAYS_THERE)

    def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
        del desk, rulings
        return More([told] * (len(findings) - len(plain)))

    plan = Also(verb="end", at=at, change=change, decide=also)
    return together(_listening(scope, said[-1]), drafts, plan)


def _draft(scope: Scope, turn: Memory, finding: Finding) -> Draft:
    return Draft(
        content=finding.quote,
        layer=Layer.FACT,
        kind=finding.kind if finding.kind in scope.profile.kinds else None,
        confidence=finding.confidence,
        source=TURN,
        at=turn.created_at,
        session=turn.session,
        speaker=turns.speaker_of(turn),
        metadata={"observation": finding.type},
        source_ids=(turn.id,),
    )


def _listening(scope: Scope, turn: Memory) -> Scope:
    """Who writes what was extracted: the speaker, or an agent that is graded. Against the constitution
    nothing is extracted, whatever the profile lets people write (M8).
    """
    return guarded(scope.seen_by(turns.listener(scope, turn)))


# --- told again -----------------------------------------------------------------------------------


def _told_before(scope: Scope, change: str) -> list[Outcome]:
    """The Outcomes of a change that the ledger has, as far as it can tell them: old memories that gave way
    are named by the new ones.
    """
    entry = scope.store.change(change)
    memories = known(scope, [touched.id for touched in entry.touched])
    outcomes = [_again(memories[t.id], entry, new=t.before == 0) for t in entry.touched if t.id in memories]
    gone = {old for one in outcomes if one.memory for old in one.memory.supersedes}
    kept = [one for one in outcomes if one.memory is None or one.memory.id not in gone]
    return kept + [
        _outcome(entry, Decision.LOGGED, capture=capture.id) for capture in entry.captures if capture.after
    ]


def _again(memory: Memory, entry: Entry, *, new: bool) -> Outcome:
    decision = Decision.REINFORCED
    if new:
        decision = Decision.SUPERSEDED if memory.supersedes else Decision.ACCEPTED
        decision = Decision.PENDING if memory.status is Status.PENDING else decision
    return _outcome(entry, decision, memory=memory, touched=(memory.id,), conflicts=memory.conflicts_with)


def _outcome(entry: Entry, decision: Decision, **told: Any) -> Outcome:
    reasons = (f"done before, on {entry.at:%Y-%m-%d %H:%M} UTC",)
    told = {"memory": None, **told}
    return Outcome(decision=decision, reasons=reasons, change=entry.change, **told)
