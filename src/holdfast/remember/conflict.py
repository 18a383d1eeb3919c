"""What becomes of an old memory and a new one that cannot both be so. Pure.

A rule, chosen by its name in the profile, names an effect; an effect changes the old memory. Whoever may not
retire the old one, or is not sure enough, gets `wait`: both are kept, and a person is asked (M9, A3, B10).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.actor import Role
from holdfast.model.status import Status, change
from holdfast.ports.judge import Relation
from holdfast.remember.known import Dispute, protected
from holdfast.steward import salience
from holdfast.steward.salience import Action, State

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.ports.judge import Related
    from holdfast.profile.schema import Profile
    from holdfast.remember.admit import Admission
    from holdfast.remember.known import Standing

WAIT = "wait"
SUPERSEDE = "supersede"


def doubt_of(old: Memory, standing: Standing) -> str:
    """Why this actor may not take a memory's place; empty where it may."""
    actor = standing.actor
    if actor.role in (Role.AGENT, Role.SYSTEM) and protected(old):
        return f"it is {protected(old)}: only a person replaces it"
    if actor.role in standing.profile.admit.graded and _by_person(old):
        return "a person said it: only a person replaces it"
    return ""


def _by_person(memory: Memory) -> bool:
    return memory.author.partition(":")[0] in (Role.OWNER, Role.USER)


def effect_of(dispute: Dispute, admission: Admission, standing: Standing) -> tuple[str, str]:
    """The name of the effect, and why."""
    why = doubt_of(dispute.old, standing)
    if why:
        return WAIT, why
    if dispute.explicit:
        return Action.NEGATE, "taken back"
    policy = standing.profile.reconcile
    if not dispute.entity and dispute.related.confidence < policy.judge_confidence:
        unsure = f"the judge is not sure that it {_says(dispute)}"
        return (
            WAIT if standing.profile.admit.graded and not standing.actor.is_person else Action.BALANCE
        ), unsure
    return RULES[policy.conflict](dispute, admission, standing)


def _says(dispute: Dispute) -> str:
    return (
        "negates what was known" if dispute.related.label is Relation.NEGATES else "corrects what was known"
    )


# --- rules: how a profile settles a conflict -----------------------------------------------------


def _strategy(dispute: Dispute, admission: Admission, standing: Standing) -> tuple[str, str]:
    """E11: by the kind of the old memory; a correction that is not sure leaves both alive."""
    name = salience.strategy(dispute.old.kind, admission.confidence, standing.profile)
    if name is not State.WEIGHT_BALANCE and dispute.related.label is Relation.NEGATES:
        return salience.on_negation(dispute.old), "it takes back what was known"
    effect = salience.on_correction(dispute.old, admission.confidence, standing.profile)
    return effect, f"it corrects what was known ({dispute.old.kind}: {name})"


def _verified(dispute: Dispute, admission: Admission, standing: Standing) -> tuple[str, str]:
    """M9: verified later than the old one, and it takes its place. What an owner says is verified by being
    said.
    """
    old = dispute.old
    if standing.actor.role is not Role.OWNER:
        return WAIT, "it was not verified after what it contradicts: a person decides"
    known = old.verified_at or (old.created_at if old.author.startswith(f"{Role.OWNER}:") else None)
    if known is not None and admission.at <= known:
        return WAIT, "what it contradicts was verified later: a person decides"
    return _sort(dispute), "it was verified later than what it replaces"


def _confidence(dispute: Dispute, admission: Admission, standing: Standing) -> tuple[str, str]:
    """A3: the surer one stands."""
    del standing
    new, old = admission.confidence, dispute.old.confidence
    if new > old:
        return _sort(dispute), f"confidence {new:g} is above {old:g}"
    return WAIT, f"confidence {new:g} is not above {old:g}: a person decides"


def _sort(dispute: Dispute) -> str:
    return Action.NEGATE if dispute.related.label is Relation.NEGATES else SUPERSEDE


Rule = Callable[[Dispute, "Admission", "Standing"], tuple[str, str]]
RULES: dict[str, Rule] = {"strategy": _strategy, "verified": _verified, "confidence": _confidence}
"""The names of `schema.CONFLICT_RULES`."""


# --- effects: what becomes of the old memory -----------------------------------------------------


def _negated(old: Memory, new: Memory, at: datetime, *, profile: Profile) -> Memory:
    """E8: taken back. It keeps its status, so that it can be said again (E3)."""
    return salience.negate(old, at, profile, content=new.content, by=new.author)


def _expired(old: Memory, new: Memory, at: datetime, *, profile: Profile) -> Memory:
    return _followed(salience.correct(old, at, profile, content=new.content, by=new.author), new)


def _superseded(old: Memory, new: Memory, at: datetime, *, profile: Profile) -> Memory:
    """A3, M9: kept as the version before."""
    status = change(old.status, Status.SUPERSEDED)
    return replace(_expired(old, new, at, profile=profile), status=status)


def _versioned(old: Memory, new: Memory, at: datetime, *, profile: Profile) -> Memory:
    return _followed(salience.version_kept(old, at, profile, content=new.content, by=new.author), new)


def _balanced(old: Memory, new: Memory, at: datetime, *, profile: Profile) -> Memory:
    conflicts = tuple(dict.fromkeys((*old.conflicts_with, new.id)))
    return replace(salience.balanced(old, at, profile), conflicts_with=conflicts)


def _followed(old: Memory, new: Memory) -> Memory:
    return replace(old, superseded_by=new.id)


Effect = Callable[..., "Memory"]  # (old, new, at, *, profile)
EFFECTS: dict[str, Effect] = {
    Action.NEGATE: _negated,
    SUPERSEDE: _superseded,
    Action.EXPIRE: _expired,
    Action.VERSION: _versioned,
    Action.BALANCE: _balanced,
}
"""What the matrix answers to a negation or a correction, and what no strategy names."""

RETIRING = frozenset(EFFECTS) - {Action.BALANCE}
"""Effects that take the old memory out of normal recall."""


def settled_by_person(old: Memory, related: Related, profile: Profile) -> str:
    """The effect on an old memory where a person approved what contradicts it: nothing is left to wait
    for.
    """
    if related.label is Relation.NEGATES:
        return Action.NEGATE
    if profile.reconcile.conflict == "strategy":
        effect = salience.on_correction(old, 1.0, profile)
        return effect if effect in RETIRING else SUPERSEDE
    return SUPERSEDE
