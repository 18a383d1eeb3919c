"""The weekly review by use (A6): what is hardly used is archived, what is used but old is looked at. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status, change
from holdfast.steward.steps import Step
from holdfast.steward.weighing import days_between, is_protected

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "review"
LAYERS = frozenset({Layer.FACT, Layer.EPISODE})
NEVER = float("inf")


def reviewed(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """Core and system are left alone, and what somebody restored or changed lately."""
    steps = [_step(memory, at, profile) for memory in memories]
    return [step for step in steps if step is not None]


def _step(memory: Memory, at: datetime, profile: Profile) -> Step | None:
    rules = profile.review
    if memory.layer not in LAYERS or is_protected(memory):
        return None
    if memory.status not in (Status.ACTIVE, Status.REVIEW):
        return None
    accessed = NEVER if memory.accessed_at is None else days_between(memory.accessed_at, at)
    updated = days_between(memory.updated_at, at)
    old = rules.idle_days > 0 and days_between(memory.created_at, at) > rules.idle_days
    idle = old and memory.access_count <= min(rules.idle_accesses, rules.kept_accesses)
    if idle and min(accessed, updated) > rules.spared_days:
        return _moved(memory, Status.ARCHIVED, _told(memory, rules.idle_days))
    stale = rules.stale_days > 0 and updated > rules.stale_days and accessed <= rules.spared_days
    if stale and memory.status is Status.ACTIVE:
        why = f"not updated for {rules.stale_days:g} days, but still in use"
        return _moved(memory, Status.REVIEW, why)
    return None


def _told(memory: Memory, days: float) -> str:
    times = "once" if memory.access_count == 1 else f"{memory.access_count} times"
    return f"used {times}, and older than {days:g} days"


def _moved(memory: Memory, status: Status, why: str) -> Step:
    put = replace(memory, status=change(memory.status, status), reason=why)
    what = "archive" if status is Status.ARCHIVED else "review"
    return Step(rule=RULE, what=what, memory=memory.id, why=why, puts=(put,))
