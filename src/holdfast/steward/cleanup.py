"""What was deleted long enough ago is gone for good; old archives are deleted where asked for (E16). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.status import Status, change
from holdfast.steward.purge import AUTO_CLEANUP, purged_by
from holdfast.steward.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

RULE = "purge"


def cleaned(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """A purge for what is due; an old archive is deleted like anything else: hidden, and gone later."""
    steps = []
    for memory in memories:
        policy = purged_by(memory, at, profile) if memory.content else ""
        if not policy:
            continue
        if memory.status is Status.DELETED:
            why = f"{policy}: deleted {profile.retention.deleted_days:g} days ago and more"
            steps.append(Step(rule=RULE, what="purge", memory=memory.id, why=why, purge=True))
        else:
            steps.append(_deleted(memory, at, profile))
    return steps


def _deleted(memory: Memory, at: datetime, profile: Profile) -> Step:
    why = f"{AUTO_CLEANUP}: archived for {profile.retention.archived_days:g} days"
    put = replace(
        memory,
        status=change(memory.status, Status.DELETED),
        deleted_at=at,
        deletion=AUTO_CLEANUP,
        reason=why,
    )
    return Step(rule=RULE, what="delete", memory=memory.id, why=why, puts=(put,))
