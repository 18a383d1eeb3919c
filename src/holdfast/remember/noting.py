"""Entities found in what is said (A11): type, value and what was meant with them, stored through the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model import check
from holdfast.model.draft import Draft
from holdfast.model.layer import Decision, Layer
from holdfast.model.plan import Outcome
from holdfast.remember import turns
from holdfast.remember.admit import SAFE_WORDING
from holdfast.remember.check import CONTENT_MOST
from holdfast.remember.lookup import known
from holdfast.remember.redact import blacked_out
from holdfast.remember.store import Also, together
from holdfast.remember.turns import change_of

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.plan import Job
    from holdfast.ports.judge import Named
    from holdfast.scope import Scope

# What tells nothing by itself: an intent is kept with its entity, three boxes are three of anything.
NOT_NOTED = frozenset({"intent", "quantity", "time"})
AROUND = 60  # characters of the sentence on either side that are kept as its context


def note_entities(scope: Scope, text: str, *, at: datetime | None = None, session: str = "") -> list[Outcome]:
    """An Outcome for each entity of the text, in order, each once; one more where a secret is in it."""
    moment = check.moment("at", at) if at is not None else scope.clock.now()
    text = check.text("text", text, most=CONTENT_MOST)
    session = check.text("session", session, empty=True)
    scope.require("remember", moment)
    covered = blacked_out(text, scope.judge)  # a part of a secret is none to keep
    drafts = _drafts(scope, covered, Draft(content=text, at=moment, session=session))
    outcomes = together(scope, drafts, Also(verb="note_entities", at=moment)) if drafts else []
    if covered == text:
        return outcomes
    why = f"it holds a secret (level 3), of which nothing is noted; {SAFE_WORDING}"
    return [*outcomes, Outcome(decision=Decision.REFUSED, memory=None, reasons=(why,))]


def job(scope: Scope, job: Job) -> None:
    """The entities of a turn, behind the conversation."""
    turn = known(scope, [job.payload["turn"]]).get(job.payload["turn"])
    if turn is None or not turn.content:
        return
    said = Draft(
        content=turn.content,
        at=turn.created_at,
        session=turn.session,
        speaker=turns.speaker_of(turn),
        source_ids=(turn.id,),
    )
    change = change_of("entities", turn.id)
    at = max(scope.clock.now(), turn.created_at)
    scope = scope.seen_by(turns.listener(scope, turn))
    together(scope, _drafts(scope, turn.content, said), Also(verb="note_entities", at=at, change=change))


def _drafts(scope: Scope, text: str, said: Draft) -> list[Draft]:
    found: dict[tuple[str, str], Draft] = {}
    for entity in scope.judge.entities(text):
        if entity.type not in NOT_NOTED and entity.value.strip():
            found.setdefault((entity.type, entity.value), _draft(text, entity, said=said))
    return list(found.values())


def _draft(text: str, entity: Named, *, said: Draft) -> Draft:
    around = text[max(0, entity.start - AROUND) : entity.end + AROUND]
    told = {"context": " ".join(around.split())}
    if entity.intent:
        told["intent"] = entity.intent
    return Draft(
        content=entity.value,
        layer=Layer.FACT,
        entity_type=entity.type,
        entity_value=entity.value,
        metadata=told,
        source="conversation" if said.session else "",
        at=said.at,
        session=said.session,
        speaker=said.speaker,
        source_ids=said.source_ids,
    )
