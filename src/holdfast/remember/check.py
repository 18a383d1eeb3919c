"""First step of the way in: what was handed in becomes a Draft, or an InvalidInput that names field and
index.

Form only; what depends on a profile (kinds, length, size of vectors) is checked by `suits`, still before
anything is decided or written. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.draft import Draft
from holdfast.model.layer import Layer, Priority

if TYPE_CHECKING:
    from holdfast.profile.schema import Profile

# No profile may let in more: judging, embedding and a context are all made for a few thousand characters.
CONTENT_MOST = 1_000_000
# Members of a batch are compared with each other; 20,000 take a few seconds, a million would take hours.
BATCH_MOST = 20_000
# Importance runs from 0 to 3 and above (C5); ten times that is a slip of the pen.
IMPORTANCE_MOST = 30.0


def _vector(field: str, value: object) -> Sequence[float]:
    if (
        isinstance(value, str | bytes | Mapping)
        or not hasattr(value, "__len__")
        or not hasattr(value, "__iter__")
    ):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a list of numbers")
    return value  # type: ignore[return-value]  # numbers and size are checked for the whole batch at once


def _name(field: str, value: object) -> str:
    return check.text(field, value, empty=True)


def _layer(field: str, value: object) -> str:
    return _near(field, value, [str(layer) for layer in Layer])


def _priority(field: str, value: object) -> str:
    return _near(field, value, [str(priority) for priority in Priority])


def _level(field: str, value: object) -> int:
    return check.whole(field, value, low=0, high=3)


def _importance(field: str, value: object) -> float:
    return check.number(field, value, low=0.0, high=IMPORTANCE_MOST)


CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "layer": _layer,
    "kind": check.text,
    "confidence": check.share,
    "priority": _priority,
    "sensitivity": _level,
    "importance": _importance,
    "source": _name,
    "at": check.moment,
    "expires_at": check.moment,
    "session": _name,
    "speaker": _name,
    "entity_type": _name,
    "entity_value": lambda field, value: check.text(field, value, most=2000, empty=True),
    "label": _name,
    "tags": check.names,
    "metadata": check.metadata,
    "requires_approval": check.flag,
    "source_ids": check.names,
    "vector": _vector,
}
"""Every field of a Draft but the content, and how it is checked."""

_UNSAID: Mapping[str, Any] = {f.name: f.default for f in fields(Draft)}


def draft(content: object, said: Mapping[str, Any]) -> Draft:
    """A Draft of a statement and what was said of it. None means unsaid, as if the key were not there."""
    return _draft("", content, said)


def drafts(items: object) -> list[Draft]:
    """Strings, mappings (with `content`) and Drafts, all checked; the first bad one is named by its index."""
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
        raise InvalidInput(
            "items", f"is a {type(items).__name__}", "give a list of strings, mappings or Drafts"
        )
    found: list[Draft] = []
    for index, item in enumerate(items):
        if index >= BATCH_MOST:
            raise InvalidInput(
                f"items[{index}]",
                f"is one more than the {BATCH_MOST:,} of a batch",
                "hand them in smaller batches",
            )
        found.append(_item(f"items[{index}]", item))
    return found


def _item(where: str, item: object) -> Draft:
    if isinstance(item, str):
        return _draft(f"{where}.", item, {})
    if isinstance(item, Draft):
        told = {name: getattr(item, name) for name in CHECKS}
        return _draft(f"{where}.", item.content, {k: v for k, v in told.items() if v is not _UNSAID[k]})
    if isinstance(item, Mapping):
        if "content" not in item:
            raise InvalidInput(where, "has no content", "give a mapping with the key content")
        return _draft(f"{where}.", item["content"], {k: v for k, v in item.items() if k != "content"})
    raise InvalidInput(where, f"is a {type(item).__name__}", "give a string, a mapping or a Draft")


def _draft(where: str, content: object, said: Mapping[str, Any]) -> Draft:
    told: dict[str, Any] = {}
    for key, value in said.items():
        checked = CHECKS.get(key)
        if checked is None:
            name = f"{where}{key}" or "details"
            raise InvalidInput(name, "is not something that can be said of a memory", _ways(key, CHECKS))
        if value is not None:
            told[key] = checked(where + key, value)
    if bool(told.get("entity_value")) and not told.get("entity_type"):
        raise InvalidInput(
            f"{where}entity_type", "is missing beside an entity_value", "say what it is a value of"
        )
    return Draft(content=check.text(f"{where}content", content, most=CONTENT_MOST), **told)


def suits(drafted: Sequence[Draft], profile: Profile) -> None:
    """Raises where a draft does not suit the profile: a kind it does not know, a text longer than it
    takes.
    """
    many = len(drafted) > 1
    for index, item in enumerate(drafted):
        if item.kind is not None and item.kind not in profile.kinds:
            _near(_at(index, "kind", many=many), item.kind, list(profile.kinds))
        if len(item.content) > profile.admit.max_chars:
            check.text(_at(index, "content", many=many), item.content, most=profile.admit.max_chars)


def _at(index: int, field: str, *, many: bool) -> str:
    return f"items[{index}].{field}" if many else field


def _near(field: str, value: object, names: Sequence[str]) -> str:
    if isinstance(value, str) and value in names:
        return str(value)
    ways = _ways(value, names) if isinstance(value, str) else f"give one of {', '.join(names)}"
    raise InvalidInput(field, f"is {value!r:.80}", ways)


def _ways(value: object, names: Iterable[str]) -> str:
    known = list(names)
    near = get_close_matches(str(value)[:80], known, n=2, cutoff=0.6)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{meant}give one of {', '.join(known)}"
