"""How the doors tell what the library returns: fields under the library's own names, times in ISO 8601.

The one place that says what never leaves: secrets of keys, whole profiles, and what is sealed (E14). A sealed
text leaves only by the verb that opens it, by the right and the asking for it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.model.hit import Answer

# Properties that belong to what a reader of the JSON expects.
ALSO: Mapping[str, tuple[str, ...]] = {
    "Memory": ("verified",),
    "WeightChange": ("delta",),
    "Round": ("done",),
    "Forecast": ("done", "asked"),
}
# The whole profile, as TOML, would drown a list of spaces; it is asked for by its name.
NEVER: Mapping[str, frozenset[str]] = {
    "SpaceRecord": frozenset({"profile_text", "sealing"}),
    "Key": frozenset({"salt", "digest"}),
    "Memory": frozenset({"sealed"}),  # in place of its words; a verb of its own opens it
    "Capture": frozenset({"sealed"}),
}


def names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass that are told, in order."""
    hidden = NEVER.get(kind.__name__, frozenset())
    own = [f.name for f in fields(kind) if not f.name.startswith("_") and f.name not in hidden]
    return (*own, *ALSO.get(kind.__name__, ()))


@cache
def _reader(kind: Hashable) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
    told = names(cast(type, kind))
    read = attrgetter(*told)
    return told, read if len(told) > 1 else lambda value: (read(value),)


def record(value: Any) -> dict[str, Any]:
    """One level of a dataclass."""
    told, read = _reader(cast(Hashable, type(value)))
    return dict(zip(told, read(value), strict=True))


def plain(value: Any) -> Any:
    """Dataclasses, enums, times and mappings as JSON knows them."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        value = record(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    return [plain(item) for item in value]


def with_reasons(answer: Answer) -> dict[str, Any]:
    """The answer, each hit with its explanation (B2)."""
    told = record(answer)
    told["hits"] = [{**record(hit), "explain": hit.explain} for hit in answer.hits]
    return told
