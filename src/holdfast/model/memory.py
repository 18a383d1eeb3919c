"""A memory: one immutable value. A change makes a new one with `version` one higher.

Times are aware UTC datetimes. `created_at` never moves; a mention moves `last_activated_at` (E6).
What time does to a memory is computed from these fields by `steward.salience`, not stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from holdfast.model.layer import Layer, Level, Priority
from holdfast.model.status import Mark, Status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

NOTHING: Mapping[str, Any] = MappingProxyType({})


def nothing() -> Mapping[str, Any]:
    """The one empty mapping: a default that nobody can write into."""
    return NOTHING


@dataclass(frozen=True, slots=True)
class Correction:
    """One step of a memory's correction history (E8): when, why, and what was said instead."""

    at: datetime
    reason: str
    content: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """Another modality of the same memory (E10); `text` is its caption or transcript."""

    modality: str
    reference: str
    digest: str = ""
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """The same memory in other words: kept so that a mention that made no entry is not lost (E7, E12)."""

    at: datetime
    content: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What is remembered. Empty strings and None stand for "not said"."""

    id: str
    space: str
    content: str
    created_at: datetime
    updated_at: datetime
    last_activated_at: datetime
    layer: Layer = Layer.FACT
    kind: str = "note"
    status: Status = Status.ACTIVE
    marks: frozenset[Mark] = frozenset()
    level: Level = Level.FULL
    version: int = 1
    confidence: float = 1.0
    priority: Priority = Priority.MEDIUM
    sensitivity: int = 0
    importance: float = 1.5
    source: str = ""
    author: str = ""
    session: str = ""
    speaker: str = ""
    entity_type: str = ""
    entity_value: str = ""
    label: str = ""
    reason: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=nothing)
    # mentions and accesses
    mentions: int = 1
    mentioned_at: datetime | None = None
    recent_mentions: tuple[datetime, ...] = ()  # the newest RECENT_KEPT, oldest first
    boost: float = 0.0  # height of S at the last mention (0.5, or 0.3 when merged, E7)
    momentum: float = 0.0  # added to M until momentum_until (E7)
    momentum_until: datetime | None = None
    access_count: int = 0
    accessed_at: datetime | None = None
    # doubt
    negated_at: datetime | None = None
    reaffirmed_at: datetime | None = None
    uncertain_since: datetime | None = None
    weight_cap: float | None = None
    sources: Mapping[str, float] = field(default_factory=nothing)  # highest confidence of each source (A2)
    # people and deadlines
    verified_at: datetime | None = None
    promoted_at: datetime | None = None
    expires_at: datetime | None = None
    due_at: datetime | None = None  # a constitution entry's re-check
    deleted_at: datetime | None = None
    deletion: str = ""  # user_delete, auto_cleanup, merge_cleanup (E16)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    # provenance (E12)
    source_ids: tuple[str, ...] = ()
    merged_from: tuple[str, ...] = ()
    merged_into: str = ""
    compressed_from: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    conflicts_with: tuple[str, ...] = ()
    originals: Mapping[str, str] = field(default_factory=nothing)
    corrections: tuple[Correction, ...] = ()
    said: tuple[Said, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    sealed: str = field(default="", repr=False)  # what content, value and metadata are in truth (E14)

    @property
    def verified(self) -> bool:
        return self.verified_at is not None

    @property
    def modalities(self) -> tuple[str, ...]:
        """Text, and what is attached (E10)."""
        return tuple(dict.fromkeys(("text", *(a.modality for a in self.attachments))))


def mark_of(sealed: str) -> int:
    """By what an equal secret is known: the first part of what is sealed; 0 where nothing is."""
    return int(sealed.partition(":")[0], 16) if sealed else 0


# M reaches 1.298 of its 1.30 at ten mentions (E4); more than twelve times change nothing anybody could see.
RECENT_KEPT = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One entry of quarantine: raw output with its whole context, never recalled (P1)."""

    id: str
    content: str
    at: datetime
    author: str
    session: str = ""
    reason: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sealed: str = field(default="", repr=False)  # the whole, where a secret is covered in it (E14)
