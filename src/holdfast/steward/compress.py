"""Passive time makes a memory shorter: full → summary → trace → archive (E14, E15). Pure.

The first words stay in `originals`, so that a memory that is said again is whole again; no clock moves (E6).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer, Level
from holdfast.model.status import Status, change
from holdfast.steward.matrix import Action, next_level, on_time
from holdfast.steward.steps import NO_ANSWERS, Answers, Step
from holdfast.steward.weighing import days_between, is_protected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Compress, Profile

RULE = "compress"
LAYERS = frozenset({Layer.FACT, Layer.EPISODE})
STANDING = frozenset({Status.ACTIVE, Status.REVIEW})


def level_due(memory: Memory, at: datetime, profile: Profile) -> Level | None:
    """The level that it has come to, however long nobody looked; None where it stays as it is."""
    if memory.layer not in LAYERS or memory.status not in STANDING or is_protected(memory):
        return None
    if on_time(memory, at, profile) is not Action.COMPRESS:
        return None
    level = memory.level
    while (following := next_level(memory, at, profile, level=level)) is not None:
        level = following
    return level


def to_summarise(memory: Memory, level: Level, rules: Compress) -> tuple[str, int] | None:
    """The text to be said shorter and the length; None where it is short enough."""
    text, limit = first_words(memory), length(level, rules)
    return (text, limit) if len(text) > limit else None


def length(level: Level, rules: Compress) -> int:
    """The longest text of a level."""
    return rules.summary_chars if level is Level.SUMMARY else rules.trace_chars


def first_words(memory: Memory) -> str:
    """What was compressed, or what there is."""
    shortened = memory.compressed_from == memory.id
    return (memory.originals.get(memory.id) if shortened else "") or memory.content


def compressed(
    memories: Iterable[Memory], at: datetime, profile: Profile, *, answers: Answers = NO_ANSWERS
) -> list[Step]:
    """A step for each memory that has come to a shorter level."""
    found = ((memory, level_due(memory, at, profile)) for memory in memories)
    return [_step(memory, level, at, rules=(profile, answers)) for memory, level in found if level]


def _step(memory: Memory, level: Level, at: datetime, *, rules: tuple[Profile, Answers]) -> Step:
    profile, answers = rules
    idle = days_between(memory.last_activated_at, at)
    why = f"{memory.level} → {level}: not active for {idle:.0f} days"
    asked = to_summarise(memory, level, profile.compress)
    words = first_words(memory)
    short = answers.summary(memory.id, asked[1], asked[0]) if asked else words
    put = replace(
        memory,
        level=level,
        content=short,
        originals={**memory.originals, memory.id: words} if short != words else memory.originals,
        compressed_from=memory.id,
    )
    if level is Level.ARCHIVE:
        put = replace(put, status=change(memory.status, Status.ARCHIVED), reason=why)
    return Step(rule=RULE, what=str(level), memory=memory.id, why=why, puts=(put,))


def whole(memory: Memory) -> Memory:
    """The memory in its first words, as somebody who says it again or restores it means it."""
    if memory.level is Level.FULL or memory.compressed_from != memory.id:
        return memory
    rest = {id: words for id, words in memory.originals.items() if id != memory.id}
    return replace(memory, level=Level.FULL, content=first_words(memory), originals=rest, compressed_from="")
