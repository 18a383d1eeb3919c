"""What a person is asked today: facts whose confidence has faded (M4), entries of the constitution to be
looked at again (M2). Pure. Asking writes nothing: a question stands until it is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.steward.steps import Step
from holdfast.steward.verify import to_verify
from holdfast.steward.weighing import confidence_now

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

VERIFY, RECHECK = "verify", "recheck"


def asked(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """So many a day at most, most used first (M4)."""
    return [
        Step(
            rule=VERIFY,
            what="ask",
            memory=memory.id,
            why=f"confidence {confidence_now(memory, at, profile):.2f}: is it still so?",
        )
        for memory in to_verify(memories, at, profile)
    ]


def rechecked(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Step]:
    """Entries that were created or changed, from the next day on until somebody says that they hold."""
    del profile
    due = [
        memory
        for memory in memories
        if memory.layer is Layer.CONSTITUTION
        and memory.status in (Status.ACTIVE, Status.REVIEW)
        and memory.due_at is not None
        and memory.due_at <= at
    ]
    why = "written or changed lately: does it still hold?"
    return [Step(rule=RECHECK, what="ask", memory=memory.id, why=why) for memory in due]
