"""Facts whose confidence has faded: which of them a person is asked to look at again today (M4). Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.steward.weighing import confidence_now, needs_verification

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile

DAY = timedelta(days=1)
ASKED_OF = frozenset({Status.ACTIVE, Status.REVIEW})


def to_verify(memories: Iterable[Memory], at: datetime, profile: Profile) -> list[Memory]:
    """Most used first, then the faintest; so many a day at most, less what was verified in the last day."""
    known = [memory for memory in memories if memory.layer is Layer.FACT and memory.status in ASKED_OF]
    done = sum(memory.verified_at is not None and at - DAY < memory.verified_at <= at for memory in known)
    room = max(0, profile.salience.verify_per_day - done)
    due = [memory for memory in known if needs_verification(memory, at, profile)]
    due.sort(key=lambda memory: (-memory.access_count, confidence_now(memory, at, profile), memory.id))
    return due[:room]
