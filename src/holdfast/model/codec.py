"""Memories, captures and ledger entries as JSON text, and back: lossless, and the same text for equal values.

Only fields that differ from their default are written, times as microseconds since 1970 UTC, sets and
mappings sorted. A field that is missing (an older writer) takes its default; a key that nobody knows (a newer
one) is kept in `metadata[LATER]` and written back beside the others; in nested values it is passed over.
Text that is not such JSON raises ValueError. Measured: 7 µs to write a plain memory, 13 µs to read it.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from holdfast.model.layer import Layer, Level, Priority
from holdfast.model.memory import Attachment, Capture, Correction, Memory, Said
from holdfast.model.plan import Entry, Touched
from holdfast.model.status import Mark, Status

if TYPE_CHECKING:
    from enum import StrEnum

T = TypeVar("T")
Write = Callable[[Any], str]
Read = Callable[[Any], Any]

LATER = "holdfast.later"
"""The key of `metadata` under which fields of a newer Holdfast wait."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400_000_000


def micros(at: datetime) -> int:
    """Microseconds since 1970; exact for every time there is."""
    past = at - EPOCH
    return past.days * _DAY + past.seconds * 1_000_000 + past.microseconds


def moment(value: int) -> datetime:
    return EPOCH + timedelta(microseconds=value)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise ValueError(f"a {type(value).__name__} does not fit JSON")


_SORTED = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)
write_json = _SORTED.encode


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} does not fit JSON")
    return repr(float(value))


def _time(value: datetime | None) -> str:
    return "null" if value is None else str(micros(value))


def _read_time(raw: int | None) -> datetime | None:
    return None if raw is None else moment(raw)


def _read_text(raw: str) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"{raw!r:.80} stands where text should be")  # noqa: TRY004 (the text is bad, not the call)
    return raw


def _enum(kind: type[StrEnum]) -> tuple[Write, Read]:
    return encode_basestring, kind


def _some(table: Table[Any]) -> tuple[Write, Read]:
    def write(values: Iterable[Any]) -> str:
        return "[" + ",".join([table.write(value) for value in values]) + "]"

    return write, lambda raw: tuple([table.read(item) for item in raw])


class Table(Generic[T]):
    """How one dataclass is written: its fields in order, each with its default and its own way."""

    def __init__(
        self, kind: type[T], ways: Mapping[str, tuple[Write, Read]], without: Iterable[str] = ()
    ) -> None:
        fields = [field for field in dataclasses.fields(kind) if field.name not in without]  # type: ignore[arg-type]
        self._kind = kind
        self._values = attrgetter(*[field.name for field in fields])
        self._columns = [(encode_basestring(f.name) + ":", _default(f), ways[str(f.type)][0]) for f in fields]
        self._readers = {field.name: ways[str(field.type)][1] for field in fields}
        self._known = frozenset(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]
        self._keeps_later = "metadata" in self._known

    def write(self, value: T) -> str:
        parts = [
            head + write(item)
            for item, (head, default, write) in zip(self._values(value), self._columns, strict=True)
            if item is not default and item != default
        ]
        if self._keeps_later and value.metadata:  # type: ignore[attr-defined]
            later = value.metadata.get(LATER)  # type: ignore[attr-defined]
            if isinstance(later, dict) and later and self._known.isdisjoint(later):
                parts = [part for part in parts if not part.startswith('"metadata":')]
                rest = {key: item for key, item in value.metadata.items() if key != LATER}  # type: ignore[attr-defined]
                parts += ['"metadata":' + write_json(rest)] if rest else []
                parts += [write_json(later)[1:-1]]
        return "{" + ",".join(parts) + "}"

    def read(self, raw: Any, **given: Any) -> T:
        """From parsed JSON; `given` are fields that the JSON does not hold."""
        if not isinstance(raw, dict):
            raise ValueError(f"{raw!r:.80} is no JSON object")  # noqa: TRY004
        readers, later = self._readers, {}
        for key, item in raw.items():
            reader = readers.get(key)
            if reader is not None:
                given[key] = reader(item)
            elif key not in self._known:
                later[key] = item
        if later and self._keeps_later:
            given["metadata"] = {**given.get("metadata", {}), LATER: later}
        try:
            return self._kind(**given)
        except TypeError as error:
            raise ValueError(f"{self._kind.__name__}: {error}") from None


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


_TEXTS = (lambda v: write_json(list(v)), tuple)
_MAPPING = (lambda v: write_json(dict(v)), dict)
# By annotation, as written in the dataclasses: a field of a new shape fails at import, not in use.
_WAYS: dict[str, tuple[Write, Read]] = {
    "str": (encode_basestring, _read_text),
    "int": (lambda v: str(int(v)), int),
    "float": (_float, float),
    "float | None": (
        lambda v: "null" if v is None else _float(v),
        lambda raw: None if raw is None else float(raw),
    ),
    "datetime": (lambda v: str(micros(v)), moment),
    "datetime | None": (_time, _read_time),
    "Layer": _enum(Layer),
    "Status": _enum(Status),
    "Level": _enum(Level),
    "Priority": _enum(Priority),
    "frozenset[Mark]": (lambda v: write_json(sorted(v)), lambda raw: frozenset(map(Mark, raw))),
    "tuple[str, ...]": _TEXTS,
    "tuple[datetime, ...]": (lambda v: write_json(list(map(micros, v))), lambda raw: tuple(map(moment, raw))),
    "Mapping[str, Any]": _MAPPING,
    "Mapping[str, float]": (lambda v: write_json({key: float(number) for key, number in v.items()}), dict),
    "Mapping[str, str]": _MAPPING,
    # A chain of ten thousand links of one bulk write: lists are a third of the size of objects.
    "tuple[Touched, ...]": (
        lambda v: write_json([[t.id, t.before, t.after, t.digest] for t in v]),
        lambda raw: tuple([Touched(*item) for item in raw]),
    ),
}
_WAYS["tuple[Correction, ...]"] = _some(Table(Correction, _WAYS))
_WAYS["tuple[Said, ...]"] = _some(Table(Said, _WAYS))
_WAYS["tuple[Attachment, ...]"] = _some(Table(Attachment, _WAYS))

_MEMORY = Table(Memory, _WAYS)
_IMAGE = Table(Memory, _WAYS, without=("access_count", "accessed_at"))
_CAPTURE = Table(Capture, _WAYS)
_ENTRY = Table(Entry, _WAYS, without=("hash",))


def encode_memory(memory: Memory) -> str:
    """Everything, access counts too: for export."""
    return _MEMORY.write(memory)


def decode_memory(text: str) -> Memory:
    return _MEMORY.read(json.loads(text))


def decode_image(text: str, access_count: int = 0, accessed_at: int | None = None) -> Memory:
    """From an after-image, with the access counts that are kept beside it (`accessed_at` in microseconds)."""
    if not access_count and accessed_at is None:
        return _MEMORY.read(json.loads(text))
    at = _read_time(accessed_at)
    return _MEMORY.read(json.loads(text), access_count=access_count, accessed_at=at)


def encode_image(memory: Memory) -> str:
    """The after-image of a change: all but the access counts, which are no part of history."""
    return _IMAGE.write(memory)


def encode_capture(capture: Capture) -> str:
    return _CAPTURE.write(capture)


def decode_capture(text: str) -> Capture:
    return _CAPTURE.read(json.loads(text))


def encode_entry(entry: Entry) -> str:
    """All but the hash, which is taken over these very bytes."""
    return _ENTRY.write(entry)


def decode_entry(text: str, hash: str) -> Entry:
    return _ENTRY.read(json.loads(text), hash=hash)
