"""A whole space as pieces: what `SpaceStore.dump` tells and `Store.load` takes, between engines or by a file.

They come in this order: the ledger's links, the memories (oldest row first), the captures, the jobs.
After-images, captures and entries are the very texts over which digests and hashes were taken, so that the
chain holds where they arrive. A job that somebody held waits again where it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from holdfast.errors import Damaged, InvalidInput
from holdfast.model.ledger import Link
from holdfast.model.memory import nothing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.ledger import ChainReport
    from holdfast.model.plan import Job, WeightChange
    from holdfast.model.space import SpaceRecord

__all__ = ["Captured", "Kept", "Link", "Parked", "Piece", "Version", "proved", "taken"]


@dataclass(frozen=True, slots=True)
class Version:
    """One after-image (`codec.encode_image`), the entry that made it, and the time of its plan. No salt: its
    words were purged.
    """

    number: int
    entry: int
    at: datetime
    salt: bytes | None
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One memory: its versions, oldest first, and what hangs on it. `index` is its index row (record, words),
    None where it has none; `vectors` are by embedder; `never`: it is not to have one.
    """

    id: str
    versions: tuple[Version, ...]
    access_count: int = 0
    accessed_at: datetime | None = None
    weights: tuple[WeightChange, ...] = ()
    index: tuple[bytes, bytes] | None = None
    vectors: Mapping[str, bytes] = field(default_factory=nothing)
    never: bool = False


@dataclass(frozen=True, slots=True)
class Captured:
    """One entry of quarantine (`codec.encode_capture`)."""

    salt: bytes
    body: str


@dataclass(frozen=True, slots=True)
class Parked:
    """One job of the queue; `failed`: put aside for a person to see."""

    job: Job
    failed: bool = False


Piece = Link | Kept | Captured | Parked


def taken(record: SpaceRecord, by: SpaceRecord) -> InvalidInput:
    """For a space that is to be loaded where there is one of that name or id."""
    if record.name == by.name:
        return InvalidInput("space", f"there is one named {record.name!r} already", "give another name")
    return InvalidInput("id", f"{record.id!r} is that of the space {by.name!r}", "make a new id")


def proved(record: SpaceRecord, report: ChainReport) -> SpaceRecord:
    """The record of what was loaded, anchored where its ledger ends; Damaged where that does not hold."""
    if not report.ok:
        raise Damaged(f"{record.name!r} was not loaded: {'; '.join(report.problems[:3])}")
    origin = record.origin if report.entries else ""
    return replace(record, anchor_number=report.entries, anchor_hash=report.head, origin=origin)
