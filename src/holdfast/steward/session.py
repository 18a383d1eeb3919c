"""The end of working memory (M6): after its hours it goes to cold storage, or is removed. Pure.

In cold storage a memory keeps its words, but no vector and no index of words: it is found by its time, and
wakes when it is restored.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer, Level
from holdfast.model.status import Status, change
from holdfast.steward.purge import AUTO_CLEANUP
from holdfast.steward.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "session"
ENDED_FROM = frozenset({Status.ACTIVE, Status.REVIEW, Status.EXPIRED})


def ended(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """A step for every entry whose hours are over."""
    end = _cold if profile.session.cold else _removed
    return [end(memory, at) for memory in memories if _over(memory, at, profile)]


def _over(memory: Memory, at: datetime, profile: Profile) -> bool:
    if memory.layer is not Layer.SESSION or memory.status not in ENDED_FROM:
        return False
    return at >= (memory.expires_at or memory.created_at + timedelta(hours=profile.session.hours))


def _cold(memory: Memory, at: datetime) -> Step:
    del at
    put = replace(
        memory,
        status=change(memory.status, Status.ARCHIVED),
        level=Level.ARCHIVE,
        reason="working memory ended",
    )
    why = "its hours are over: to cold storage"
    return Step(rule=RULE, what="cold", memory=memory.id, why=why, puts=(put,), bare=(memory.id,))


def _removed(memory: Memory, at: datetime) -> Step:
    put = replace(
        memory,
        status=change(memory.status, Status.DELETED),
        deleted_at=at,
        deletion=AUTO_CLEANUP,
        reason="working memory ended",
    )
    why = "its hours are over: removed"
    return Step(rule=RULE, what="remove", memory=memory.id, why=why, puts=(put,))
