"""The weight of a memory at a time: what it is made of (`Traces`), by which formula, and the line of the log.

Pure. Recall makes `Traces` of whole columns and asks the same `weigh`; here they are made of one memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.plan import WeightChange
from holdfast.model.status import Mark
from holdfast.steward import formulas
from holdfast.steward.formulas import NEVER, Figure

if TYPE_CHECKING:
    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile, Salience

DECIMALS = 4  # of the weight log, as the document's example has them (E17)

# A weight, and the factors it is the product of, under the names of E17.
Weighed = tuple[Figure, Mapping[str, Figure]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What a weight is made of, at one time; each a number, or a column of them."""

    kind: Figure  # importance I of the kind
    active_days: Figure = 0.0  # since last activated
    boost: Figure = 0.0
    mention_days: Figure = NEVER
    recent: Figure = 0  # mentions in the last days (E4)
    momentum: Figure = 0.0  # what frequent mentions add now (E7)
    negated: Figure = False
    reaffirmed_days: Figure = NEVER
    uncertain_days: Figure = NEVER
    cap: Figure = NEVER
    importance: Figure = 1.5
    access_days: Figure = 0.0  # since anybody touched it (C5)
    episode: Figure = False
    protected: Figure = False  # core, system or promoted


def weigh(traces: Traces, salience: Salience) -> Weighed:
    """By the formula that the profile names."""
    return FORMULAS[salience.formula](traces, salience)


def weight(memory: Memory, at: datetime, profile: Profile) -> tuple[float, Mapping[str, float]]:
    """W at a time and its factors. The constitution never decays: its weight is 1 (M1)."""
    if memory.layer is Layer.CONSTITUTION:
        return 1.0, {}
    return weigh(traces(memory, at, profile), profile.salience)


def traces(memory: Memory, at: datetime, profile: Profile) -> Traces:
    """What there is to weigh of one memory at a time."""
    until = memory.momentum_until
    return Traces(
        kind=kind_weight(memory.kind, profile),
        active_days=days_between(memory.last_activated_at, at),
        boost=memory.boost,
        mention_days=_days(memory.mentioned_at, at),
        recent=recent_mentions(memory, at, profile.salience),
        momentum=memory.momentum if until is not None and at <= until else 0.0,
        negated=Mark.NEGATED in memory.marks,
        reaffirmed_days=_days(memory.reaffirmed_at, at),
        uncertain_days=_days(memory.uncertain_since, at),
        cap=NEVER if memory.weight_cap is None else memory.weight_cap,
        importance=memory.importance,
        access_days=days_between(max(memory.accessed_at or memory.created_at, memory.last_activated_at), at),
        episode=memory.layer is Layer.EPISODE,
        protected=is_protected(memory),
    )


def is_protected(memory: Memory) -> bool:
    """Core (by mark or promotion) or system: its importance never fades (C5)."""
    return bool(memory.marks & {Mark.CORE, Mark.SYSTEM}) or memory.promoted_at is not None


def kind_weight(kind: str, profile: Profile) -> float:
    """I of a kind; a kind the profile no longer has weighs what the kind of the unsaid does."""
    return profile.kinds.get(kind, profile.kinds[profile.default_kind])


def recent_mentions(memory: Memory, at: datetime, salience: Salience) -> int:
    """How many mentions E4 counts: those of the last three days. Its creation is none."""
    since = at - timedelta(days=salience.recent_days)
    return sum(mention >= since for mention in memory.recent_mentions)


def days_between(then: datetime, at: datetime) -> float:
    """Days since then, never below 0."""
    return max(0.0, (at - then).total_seconds() / formulas.SECONDS_A_DAY)


def confidence_now(memory: Memory, at: datetime, profile: Profile) -> float:
    """M4: the stored confidence, faded since it was verified, or since it was written where it never was."""
    since = days_between(memory.verified_at or memory.created_at, at)
    return float(formulas.confidence(memory.confidence, since, profile.salience))


def needs_verification(memory: Memory, at: datetime, profile: Profile) -> bool:
    """M4: whether a person should look again. It changes label and order, not whether it is recalled."""
    marked = Mark.NEEDS_VERIFICATION in memory.marks
    return marked or confidence_now(memory, at, profile) < profile.salience.verify_below


def importance_now(memory: Memory, at: datetime, profile: Profile) -> float:
    """C5: the stored importance, faded since anybody touched it."""
    return float(_by_importance(traces(memory, at, profile), profile.salience)[0])


def heat(memory: Memory, relevance: float, at: datetime, *, profile: Profile) -> float:
    """A4 of one memory."""
    days = days_between(memory.updated_at, at)
    return float(formulas.heat(relevance, memory.access_count, days, recall=profile.recall))


def weight_change(old: Memory, new: Memory, at: datetime, *, reason: str, profile: Profile) -> WeightChange:
    """The line of the weight log (E17): both weights at the same moment, with the factors of the new one."""
    new_weight, factors = weight(new, at, profile)
    return WeightChange(
        memory=new.id,
        at=at,
        old_weight=round(weight(old, at, profile)[0], DECIMALS),
        new_weight=round(new_weight, DECIMALS),
        reason=reason,
        factors={name: round(value, DECIMALS) for name, value in factors.items()},
    )


def _days(then: datetime | None, at: datetime) -> float:
    return NEVER if then is None else days_between(then, at)


def _by_weight(traces: Traces, salience: Salience) -> Weighed:
    """W = w_time · S · C · I · M, clamped (E1–E5)."""
    factors = factors_of(traces, salience)
    return formulas.clamped(product(factors), traces.cap, salience), factors


def factors_of(traces: Traces, salience: Salience) -> dict[str, Figure]:
    """The five factors of W, under the names of the document's weight log."""
    return {
        "time_weight": formulas.time_weight(traces.active_days, traces.kind, salience),
        "semantic_boost": formulas.semantic_boost(traces.boost, traces.mention_days, salience),
        "conflict_penalty": formulas.conflict_penalty(
            traces.negated, traces.reaffirmed_days, traces.uncertain_days, salience=salience
        ),
        "importance": traces.kind,
        "momentum": formulas.momentum(traces.recent, traces.momentum, salience),
    }


def product(factors: Mapping[str, Figure]) -> Figure:
    result: Figure = 1.0
    for value in factors.values():
        result = result * value
    return result


def _by_importance(traces: Traces, salience: Salience) -> Weighed:
    """C5: importance as it is now, which may be anything from 0 up."""
    now = formulas.importance(
        traces.importance, traces.access_days, traces.episode, protected=traces.protected, salience=salience
    )
    capped = formulas.capped(now, traces.cap)
    return capped, {"importance": traces.importance, "time_weight": _share(now, traces.importance)}


def _share(part: Figure, whole: Figure) -> Figure:
    """What is left, as a share; of nothing, all is left."""
    nothing = whole == 0
    return formulas.chosen(nothing, 1.0, part / formulas.chosen(nothing, 1.0, whole))


def _unweighed(traces: Traces, salience: Salience) -> Weighed:
    """Always 1: in the shape of what was handed in."""
    del salience
    return traces.active_days * 0.0 + 1.0, {}


FORMULAS: Mapping[str, Callable[[Traces, Salience], Weighed]] = {
    "weight": _by_weight,
    "importance": _by_importance,
    "none": _unweighed,
}
