"""The way in, done: gate, gather, reconcile, and one commit for the whole batch, with an Outcome each.

The judge and the embedder are asked before anything is decided, never inside a transaction. What cannot be
embedded now is kept, found by its words, and embedded by a job of the same commit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput, NotFound
from holdfast.model.layer import Decision, Layer
from holdfast.model.memory import mark_of
from holdfast.model.plan import Outcome
from holdfast.recall import record
from holdfast.remember import check, whole
from holdfast.remember.admit import SECRET, Gate, Verdicts, admit, forbidden, questions
from holdfast.remember.beside import secret_beside
from holdfast.remember.change import vectors as new_vectors
from holdfast.remember.desk import Desk
from holdfast.remember.gather import NOTHING_GATHERED, gather
from holdfast.remember.known import Standing
from holdfast.remember.lookup import known
from holdfast.remember.offer import UNSAID, Instead, Offer, Offers, given_vectors
from holdfast.remember.reconcile import reconcile
from holdfast.remember.redact import WHOLE, blacked_out, blacked_out_all
from holdfast.remember.sealing import payload, sealed
from holdfast.remember.working import TURN, expire_older
from holdfast.remember.writing import filled, forbid, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.model.draft import Draft
    from holdfast.model.plan import Job, Plan
    from holdfast.ports.judge import Judge, Sensitivity
    from holdfast.remember.admit import Admission
    from holdfast.remember.gather import Gathered
    from holdfast.remember.known import Case, Ruling
    from holdfast.scope import Scope

# A ledger entry names so many different reasons; a batch of thousands has few more.
REASONS_MOST = 20


def remember(
    scope: Scope, drafts: Sequence[Draft], *, verb: str = "remember", instead: Instead = UNSAID
) -> list[Outcome]:
    """One Outcome a draft, in order; all of it in one commit, or nothing."""
    if not drafts:
        scope.require("remember")
        return []
    now = scope.clock.now()
    at = max(draft.at or now for draft in drafts)
    return together(scope, drafts, Also(verb=verb, at=at), instead=instead)


@dataclass(slots=True)
class More:
    """What is decided in the same plan as a batch: rulings of its own, and work for later."""

    rulings: Sequence[Ruling] = ()
    jobs: Sequence[Job] = ()


def _nothing_more(desk: Desk, rulings: Sequence[Ruling]) -> More:
    del desk, rulings
    return More()


@dataclass(frozen=True, slots=True, kw_only=True)
class Also:
    """What a batch is done under. `decide` sees the desk when the batch is decided, and may change more on
    it. A change that is named is made once: where the ledger has it already, nothing is done.
    """

    verb: str
    at: datetime
    change: str = ""
    decide: Callable[[Desk, Sequence[Ruling]], More] = _nothing_more


def together(
    scope: Scope, drafts: Sequence[Draft], also: Also, *, instead: Instead = UNSAID
) -> list[Outcome]:
    """A batch, which may be empty, and what else is decided with it, in one commit: an Outcome each."""
    scope.require("remember")
    offers = _offered(scope, drafts, scope.clock.now(), instead=instead)
    return write(scope, lambda: _decided(scope, offers, also))


def made_before(scope: Scope, change: str) -> bool:
    """Whether the ledger has that change."""
    try:
        scope.store.change(change)
    except NotFound:
        return False
    return True


def considered(scope: Scope, draft: Draft) -> tuple[Case, Desk]:
    """A draft as it would be decided on now; writes nothing."""
    offers = _offered(scope, [draft], scope.clock.now(), instead=UNSAID)
    gathered = gather(scope, offers)
    at = gathered.cases[0].admission.at
    standing = Standing(scope.space, scope.actor, scope.profile, at)
    return gathered.cases[0], Desk(gathered.stored, standing)


def _offered(scope: Scope, drafts: Sequence[Draft], now: datetime, *, instead: Instead) -> Offers:
    """The gate: what is wrong raises, what is not allowed is recorded and raises, the rest is admitted or
    not.
    """
    check.suits(drafts, scope.profile)
    given = given_vectors(drafts, scope.embedder.dimensions)
    gate = Gate(scope.actor, scope.profile, now)
    for index, draft in enumerate(drafts):
        why = forbidden(draft, gate)
        if why:
            raise forbid(scope, why, now)
        if gate.layer(draft) is Layer.CONSTITUTION:
            where = f"items[{index}].layer" if len(drafts) > 1 else "layer"
            raise InvalidInput(
                where, "is the constitution", "use constitution.propose, which asks three times"
            )
    offers = [_offer(scope, draft, gate) for draft in drafts]
    given = {place: row for place, row in given.items() if not offers[place].admission.draft.sealed}
    return Offers(offers, given, scope.judge.patient, instead=instead)


def _offer(scope: Scope, draft: Draft, gate: Gate) -> Offer:
    told = "\n".join(dict.fromkeys((draft.content, draft.entity_value, draft.label))).strip()
    asked, judge, id = questions(draft, gate), scope.judge.patient, scope.clock.new_id()
    found = _sensitivity(judge, draft, told) if "sensitivity" in asked else None
    secret = max(draft.sensitivity or 0, found.level if found else 0) >= SECRET
    judge = judge.at_once if secret else judge  # a secret is shown to no model
    verdicts = Verdicts(
        classified=judge.classify(draft.content) if "classified" in asked else None,
        sensitivity=found,
        poison=whole.poison(judge, told) if "poison" in asked else None,
        consistent=judge.consistent(draft.content) if "consistent" in asked else None,
    )
    admission, kept = admit(draft, gate, verdicts), ""
    if secret and admission.enters:
        admission = sealed(scope, id, admission, found=found)
    elif secret and admission.kept:
        admission, kept = _covered(scope, id, admission)
    draft = admission.draft
    entity = record.entity_key(draft.entity_type, draft.entity_value) if draft.entity_value else 0
    words = mark_of(draft.sealed) or record.content_key(draft.content)
    return Offer(id, admission, words, entity, kept)


def _covered(scope: Scope, id: str, a: Admission) -> tuple[Admission, str]:
    """A secret on its way to quarantine: covered there, and sealed beside."""
    draft, judge = a.draft, scope.judge.at_once
    plain = payload(draft.content, draft.entity_value, draft.metadata)
    text = scope.vault.seal(scope.store, plain, about=id, same=id)
    hidden = blacked_out_all({"session": draft.session, "metadata": draft.metadata}, judge)
    kept = WHOLE if (draft.sensitivity or 0) >= SECRET else blacked_out(draft.content, judge)
    return replace(a, draft=replace(draft, **hidden, sealed=text)), kept


def _sensitivity(judge: Judge, draft: Draft, told: str) -> Sensitivity:
    """Of its words; a secret beside them counts as one in them."""
    return secret_beside(judge, draft) or whole.sensitivity(judge, told)


def _decided(scope: Scope, offers: Offers, also: Also) -> tuple[Plan | None, list[Outcome]]:
    if also.change and made_before(scope, also.change):
        return None, []
    gathered = gather(scope, offers) if offers.all else NOTHING_GATHERED
    desk = Desk(gathered.stored, Standing(scope.space, scope.actor, scope.profile, also.at))
    rulings = reconcile(gathered.cases, desk)
    _trim(scope, gathered, desk)
    more = also.decide(desk, rulings)
    rulings = [*rulings, *more.rulings]
    plan = scope.plan(also.verb, also.at, reasons=_reasons(rulings))
    plan = replace(plan, change=also.change or plan.change, jobs=tuple(more.jobs))
    fresh = {memory.id for memory in desk.fresh()}
    vectors = {offer.id: offers.vector(place) for place, offer in enumerate(offers.all) if offer.id in fresh}
    changed = [memory for memory in desk.puts() if memory.id not in fresh]
    plan = filled(plan, scope, desk.puts(), vectors=vectors | new_vectors(scope, desk, changed))
    plan = replace(plan, captures=tuple(desk.captures), weights=tuple(desk.weights))
    if offers.all:
        plan = replace(plan, seen=gathered.sequence)
    return plan, [_outcome(ruling, desk, offers=offers, change=plan.change) for ruling in rulings]


def _trim(scope: Scope, gathered: Gathered, desk: Desk) -> None:
    """Working memory keeps its newest; the older leave with the same commit (P2)."""
    fresh = [memory for memory in desk.fresh() if memory.layer is Layer.SESSION]
    leaving = len(gathered.working) + len(fresh) - scope.profile.session.keep
    if leaving > 0:
        missing = [id for id in gathered.working[:leaving] if desk.get(id) is None]
        for memory in known(scope, missing).values():
            desk.take(memory)
        oldest = [desk.need(id) for id in gathered.working[:leaving]] + fresh
        if scope.profile.converse.episodes:  # those of a conversation are told in an episode first (C1)
            oldest = [memory for memory in oldest if memory.source != TURN]
        expire_older(desk, oldest, leaving)


def _outcome(ruling: Ruling, desk: Desk, *, offers: Offers, change: str) -> Outcome:
    memory = desk.get(ruling.memory) if ruling.memory else None
    reasons = ruling.reasons
    if offers.late and memory is not None and ruling.decision is not Decision.REINFORCED:
        reasons = (*reasons, f"found by its words until it is embedded: {offers.late}")
    return Outcome(
        decision=ruling.decision,
        memory=memory,
        reasons=reasons,
        touched=tuple(dict.fromkeys(ruling.touched)),
        change=change,
        conflicts=ruling.conflicts,
        capture=ruling.capture,
    )


def _reasons(rulings: Sequence[Ruling]) -> tuple[str, ...]:
    """What the ledger says: decisions and why, counted, without a word of what was said."""
    told = Counter(f"{r.decision}: {r.note}" if r.note else str(r.decision) for r in rulings)
    counted = [f"{why} × {count}" if count > 1 else why for why, count in told.most_common(REASONS_MOST)]
    more = len(told) - len(counted)
    return (*counted, f"and {more} more") if more > 0 else tuple(counted)
