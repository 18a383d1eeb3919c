"""Working memory keeps its newest (P2, M6). Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.status import Status, change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.model.memory import Memory
    from holdfast.remember.desk import Desk

TURN = "conversation"
"""The source of what `converse` records and makes."""


def expire_older(desk: Desk, candidates: Sequence[Memory], leaving: int) -> None:
    """The oldest of the candidates leave; of equal age, the one made first."""
    for memory in sorted(candidates, key=lambda memory: (memory.created_at, memory.id))[:leaving]:
        gone = replace(
            memory, status=change(memory.status, Status.EXPIRED), reason="newer working memory came in"
        )
        desk.change(gone, desk.standing.now)
