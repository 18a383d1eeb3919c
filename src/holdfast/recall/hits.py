"""From ranked rows to hits: memories read in one call, labels that people read, explanations on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from holdfast.model.hit import Hit
from holdfast.model.status import HIDDEN_MARKS, LEVELS, RECALLED, Status
from holdfast.recall import explain
from holdfast.recall.explain import Reasons
from holdfast.recall.language import Language, spoken
from holdfast.steward.weighing import needs_verification

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.model.layer import Mode
    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile
    from holdfast.recall.choose import Chosen
    from holdfast.recall.fuse import Scores


@dataclass(frozen=True, slots=True)
class Setting:
    """Under which policy, when, in which mode and language hits are shown."""

    profile: Profile
    now: datetime
    mode: Mode
    language: Language


def cold(chosen: Chosen, scores: Scores, memories: Mapping[int, Memory], *, setting: Setting) -> list[Hit]:
    """Hits of long-term memory, the winners in order."""
    ranked = chosen.ranked
    reasons = Reasons(scores, ranked, setting.now, setting.profile)
    rows = ranked.found.rows
    hits = []
    for place in chosen.winners:
        memory = memories.get(int(rows[place]))
        if memory is not None and visible(memory, setting.mode):
            told = partial(reasons.of, place, memory)
            hits.append(Hit(memory, float(ranked.score[place]), label(memory, setting), False, told))
    return hits


def newest(memories: Sequence[Memory], setting: Setting, *, after: int) -> list[Hit]:
    """The latest facts, behind what was found (M11); places count on from `after`."""
    return [
        Hit(
            memory,
            0.0,
            label(memory, setting),
            False,
            partial(explain.latest, memory, setting.now, setting.profile, place=place),
        )
        for place, memory in enumerate(memories, after + 1)
        if visible(memory, setting.mode)
    ]


def hot(memories: Sequence[Memory], setting: Setting) -> list[Hit]:
    """Working memory: score 1.0 and its own label (P6)."""
    words = spoken(setting.profile.labels.hot, setting.language)
    return [
        Hit(memory, 1.0, words, True, partial(explain.hot, memory, setting.now, setting.profile, place=place))
        for place, memory in enumerate(memories, 1)
        if visible(memory, setting.mode)
    ]


def visible(memory: Memory, mode: Mode) -> bool:
    """Whether the memory, as it stands in the truth by now, may still be shown: forgotten is hidden at
    once.
    """
    shown = memory.status in RECALLED[mode] and memory.level in LEVELS[mode]
    return shown and not memory.marks & HIDDEN_MARKS[mode]


def label(memory: Memory, setting: Setting) -> str:
    """What stands beside a hit: its status where that is not an ordinary one, else whether it can be relied
    on.
    """
    labels = setting.profile.labels
    if memory.status not in (Status.ACTIVE, Status.REVIEW):
        return str(memory.status)
    if needs_verification(memory, setting.now, setting.profile):
        return spoken(labels.unverified, setting.language)
    return spoken(labels.verified, setting.language) if memory.verified else ""
