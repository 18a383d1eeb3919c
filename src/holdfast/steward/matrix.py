"""The decision matrix (E21): what happened to a memory, and how it stands → what is done. One table.

Pure. The way in asks it for mentions, negations and corrections, the steward for time and batches.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange
from holdfast.model.layer import Layer, Level
from holdfast.model.status import Mark
from holdfast.steward.transitions import is_frequent
from holdfast.steward.weighing import days_between, kind_weight, weight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile


class Trigger(StrEnum):
    """What happened."""

    PASSIVE_TIME = "passive_time"
    MENTION = "mention"
    FREQUENT_MENTIONS = "frequent_mentions"
    NEGATION = "negation"
    CORRECTION = "correction"
    BATCH = "batch"


class State(StrEnum):
    """How the memory (or the batch) stands when it happens."""

    LIVE = "live"
    NEGATED = "negated"
    FRESH = "fresh"  # too young or too heavy to be compressed
    DUE = "due"
    KEPT_WHOLE = "kept_whole"  # sensitive, or of the constitution: never compressed or merged
    FEW = "few"
    MANY = "many"
    LATEST_WINS = "latest_wins"
    VERSION_KEEP = "version_keep"
    WEIGHT_BALANCE = "weight_balance"


class Action(StrEnum):
    """What is done."""

    KEEP = "keep"
    COMPRESS = "compress"
    REINFORCE = "reinforce"
    MERGE = "merge"
    REAFFIRM = "reaffirm"
    NEGATE = "negate"
    EXPIRE = "expire"
    VERSION = "version"
    BALANCE = "balance"
    SUMMARISE = "summarise"


_T, _S, _A = Trigger, State, Action
MATRIX: Mapping[tuple[Trigger, State], Action] = {
    (_T.PASSIVE_TIME, _S.FRESH): _A.KEEP,
    (_T.PASSIVE_TIME, _S.DUE): _A.COMPRESS,
    (_T.PASSIVE_TIME, _S.KEPT_WHOLE): _A.KEEP,
    (_T.MENTION, _S.LIVE): _A.REINFORCE,
    (_T.MENTION, _S.NEGATED): _A.REAFFIRM,
    (_T.FREQUENT_MENTIONS, _S.LIVE): _A.MERGE,
    (_T.FREQUENT_MENTIONS, _S.NEGATED): _A.REAFFIRM,
    (_T.NEGATION, _S.LIVE): _A.NEGATE,
    (_T.NEGATION, _S.NEGATED): _A.KEEP,
    (_T.CORRECTION, _S.NEGATED): _A.KEEP,
    (_T.CORRECTION, _S.LATEST_WINS): _A.EXPIRE,
    (_T.CORRECTION, _S.VERSION_KEEP): _A.VERSION,
    (_T.CORRECTION, _S.WEIGHT_BALANCE): _A.BALANCE,
    (_T.BATCH, _S.FEW): _A.KEEP,
    (_T.BATCH, _S.MANY): _A.SUMMARISE,
    (_T.BATCH, _S.KEPT_WHOLE): _A.KEEP,
}


def decide(trigger: Trigger | str, state: State | str) -> Action:
    """What the table says; a pair it does not hold is an error, as nobody should have asked."""
    pair = (Trigger(trigger), State(state))
    if pair not in MATRIX:
        states = ", ".join(state for happened, state in MATRIX if happened is pair[0])
        raise IllegalChange(f"{pair[0]} knows no state {pair[1]}; it knows {states}")
    return MATRIX[pair]


def on_mention(memory: Memory, at: datetime, profile: Profile) -> Action:
    """Reinforce, merge where it is the third saying in a day, or bring back what was negated."""
    trigger = Trigger.FREQUENT_MENTIONS if is_frequent(memory, at, profile) else Trigger.MENTION
    return decide(trigger, _standing(memory))


def on_negation(memory: Memory) -> Action:
    """Negate, once."""
    return decide(Trigger.NEGATION, _standing(memory))


def on_correction(memory: Memory, confidence: float, profile: Profile) -> Action:
    """What the strategy of its kind does; a correction that is unsure of itself leaves both alive (E11)."""
    if Mark.NEGATED in memory.marks:
        return decide(Trigger.CORRECTION, State.NEGATED)
    return decide(Trigger.CORRECTION, strategy(memory.kind, confidence, profile))


def strategy(kind: str, confidence: float, profile: Profile) -> State:
    """Which strategy settles a correction of this kind, said with this confidence."""
    rules = profile.reconcile
    if confidence < rules.uncertain_below:
        return State.WEIGHT_BALANCE
    return State(rules.strategies.get(kind, rules.default))


def on_time(memory: Memory, at: datetime, profile: Profile) -> Action:
    """Compress what is due, keep the rest; passive work moves no clock (E6)."""
    if _kept_whole(memory, profile):
        return decide(Trigger.PASSIVE_TIME, State.KEPT_WHOLE)
    due = next_level(memory, at, profile) is not None
    return decide(Trigger.PASSIVE_TIME, State.DUE if due else State.FRESH)


def on_batch(base: Memory, alike: Sequence[tuple[Memory, float]], profile: Profile) -> Action:
    """Summarise what says the same often enough: the base, and each other with its similarity to it (E9).

    What is sensitive is not counted; a base that is, is left alone.
    """
    if _kept_whole(base, profile):
        return decide(Trigger.BATCH, State.KEPT_WHOLE)
    near = profile.reconcile.merge
    same = sum(likeness >= near and not _kept_whole(memory, profile) for memory, likeness in alike)
    return decide(Trigger.BATCH, State.MANY if same + 1 >= profile.compress.batch else State.FEW)


def next_level(memory: Memory, at: datetime, profile: Profile, *, level: Level | None = None) -> Level | None:
    """The level that passive time brings a memory to, one step at a time, or None (E15): from its own level
    or from another that it has come to.
    """
    rules, level = profile.compress, level or memory.level
    slow = rules.general_factor if memory.sensitivity == 1 else 1.0
    kind = kind_weight(memory.kind, profile)
    after, most_weight = {
        Level.FULL: (rules.summary_days * kind, None),
        Level.SUMMARY: (rules.trace_days * kind, rules.trace_weight),
        Level.TRACE: (rules.archive_days, rules.archive_weight),
        Level.ARCHIVE: (0.0, None),
    }[level]
    idle = days_between(memory.last_activated_at, at)
    if not after or idle < after * slow:
        return None
    heavy = most_weight is not None and not _light(weight(memory, at, profile)[0], level, most_weight)
    return None if heavy else _NEXT[level]


SEALED_FROM = 3  # E14

_NEXT: Mapping[Level, Level] = {
    Level.FULL: Level.SUMMARY,
    Level.SUMMARY: Level.TRACE,
    Level.TRACE: Level.ARCHIVE,
}


def _light(weight_now: float, level: Level, most_weight: float) -> bool:
    """E15: to a trace below the figure, to the archive at or below it."""
    return weight_now < most_weight if level is Level.SUMMARY else weight_now <= most_weight


def _kept_whole(memory: Memory, profile: Profile) -> bool:
    """Whatever the profile says, what is sealed has no words here that could be said shorter (E14)."""
    whole = min(profile.compress.keep_from, SEALED_FROM)
    return memory.layer is Layer.CONSTITUTION or memory.sensitivity >= whole


def _standing(memory: Memory) -> State:
    return State.NEGATED if Mark.NEGATED in memory.marks else State.LIVE
