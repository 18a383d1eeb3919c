"""Second step of the way in: may this draft enter, as what, and does it wait for a person? Pure.

The judge's verdicts are handed in (`store` asks for those that `questions` names). What is turned away says
why and is kept in quarantine. A secret enters like anything else and is sealed afterwards (`sealing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.model.actor import Actor, Role
from holdfast.model.layer import Decision, Layer, Priority
from holdfast.model.status import Mark, Status

if TYPE_CHECKING:
    from holdfast.model.draft import Draft
    from holdfast.ports.judge import Classified, Sensitivity, Verdict
    from holdfast.profile.schema import Profile

SECRET = 3  # E14
AGENT_CONFIDENCE = 0.5  # behaviour.md, Confidence unsaid
SAFE_WORDING = "say it without the secret, or say sensitivity=2 where it is none"
# Kinds whose statements fill no single-valued slot; where one of them is told, the judge need not look for
# one.
SLOTLESS = frozenset(
    {"event", "temporary", "note", "discovery", "decision", "bugfix", "refactor", "interest"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What the judge said of a draft; None where it was not asked."""

    classified: Classified | None = None
    sensitivity: Sensitivity | None = None
    poison: Verdict | None = None
    consistent: Verdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """What a draft is let in as. `fate` is ACCEPTED, PENDING, LOGGED or REFUSED, before anything known is
    looked at.

    `kept` says that what was not let in goes to quarantine. `note` is the reason without any of the words
    said, fit for the ledger.
    """

    draft: Draft
    fate: Decision
    reasons: tuple[str, ...]
    note: str = ""
    kept: bool = False
    at: datetime
    layer: Layer = Layer.FACT
    kind: str = "fact"
    status: Status = Status.ACTIVE
    marks: frozenset[Mark] = frozenset()
    confidence: float = 1.0
    priority: Priority = Priority.MEDIUM
    sensitivity: int = 0
    importance: float = 1.5
    tags: tuple[str, ...] = ()
    slot: str = ""
    expires_at: datetime | None = None

    @property
    def enters(self) -> bool:
        """Whether it becomes a memory, now or when a person says so."""
        return self.fate in (Decision.ACCEPTED, Decision.PENDING)


@dataclass(frozen=True, slots=True)
class Gate:
    """Who asks for admission, under which policy, when."""

    actor: Actor
    profile: Profile
    now: datetime
    graded: bool = field(init=False)
    waits: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "graded", self.actor.role in self.profile.admit.graded)
        object.__setattr__(self, "waits", self.actor.role in self.profile.admit.waiting)

    def layer(self, draft: Draft) -> Layer:
        return Layer(draft.layer or self.profile.default_layer)


def forbidden(draft: Draft, gate: Gate) -> str:
    """Why this actor may not write to that layer at all; empty where it may."""
    layer = gate.layer(draft)
    if layer is Layer.CONSTITUTION:
        return "" if gate.actor.role is Role.OWNER else "only an owner writes the constitution"
    if gate.actor.role is Role.AGENT and layer is not Layer.QUARANTINE:
        allowed = gate.profile.admit.agent_layers
        return (
            ""
            if layer in allowed
            else f"an agent may not write to the {layer} layer; it may to {_or(allowed)}"
        )
    return ""


def questions(draft: Draft, gate: Gate) -> frozenset[str]:
    """Which verdicts admission needs: fields of `Verdicts`. A judge may be slow, so nothing is asked in
    vain.
    """
    policy, layer = gate.profile.admit, gate.layer(draft)
    asked = set()
    if draft.sensitivity is None or not gate.actor.is_person:
        asked.add("sensitivity")
    if layer is Layer.QUARANTINE:
        return frozenset(asked)
    if policy.poison:
        asked.add("poison")
    if layer is Layer.SESSION and gate.profile.session.consistent:
        asked.add("consistent")
    unsaid = draft.kind is None and policy.classify
    disguised = gate.graded and bool(policy.waiting_kinds)
    slotted = layer is Layer.FACT and not draft.entity_type and draft.kind not in SLOTLESS and policy.classify
    tagless = layer is Layer.FACT and not draft.tags and not draft.entity_type and policy.classify  # C8
    if unsaid or disguised or slotted or tagless:
        asked.add("classified")
    return frozenset(asked)


def admit(draft: Draft, gate: Gate, verdicts: Verdicts) -> Admission:
    """The doors in order: quarantine, poison, the gate of working memory, grades."""
    admission = _described(draft, gate, verdicts)
    for door in (_quarantined, _poisoned, _working, _graded):
        turned = door(admission, gate, verdicts)
        if turned is not None:
            return turned
    return admission


def _described(draft: Draft, gate: Gate, verdicts: Verdicts) -> Admission:
    """The draft with everything unsaid filled in, as if it were let in."""
    layer, classified, at = gate.layer(draft), verdicts.classified, draft.at or gate.now
    detected = verdicts.sensitivity.level if verdicts.sensitivity else 0
    unsure = AGENT_CONFIDENCE if not gate.actor.is_person else 1.0
    expires = draft.expires_at
    if expires is None and layer is Layer.SESSION:
        expires = at + timedelta(hours=gate.profile.session.hours)
    importance = gate.profile.salience.importance if draft.importance is None else draft.importance
    core = importance >= gate.profile.salience.core_at and gate.actor.role is not Role.AGENT
    return Admission(
        draft=draft,
        fate=Decision.ACCEPTED,
        reasons=(),
        at=at,
        layer=layer,
        kind=_kind(draft, gate, classified),
        marks=frozenset({Mark.CORE}) if core and layer is Layer.FACT else frozenset(),
        confidence=unsure if draft.confidence is None else draft.confidence,
        priority=Priority(draft.priority) if draft.priority else Priority.MEDIUM,
        sensitivity=max(draft.sensitivity or 0, detected),
        importance=importance,
        tags=draft.tags or (classified.tags if classified else ()),
        slot=(classified.slot or "") if classified and layer is Layer.FACT else "",
        expires_at=expires,
    )


def _kind(draft: Draft, gate: Gate, classified: Classified | None) -> str:
    if draft.kind is not None:
        return draft.kind
    found = classified.kind if classified else ""
    return found if found in gate.profile.kinds else gate.profile.default_kind


Door = Callable[[Admission, Gate, Verdicts], "Admission | None"]


def _quarantined(a: Admission, gate: Gate, verdicts: Verdicts) -> Admission | None:
    del gate, verdicts
    if a.layer is not Layer.QUARANTINE:
        return None
    return turned(a, "raw output: kept in quarantine, never recalled", fate=Decision.LOGGED)


def _poisoned(a: Admission, gate: Gate, verdicts: Verdicts) -> Admission | None:
    del gate
    if verdicts.poison is None or not verdicts.poison.holds:
        return None
    why = "it gives orders to whoever reads it, so it is kept in quarantine and not trusted"
    return turned(a, why, more=verdicts.poison.reasons)


def _working(a: Admission, gate: Gate, verdicts: Verdicts) -> Admission | None:
    """The gate of working memory (P2). The document's code counts bytes of UTF-8."""
    if a.layer is not Layer.SESSION:
        return None
    policy, stated = gate.profile.session, a.draft.confidence
    if stated is not None and stated < policy.min_confidence:
        return turned(a, f"its confidence {stated:g} is under {policy.min_confidence:g} for working memory")
    size = len(a.draft.content.encode()) if policy.min_bytes else 0
    if size < policy.min_bytes:
        return turned(a, f"its {size} bytes are under {policy.min_bytes} for working memory")
    if verdicts.consistent is not None and not verdicts.consistent.holds:
        return turned(a, "it contradicts itself", more=verdicts.consistent.reasons)
    return None


def _graded(a: Admission, gate: Gate, verdicts: Verdicts) -> Admission | None:
    """M3. Working memory is a record of what was said, not a claim: it has its own gate and is not graded."""
    if a.layer is Layer.SESSION:
        return None
    if gate.graded:
        return _by_grade(a, gate, verdicts)
    if gate.waits:
        return _pending(a, f"what {gate.actor.role}s write waits for a person")
    return _pending(a, "approval was asked for") if a.draft.requires_approval else None


def _by_grade(a: Admission, gate: Gate, verdicts: Verdicts) -> Admission | None:
    policy, sure = gate.profile.admit, a.confidence
    if sure < policy.pending:
        return LOW[policy.low](a, f"confidence {sure:g} is under {policy.pending:g}")
    kinds = {a.kind, verdicts.classified.kind if verdicts.classified else a.kind}
    waiting = sorted(kinds.intersection(policy.waiting_kinds))
    if waiting:
        return _pending(a, f"{waiting[0]} facts from {gate.actor.role}s wait for a person")
    if gate.waits or a.draft.requires_approval:
        return _pending(a, "approval was asked for")
    if sure < policy.accept:
        return _pending(a, f"confidence {sure:g} is from {policy.pending:g} to under {policy.accept:g}")
    marks = a.marks | {Mark.AUTO_APPROVED} if policy.auto_approved else a.marks
    reason = f"confidence {sure:g} is {policy.accept:g} or more" + (
        ": approved by grade" if marks != a.marks else ""
    )
    return replace(a, marks=marks, reasons=(reason,), note="approved by grade")


def _logged(a: Admission, why: str) -> Admission:
    return turned(a, f"{why}: logged only", fate=Decision.LOGGED)


def _pending(a: Admission, why: str) -> Admission:
    return replace(a, fate=Decision.PENDING, status=Status.PENDING, reasons=(why,), note=why)


def _accepted(a: Admission, why: str) -> Admission:
    return replace(a, reasons=(f"{why}, which this profile lets in",), note=why)


LOW: dict[str, Callable[[Admission, str], Admission]] = {
    "logged": _logged,
    "pending": _pending,
    "accepted": _accepted,
}
"""What becomes of a graded write below `pending`: the names of `schema.LOW_GRADES`."""


def turned(
    a: Admission,
    why: str,
    *,
    fate: Decision = Decision.REFUSED,
    kept: bool = True,
    more: tuple[str, ...] = (),
) -> Admission:
    """Not let in, and why; `kept` in quarantine, or nowhere."""
    return replace(a, fate=fate, reasons=(why, *more), note=why, kept=kept)


def _or(names: tuple[str, ...]) -> str:
    return " or ".join(names) or "none"
