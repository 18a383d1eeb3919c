"""What fading importance leads to (C5, C6): nothing, a review, deletion. Pure."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.steward.weighing import importance_now, is_protected

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile


class Fate(StrEnum):
    """How a memory stands by its importance."""

    CORE = "core"
    KEPT = "kept"
    REVIEW = "review"
    DELETE = "delete"


def fate(memory: Memory, at: datetime, profile: Profile) -> Fate:
    """Core and system stay whatever happens; under 0.5 it is looked at again, under 0.3 deleted (soft)."""
    rules = profile.salience
    if is_protected(memory) or memory.importance >= rules.core_at:
        return Fate.CORE
    now = importance_now(memory, at, profile)
    if now < rules.delete_below:
        return Fate.DELETE
    return Fate.REVIEW if now < rules.review_below else Fate.KEPT
