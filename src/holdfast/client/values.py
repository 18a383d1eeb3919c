"""JSON as the server tells it, back to the library's own values; and what is handed in, to JSON.

A field that this version does not know is passed over; one that is missing takes its default.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache
from sys import modules
from typing import Any, Union, get_args, get_origin, get_type_hints

from holdfast.errors import InvalidInput
from holdfast.model import conflict, hit, layer, ledger, memory, plan, status
from holdfast.steward import steps

# What annotations name that their modules import for types only.
_NAMES: dict[str, Any] = {
    "Any": Any,
    "Callable": Callable,
    "Iterable": Iterable,
    "Mapping": Mapping,
    "datetime": datetime,
    **{
        name: value
        for room in (conflict, hit, layer, ledger, memory, plan, status, steps)
        for name, value in vars(room).items()
        if isinstance(value, type)
    },
}


def read(kind: Any, raw: Any) -> Any:
    """A value of that type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or raw is None:
        return raw
    if origin in (Union, types.UnionType):
        return read(next(one for one in inner if one is not type(None)), raw)
    if origin is tuple:
        return tuple(read(inner[0], item) for item in raw)
    if origin in (list, frozenset):
        return origin(read(inner[0], item) for item in raw)
    if origin is not None and issubclass(origin, Mapping):
        return {key: read(inner[1], item) for key, item in raw.items()}
    if is_dataclass(kind):
        return _record(kind, raw)
    if isinstance(kind, type) and issubclass(kind, datetime):
        return datetime.fromisoformat(raw)
    return kind(raw) if isinstance(kind, type) and issubclass(kind, Enum | float) else raw


def _record(kind: Any, raw: Mapping[str, Any]) -> Any:
    types_ = _types(kind)
    value = kind(**{name: read(types_[name], item) for name, item in raw.items() if name in types_})
    if isinstance(value, hit.Hit) and raw.get("explain") is not None:
        reasons = read(hit.Explain, raw["explain"])
        return replace(value, _explain=lambda: reasons)
    return value


@cache
def _types(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, {**_NAMES, **vars(modules[kind.__module__])})
    return {f.name: hints[f.name] for f in fields(kind) if f.init and not f.name.startswith("_")}


def sent(value: Any) -> Any:
    """What is handed in, as JSON knows it; what is None is left unsaid."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        return sent({f.name: item for f in fields(value) if (item := getattr(value, f.name)) != _default(f)})
    if isinstance(value, Mapping):
        return {str(key): sent(item) for key, item in value.items() if item is not None}
    if isinstance(value, Iterable):
        return [sent(item) for item in value]
    raise InvalidInput("value", f"is a {type(value).__name__}", "give what JSON can hold")


def _default(field: Any) -> Any:
    """MISSING, where it has to be said."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


def packed_there(budget: int | None, count: object) -> int | None:
    """The budget of a context, which the server counts."""
    if count is not None:
        raise InvalidInput("count", "cannot be sent to a server", "leave it out; tokens are estimated there")
    return budget
