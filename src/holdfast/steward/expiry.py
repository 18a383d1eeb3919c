"""What has passed its own end is expired, and archived later (M3). Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status, change
from holdfast.steward.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "expire"
LAYERS = frozenset({Layer.FACT, Layer.EPISODE})
STANDING = frozenset({Status.ACTIVE, Status.REVIEW})


def expired(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """What waits for a person goes on waiting."""
    steps = [_step(memory, at, profile) for memory in memories if memory.layer in LAYERS]
    return [step for step in steps if step is not None]


def _step(memory: Memory, at: datetime, profile: Profile) -> Step | None:
    days = profile.retention.expired_days
    if memory.status in STANDING and memory.expires_at is not None and memory.expires_at <= at:
        long = days > 0 and memory.expires_at + timedelta(days=days) <= at
        return _archived(memory, days) if long else _expired(memory)
    past = memory.status is Status.EXPIRED and days > 0
    return _archived(memory, days) if past and memory.updated_at + timedelta(days=days) <= at else None


def _expired(memory: Memory) -> Step:
    put = replace(memory, status=change(memory.status, Status.EXPIRED), reason="its own end has passed")
    return Step(rule=RULE, what="expire", memory=memory.id, why="its own end has passed", puts=(put,))


def _archived(memory: Memory, days: float) -> Step:
    why = f"expired for {days:g} days"
    put = replace(memory, status=change(memory.status, Status.ARCHIVED), reason=why)
    return Step(rule=RULE, what="archive", memory=memory.id, why=why, puts=(put,))
