"""What reconcile is told of a draft that was let in: the ids it would take and what the space knows near it.

Values only. `gather` fills them from the image, the truth and the judge; nothing here asks anybody.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.model.status import Mark, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.actor import Actor
    from holdfast.model.layer import Decision
    from holdfast.model.memory import Memory
    from holdfast.ports.judge import Related
    from holdfast.profile.schema import Profile
    from holdfast.remember.admit import Admission

LIVE = frozenset({Status.ACTIVE, Status.REVIEW, Status.PENDING})
STANDING = frozenset({Status.ACTIVE, Status.REVIEW})
PROTECTED = frozenset({Mark.CORE, Mark.SYSTEM})


@dataclass(frozen=True, slots=True)
class Near:
    """A memory, or an earlier member of the batch, about the same thing. `related` is what the judge said of
    it.
    """

    id: str
    similarity: float
    related: Related | None = None
    explicit: bool = False  # somebody said so; nobody need judge it
    recorded: bool = False  # known from before; how alike they are was not measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One draft with everything that is needed to decide what becomes of it."""

    id: str  # the id it has when it becomes a memory, or when quarantine keeps it
    admission: Admission
    words: int = 0  # equal where the folded words are equal
    entity: int = 0  # equal where type and value are; 0 for what is no entity
    same: tuple[str, ...] = ()  # stored memories with those words
    entities: tuple[str, ...] = ()  # stored memories of that entity
    near: tuple[Near, ...] = ()  # nearest first
    again: str = ""  # somebody said that it repeats this memory
    guard: tuple[str, ...] = ()  # why it contradicts the constitution
    kept: str = ""  # what quarantine keeps of it where it is turned away; empty: the words as they are


@dataclass(frozen=True, slots=True)
class Standing:
    """Who acts, under which policy, when: the same for a whole batch."""

    space: str
    actor: Actor
    profile: Profile
    now: datetime


@dataclass(slots=True)
class Ruling:
    """What was decided of one case; the memory itself is looked up when all are decided."""

    decision: Decision
    reasons: tuple[str, ...]
    note: str = ""  # for the ledger: no words of what was said
    memory: str = ""
    touched: Sequence[str] = ()
    conflicts: tuple[str, ...] = ()
    capture: str = ""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A stored memory which the new statement would take the place of, and how sure the judge is."""

    old: Memory
    related: Related
    similarity: float
    entity: bool = False
    explicit: bool = False


def protected(memory: Memory) -> str:
    """What protects a memory from being replaced by anybody but a person; empty where nothing does."""
    if memory.layer == "constitution":
        return "the constitution"
    marked = sorted(PROTECTED & memory.marks)
    return str(marked[0]) if marked else "verified" if memory.verified else ""


def lapsed(memory: Memory, at: datetime) -> Memory:
    """The memory as it stands at a time: one whose own end has passed is expired, though nobody wrote it
    down yet (M3). What waits for a person goes on waiting.
    """
    ended = memory.expires_at is not None and memory.expires_at <= at
    return replace(memory, status=Status.EXPIRED) if ended and memory.status in STANDING else memory


def live(memory: Memory) -> bool:
    """Whether it stands, and has not been taken back."""
    return memory.status in LIVE and Mark.NEGATED not in memory.marks
