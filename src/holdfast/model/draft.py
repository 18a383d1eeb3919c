"""A draft: what somebody wants remembered, checked in form but not yet admitted. None means unsaid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

from holdfast.model.memory import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing to remember. `at` is when it was said; `vector` a ready embedding of the space's embedder."""

    content: str
    layer: str | None = None
    kind: str | None = None
    confidence: float | None = None
    priority: str | None = None
    sensitivity: int | None = None
    importance: float | None = None
    source: str = ""
    at: datetime | None = None
    expires_at: datetime | None = None
    session: str = ""
    speaker: str = ""
    entity_type: str = ""
    entity_value: str = ""
    label: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=nothing)
    requires_approval: bool = False
    source_ids: tuple[str, ...] = ()
    vector: Sequence[float] | None = None
    sealed: str = field(default="", repr=False)  # set on the way in, never told


class Told(TypedDict, total=False):
    """What can be told of any memory; `model.draft.Draft` says what each means."""

    layer: str
    kind: str
    confidence: float
    priority: str
    sensitivity: int
    importance: float
    source: str
    at: datetime | str
    expires_at: datetime | str
    session: str
    speaker: str
    label: str
    tags: Sequence[str]
    metadata: Mapping[str, Any]
    requires_approval: bool
    source_ids: Sequence[str]
    vector: Sequence[float]


class Said(Told, total=False):
    """What can be told beside the content of a memory."""

    entity_type: str
    entity_value: str
