"""The closed lists a memory is described with: layer, level, priority, mode, decision."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """Where a memory lives (behaviour.md, Words)."""

    CONSTITUTION = "constitution"
    FACT = "fact"
    EPISODE = "episode"
    SESSION = "session"
    QUARANTINE = "quarantine"


class Level(StrEnum):
    """How far a memory has been compressed (E15)."""

    FULL = "full"
    SUMMARY = "summary"
    TRACE = "trace"
    ARCHIVE = "archive"


class Priority(StrEnum):
    """How much a person cares; medium where unsaid."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Mode(StrEnum):
    """What recall may see (E13)."""

    NORMAL = "normal"
    REVIEW = "review"
    DEBUG = "debug"


class Decision(StrEnum):
    """What became of a write (behaviour.md, Outcome)."""

    ACCEPTED = "accepted"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    PENDING = "pending"
    LOGGED = "logged"
    REFUSED = "refused"
