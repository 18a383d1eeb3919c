"""When a memory is gone for good, and by which policy (E16). Pure; nothing else deletes beyond undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.steward.weighing import days_between

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

AUTO_CLEANUP = "auto_cleanup"


def purged_by(memory: Memory, at: datetime, profile: Profile) -> str:
    """The policy under which it goes now: the one that deleted it, auto_cleanup for an old archive, or empty.

    A merged memory is never purged for having been merged: its reference is kept.
    """
    rules = profile.retention
    if memory.layer is Layer.CONSTITUTION:
        return ""
    if memory.status is Status.DELETED and memory.deleted_at is not None:
        return memory.deletion if days_between(memory.deleted_at, at) > rules.deleted_days else ""
    old = memory.status is Status.ARCHIVED and days_between(memory.updated_at, at) > rules.archived_days
    return AUTO_CLEANUP if old and rules.delete_archived else ""
