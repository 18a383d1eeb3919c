"""Status and marks of a memory, the table of legal changes, and what each mode of recall sees.

One table says which change of status is legal; everything else raises IllegalChange.
"""

from __future__ import annotations

from enum import StrEnum

from holdfast.errors import IllegalChange
from holdfast.model.layer import Level, Mode


class Status(StrEnum):
    """Where a memory stands in its life."""

    PENDING = "pending"
    ACTIVE = "active"
    REVIEW = "review"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    REJECTED = "rejected"
    ARCHIVED = "archived"
    DELETED = "deleted"


class Mark(StrEnum):
    """What is said of a memory beside its status."""

    NEGATED = "negated"
    NEEDS_VERIFICATION = "needs_verification"
    CORE = "core"
    SYSTEM = "system"
    AUTO_APPROVED = "auto_approved"


_S = Status
# From each status, the statuses it may become. Undo is not a change of status but a return to an
# earlier version, and is legal wherever the version was.
LEGAL: dict[Status, frozenset[Status]] = {
    _S.PENDING: frozenset({_S.ACTIVE, _S.REJECTED, _S.EXPIRED, _S.SUPERSEDED, _S.DELETED}),
    _S.ACTIVE: frozenset(
        {_S.REVIEW, _S.EXPIRED, _S.SUPERSEDED, _S.MERGED, _S.ARCHIVED, _S.DELETED, _S.PENDING}
    ),
    _S.REVIEW: frozenset(
        {_S.ACTIVE, _S.EXPIRED, _S.SUPERSEDED, _S.MERGED, _S.ARCHIVED, _S.DELETED, _S.REJECTED}
    ),
    _S.EXPIRED: frozenset({_S.ACTIVE, _S.ARCHIVED, _S.DELETED}),
    _S.SUPERSEDED: frozenset({_S.ACTIVE, _S.ARCHIVED, _S.DELETED}),
    _S.MERGED: frozenset({_S.ACTIVE, _S.ARCHIVED, _S.DELETED}),
    _S.REJECTED: frozenset({_S.ACTIVE, _S.PENDING, _S.DELETED}),
    _S.ARCHIVED: frozenset({_S.ACTIVE, _S.DELETED}),
    _S.DELETED: frozenset({_S.ACTIVE, _S.ARCHIVED}),
}

# What recall sees (E13). A negated memory is out of normal recall whatever its weight (E8).
RECALLED: dict[Mode, frozenset[Status]] = {
    Mode.NORMAL: frozenset({_S.ACTIVE, _S.REVIEW}),
    Mode.REVIEW: frozenset({_S.ACTIVE, _S.REVIEW, _S.EXPIRED, _S.SUPERSEDED, _S.MERGED, _S.ARCHIVED}),
    Mode.DEBUG: frozenset(_S),
}
LEVELS: dict[Mode, frozenset[Level]] = {
    Mode.NORMAL: frozenset({Level.FULL, Level.SUMMARY}),
    Mode.REVIEW: frozenset(Level),
    Mode.DEBUG: frozenset(Level),
}
HIDDEN_MARKS: dict[Mode, frozenset[Mark]] = {
    Mode.NORMAL: frozenset({Mark.NEGATED}),
    Mode.REVIEW: frozenset(),
    Mode.DEBUG: frozenset(),
}


def change(old: Status, new: Status) -> Status:
    """The new status, where the table allows it (or where nothing changes)."""
    if old is not new and new not in LEGAL[old]:
        ways = ", ".join(sorted(LEGAL[old])) or "nothing"
        raise IllegalChange(f"a memory that is {old} cannot become {new}; it can become {ways}")
    return new
