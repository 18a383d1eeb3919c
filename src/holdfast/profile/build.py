"""From a table (parsed TOML) to a Profile: every key known, every value of its type and in its range.

Pure. Keys that a table leaves out take the schema's value, so that an older version's text still opens.
The first thing that is wrong raises ProfileError, naming the key and what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from holdfast.errors import InvalidInput, ProfileError
from holdfast.model import check
from holdfast.profile import schema
from holdfast.profile.ranges import FITS, KEYS, NAMES, OF_KINDS, RANGES
from holdfast.profile.schema import Profile
from holdfast.profile.write import digest_of

PROSE_CHARS = 2000
BEST = "best"  # TOML has no null: the text that stands for "the best measured"

TABLES: Mapping[str, type] = {
    "admit": schema.Admit,
    "reconcile": schema.Reconcile,
    "salience": schema.Salience,
    "compress": schema.Compress,
    "retention": schema.Retention,
    "review": schema.Review,
    "brief": schema.BriefRules,
    "constitution": schema.Constitution,
    "session": schema.Session,
    "converse": schema.Converse,
    "recall": schema.Recall,
    "context": schema.ContextBudget,
    "labels": schema.Labels,
}


def build(table: Mapping[str, Any]) -> Profile:
    """The profile that a complete or partial table says, with its digest."""
    if "name" not in table:
        raise ProfileError("name", "is missing", 'write name = "…" at the top of the file')
    profile = Profile(**_values(Profile, table, ""))
    _kinds_fit(profile)
    for key, holds, rule in FITS:
        if not holds(profile):
            raise ProfileError(key, rule)
    return replace(profile, digest=digest_of(profile))


def near(word: str, choices: Iterable[str]) -> str:
    """A way out for a name that is not there: the near one, or what there is."""
    known = [str(choice) for choice in choices]
    found = get_close_matches(str(word), known, n=1, cutoff=0.6)
    return f"did you mean {found[0]}?" if found else f"there is {', '.join(known)}"


def keys_of(kind: type) -> dict[str, str]:
    """The keys a table of this class may have, and the type of each as it is written in the schema."""
    return {item.name: _type(item) for item in fields(kind) if item.name != "digest"}


def _type(item: Field[Any]) -> str:
    return item.type if isinstance(item.type, str) else item.type.__name__


def _values(kind: type, table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    known = keys_of(kind)
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{prefix}{key}"
        if key not in known:
            raise ProfileError(where, "is not a key of a profile", near(key, known))
        if key in TABLES and not prefix:
            values[key] = TABLES[key](**_values(TABLES[key], _table(where, value), f"{key}."))
        else:
            values[key] = READERS[known[key]](where, value)
    return values


def _kinds_fit(profile: Profile) -> None:
    """Kinds are the profile's own, so what names one can only be checked at the end."""
    named: Mapping[str, Iterable[str]] = {
        "default_kind": (profile.default_kind,),
        "admit.waiting_kinds": profile.admit.waiting_kinds,
        "reconcile.strategies": profile.reconcile.strategies,
    }
    for key in OF_KINDS:
        for kind in named[key]:
            if kind not in profile.kinds:
                raise ProfileError(
                    key, f"names the kind {kind!r:.80}, which [kinds] lacks", near(kind, profile.kinds)
                )


def _table(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ProfileError(where, f"is a {type(value).__name__}", "write it as a table of key = value lines")
    return value


def _number(where: str, value: object) -> float:
    low, high = RANGES[where]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProfileError(where, f"is a {type(value).__name__}", f"give a number from {low:g} to {high:g}")
    if not low <= value <= high:  # also false for nan and inf
        raise ProfileError(where, f"is {value!r:.40}", f"give a number from {low:g} to {high:g}")
    return float(value)


def _whole(where: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ProfileError(where, f"is a {type(value).__name__}", "give a whole number")
    return int(_number(where, value))


def _arm(where: str, value: object) -> float | None:
    return None if value == BEST else _number(where, value)


def _flag(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ProfileError(where, f"is a {type(value).__name__}", "give true or false")
    return value


def _prose(where: str, value: object) -> str:
    try:
        return check.text(where, value, most=PROSE_CHARS, empty=where == "description")
    except InvalidInput as error:
        raise ProfileError(where, error.problem, error.way_out) from None


def _text(where: str, value: object) -> str:
    written = _prose(where, value)
    if where in NAMES and written not in NAMES[where]:
        raise ProfileError(where, f"is {written!r:.80}", near(written, NAMES[where]))
    return written


def _list(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise ProfileError(where, f"is a {type(value).__name__}", "give a list of strings")
    return tuple(dict.fromkeys(_text(where, item) for item in value))


def _mapping(item: Callable[[str, object], Any]) -> Callable[[str, object], Mapping[str, Any]]:
    """A reader of a table whose values are read by `item`, under the name of the table itself."""

    def read(where: str, value: object) -> Mapping[str, Any]:
        table = _table(where, value)
        for key in table:
            _prose(where, key)
            if where in KEYS and key not in KEYS[where]:
                raise ProfileError(f"{where}.{key}", "is not a key of a profile", near(key, KEYS[where]))
        return MappingProxyType({key: item(where, inner) for key, inner in table.items()})

    return read


# How a value is read, by its type as the schema writes it.
READERS: Mapping[str, Callable[[str, object], Any]] = {
    "str": _text,
    "bool": _flag,
    "int": _whole,
    "float": _number,
    "float | None": _arm,
    "tuple[str, ...]": _list,
    "Mapping[str, str]": _mapping(_text),
    "Mapping[str, float]": _mapping(_number),
    "Mapping[str, tuple[str, ...]]": _mapping(_list),
}
