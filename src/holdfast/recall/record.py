"""The packed record of a memory: everything that filters, ranks and weighs, in a fixed number of bytes.

Stores keep it beside the memory and hand it back unread; an image joins a space's records and reads them as
one array, so that no row costs Python. A key is a stable 64-bit digest (never Python's hash) of a folded
text, 0 where there is none; a time is seconds since 1970, nan where there is none. Pure, and under 8
microseconds a memory.
"""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from itertools import repeat
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer, Level, Priority
from holdfast.model.memory import RECENT_KEPT, mark_of
from holdfast.model.status import Mark, Status
from holdfast.recall.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory

FORMAT = 1
"""Rises when the fields change; an image packs records of another format anew (`fresh`)."""

SECRET = 3
"""The sensitivity from which on nothing of the words is kept in plain."""

LAYERS: tuple[Layer, ...] = tuple(Layer)
STATUSES: tuple[Status, ...] = tuple(Status)
LEVELS: tuple[Level, ...] = tuple(Level)
PRIORITIES: tuple[Priority, ...] = tuple(Priority)
MARKS: tuple[Mark, ...] = tuple(Mark)

_LAYER = {name: code for code, name in enumerate(LAYERS)}
_STATUS = {name: code for code, name in enumerate(STATUSES)}
_LEVEL = {name: code for code, name in enumerate(LEVELS)}
_PRIORITY = {name: code for code, name in enumerate(PRIORITIES)}
MARK_BIT: dict[Mark, int] = {name: 1 << code for code, name in enumerate(MARKS)}

_CODES = ("format", "layer", "status", "level", "sensitivity", "priority", "marks", "modalities")
_COUNTS = ("version", "mentions")
_KEYS = ("kind", "session", "speaker", "source", "entity_type", "entity", "value", "content")
_TIMES = (
    "created",
    "updated",
    "activated",
    "mentioned",
    "verified",
    "expires",
    "negated",
    "reaffirmed",
    "uncertain",
    "momentum_until",
    "promoted",
    "valid_from",
    "valid_to",
)
_NUMBERS = ("confidence", "importance", "boost", "momentum", "weight_cap")

DTYPE = np.dtype(
    [(name, "u1") for name in _CODES]
    + [(name, "<u4") for name in _COUNTS]
    + [(name, "<u8") for name in _KEYS]
    + [(name, "<f8") for name in (*_TIMES, *_NUMBERS)]
    + [("recent", "<f8", (RECENT_KEPT,))]
)
"""One record. `recent` are the newest mention times, oldest first, padded with nan at the end."""

_PACKED = struct.Struct(
    f"<{len(_CODES)}B{len(_COUNTS)}I{len(_KEYS)}Q{len(_TIMES)}d{len(_NUMBERS)}d{RECENT_KEPT}d"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NO_MENTIONS = (nan,) * RECENT_KEPT
_MOST = 2**32 - 1


def pack(memory: Memory) -> bytes:
    """The memory's record, `DTYPE.itemsize` bytes. Equal memories give equal bytes in every process."""
    recent = memory.recent_mentions[-RECENT_KEPT:]
    times = tuple([(said - _EPOCH).total_seconds() for said in recent]) if recent else ()
    cap = memory.weight_cap
    return _PACKED.pack(
        FORMAT,
        _LAYER[memory.layer],
        _STATUS[memory.status],
        _LEVEL[memory.level],
        memory.sensitivity,
        _PRIORITY[memory.priority],
        marks_of(memory.marks) if memory.marks else 0,
        len(memory.attachments) and min(len(memory.modalities), 255),
        memory.version,
        min(memory.mentions, _MOST),
        *_keys(memory),
        seconds(memory.created_at),
        seconds(memory.updated_at),
        seconds(memory.last_activated_at),
        seconds(memory.mentioned_at),
        seconds(memory.verified_at),
        seconds(memory.expires_at),
        seconds(memory.negated_at),
        seconds(memory.reaffirmed_at),
        seconds(memory.uncertain_since),
        seconds(memory.momentum_until),
        seconds(memory.promoted_at),
        seconds(memory.valid_from),
        seconds(memory.valid_to),
        memory.confidence,
        memory.importance,
        memory.boost,
        memory.momentum,
        nan if cap is None else cap,
        *times,
        *_NO_MENTIONS[len(times) :],
    )


def _keys(memory: Memory) -> tuple[int, ...]:
    """Of a secret none that its words could be guessed from (E14): a digest of four figures is no secret."""
    if memory.sensitivity >= SECRET:
        mark = mark_of(memory.sealed)  # under the space's key: it says nothing to whoever has not that
        return name_key(memory.kind), name_key(memory.session), 0, name_key(memory.source), 0, 0, 0, mark
    return (
        name_key(memory.kind),
        name_key(memory.session),
        name_key(memory.speaker),
        name_key(memory.source),
        name_key(memory.entity_type),
        entity_key(memory.entity_type, memory.entity_value) if memory.entity_value else 0,
        name_key(memory.entity_value),
        content_key(memory.content),
    )


def all_fresh(packed: Sequence[bytes]) -> bool:
    """Whether all of these are records of today's format."""
    same = all(map(bytes.startswith, packed, repeat(bytes([FORMAT]))))
    return same and set(map(len, packed)) <= {DTYPE.itemsize}


def unpack(records: Iterable[bytes]) -> NDArray[np.void]:
    """The records as one structured array (read-only)."""
    return np.frombuffer(b"".join(records), DTYPE)


def seconds(moment: datetime | None) -> float:
    """Seconds since 1970; nan for no time."""
    return nan if moment is None else (moment - _EPOCH).total_seconds()


def moment(value: float) -> datetime | None:
    """The other way round."""
    return None if value != value else datetime.fromtimestamp(value, UTC)  # noqa: PLR0124 (nan)


def marks_of(marks: Iterable[Mark]) -> int:
    """The marks as bits."""
    return sum(MARK_BIT[mark] for mark in marks)


def layer_code(layer: str) -> int:
    return _LAYER[Layer(layer)]


def status_code(status: str) -> int:
    return _STATUS[Status(status)]


@lru_cache(maxsize=4096)
def name_key(name: str) -> int:
    """Key of a kind, session, speaker, source, entity type or entity value."""
    return digest(folded(name)) if name else 0


def entity_key(entity_type: str, value: str) -> int:
    """Key of an entity: type and value folded (A2), so that ＲＭ05-008 and rm05-008 are one."""
    return digest(f"{folded(entity_type)}\x1f{folded(value)}")


def content_key(content: str) -> int:
    """Key of a content: equal where the folded words are the same."""
    return digest(folded(content)) if content else 0


def folded(text: str) -> str:
    """Width, case and script folded, and every run of white space one space."""
    return " ".join(fold(text).split())


def digest(text: str) -> int:
    """A stable 64-bit key, never 0. Any `str` has one, lone surrogates too."""
    text_bytes = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text_bytes, digest_size=8).digest(), "little") or 1
