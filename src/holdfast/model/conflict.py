"""A conflict between a new value and a stored one, as `detect_conflicts` reports it (A3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.model.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConflict:
    """Storing `value` would meet `memory`; `resolution` says what would become of the two."""

    memory: Memory
    value: str
    confidence: float
    similarity: float
    resolution: str  # the effect: supersede, latest_wins, version_keep, weight_balance, negate, wait
    reasons: tuple[str, ...] = ()
