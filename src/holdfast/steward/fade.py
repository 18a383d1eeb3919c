"""What has no importance left is deleted, softly: faded facts, episodes nobody touched (C2, C5). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status, change
from holdfast.steward.decay import Fate, fate
from holdfast.steward.purge import AUTO_CLEANUP
from holdfast.steward.steps import Step
from holdfast.steward.weighing import days_between, importance_now, is_protected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "fade"
BY_IMPORTANCE = "importance"  # the one formula under which what has faded is deleted (C5)
FADING = frozenset({Status.ACTIVE, Status.REVIEW})


def faded(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """Core and system stay whatever happens."""
    steps = []
    for memory in memories:
        why = _why(memory, at, profile)
        if why:
            steps.append(_deleted(memory, at, why))
    return steps


def _why(memory: Memory, at: datetime, profile: Profile) -> str:
    if memory.status not in FADING or memory.layer not in (Layer.FACT, Layer.EPISODE):
        return ""
    days = profile.retention.episode_days
    if memory.layer is Layer.EPISODE and days > 0 and not is_protected(memory):
        touched = max(memory.accessed_at or memory.created_at, memory.last_activated_at)
        if days_between(touched, at) >= days:
            return f"an episode nobody touched for {days:g} days"
    if profile.salience.formula != BY_IMPORTANCE or fate(memory, at, profile) is not Fate.DELETE:
        return ""
    return f"importance {importance_now(memory, at, profile):.2f} is under {profile.salience.delete_below:g}"


def _deleted(memory: Memory, at: datetime, why: str) -> Step:
    put = replace(
        memory,
        status=change(memory.status, Status.DELETED),
        deleted_at=at,
        deletion=AUTO_CLEANUP,
        reason=why,
    )
    return Step(rule=RULE, what="delete", memory=memory.id, why=why, puts=(put,))
