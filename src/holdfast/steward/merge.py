"""What says the same often enough becomes one summary (E9). Pure.

The summary is a memory of its own, as active as the one activated last (the base). Each of the others keeps
its words and a reference to it; one change does all of it, so that none retires without the summary (B10).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer, Level
from holdfast.model.memory import RECENT_KEPT
from holdfast.model.status import Mark, Status, change
from holdfast.steward.matrix import SEALED_FROM, Action, on_batch
from holdfast.steward.steps import Step
from holdfast.steward.weighing import is_protected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "merge"
MERGE_CLEANUP = "merge_cleanup"  # the policy that put a merged memory away (E16)
STANDING = frozenset({Status.ACTIVE, Status.REVIEW})


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """The base of a batch and the others, each with its similarity to it; those only that the judge called
    the same, or finer.
    """

    base: Memory
    others: tuple[tuple[Memory, float], ...]

    @property
    def all(self) -> tuple[Memory, ...]:
        """Oldest first."""
        members = (self.base, *(memory for memory, _ in self.others))
        return tuple(sorted(members, key=lambda memory: (memory.created_at, memory.id)))


def mergeable(memory: Memory, profile: Profile) -> bool:
    """Whether it may be merged: not what is protected, verified, taken back, in doubt or sensitive, nor an
    entity, whose value is what it is.
    """
    return (
        memory.layer is Layer.FACT
        and memory.status in STANDING
        and memory.level in (Level.FULL, Level.SUMMARY)
        and memory.sensitivity < min(profile.compress.keep_from, SEALED_FROM)
        and not memory.marks & {Mark.NEGATED}
        and not is_protected(memory)
        and not memory.verified
        and not memory.entity_type
        and not memory.conflicts_with
        and memory.uncertain_since is None
        and memory.expires_at is None
    )


def enough(group: Alike, profile: Profile) -> bool:
    """Whether the table says that the batch is summarised (E21). What is a summary already does not count, so
    that one run leaves nothing for the next.
    """
    new = [(memory, likeness) for memory, likeness in group.others if not memory.merged_from]
    spare = 1 if group.base.merged_from else 0
    return on_batch(group.base, new[spare:], profile) is Action.SUMMARISE


def merged(group: Alike, summary: str, profile: Profile, *, id: str, at: datetime) -> Step | None:
    """A new memory in place of all of them, as active as the base was; None where they are not enough."""
    if not summary.strip() or not enough(group, profile):
        return None
    base, known = group.base, group.all
    recent = sorted(time for memory in known for time in memory.recent_mentions)
    one = replace(
        base,
        id=id,
        version=1,
        content=summary,
        level=Level.SUMMARY,
        updated_at=max(at, base.created_at),
        mentions=sum(memory.mentions for memory in known),
        recent_mentions=tuple(recent[-RECENT_KEPT:]),
        access_count=sum(memory.access_count for memory in known),
        merged_from=tuple(memory.id for memory in known),
        originals={},
        compressed_from="",
        corrections=(),
        said=(),
        tags=tuple(dict.fromkeys(tag for memory in known for tag in memory.tags)),
        sensitivity=max(memory.sensitivity for memory in known),
        confidence=max(memory.confidence for memory in known),
        importance=max(memory.importance for memory in known),
        sources=_joined(known),
        valid_from=min(memory.valid_from or memory.created_at for memory in known),
    )
    why = f"{len(known)} memories say the same: one summary"
    return Step(rule=RULE, what="merge", memory=id, why=why, puts=(one, *(_gone(old, id) for old in known)))


def _gone(memory: Memory, into: str) -> Memory:
    return replace(
        memory,
        status=change(memory.status, Status.MERGED),
        merged_into=into,
        deletion=MERGE_CLEANUP,
        reason="merged into one summary",
    )


def _joined(known: Iterable[Memory]) -> dict[str, float]:
    """What each source was surest of (A2)."""
    sources: dict[str, float] = {}
    for memory in known:
        for source, sure in memory.sources.items():
            sources[source] = max(sure, sources.get(source, 0.0))
    return sources
