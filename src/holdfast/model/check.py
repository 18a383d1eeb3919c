"""Checks of what is handed in at the public face. Each raises InvalidInput: field and way out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from holdfast.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NAME_CHARS = 200  # names, labels, tags, ids: enough for any of them, small enough for an index
METADATA_CHARS = 100_000


def text(field: str, value: object, *, most: int = NAME_CHARS, empty: bool = False) -> str:
    """A string without NUL or lone surrogates, not blank unless `empty`, of at most `most` characters."""
    if not isinstance(value, str):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a string")
    if not empty and not value.strip():
        raise InvalidInput(field, "is empty", "give some text")
    if len(value) > most:
        raise InvalidInput(field, f"has {len(value):,} characters", f"give at most {most:,}, or split it")
    if "\x00" in value:
        raise InvalidInput(field, "holds a NUL character", "remove it")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"holds a lone surrogate at {error.start}", "decode the text again"
        ) from None
    return value


def share(field: str, value: object) -> float:
    """A number from 0 to 1."""
    return number(field, value, low=0.0, high=1.0)


def number(field: str, value: object, *, low: float, high: float) -> float:
    """A finite number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(field, f"is a {type(value).__name__}", f"give a number from {low:g} to {high:g}")
    if not low <= value <= high:  # also what is no number (nan), and a whole one too large for a float
        raise InvalidInput(field, f"is {_shown(value)}", f"give a number from {low:g} to {high:g}")
    return float(value)


def whole(field: str, value: object, *, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(field, f"is {_shown(value)}", f"give a whole number from {low} to {high:,}")
    return value


def flag(field: str, value: object) -> bool:
    """True or False, and nothing that merely counts as one."""
    if not isinstance(value, bool):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give True or False")
    return value


def _shown(value: object) -> str:
    """A value in an error; a number too long to be written in digits (4,300, Python's limit) by its size."""
    long = isinstance(value, int) and value.bit_length() > 256
    return "a number of more than 77 digits" if long else f"{value!r:.80}"


def choice(field: str, value: object, allowed: Iterable[str]) -> str:
    """One of the allowed names."""
    names = [str(name) for name in allowed]
    if not isinstance(value, str) or value not in names:
        raise InvalidInput(field, f"is {value!r:.80}", f"give one of {', '.join(names)}")
    return str(value)


def moment(field: str, value: object) -> datetime:
    """An aware time at or after 1970, as UTC; ISO 8601 text with a zone is taken too."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(
                field, f"is {value!r:.80}", "give ISO 8601, as 2026-01-31T09:00+08:00"
            ) from None
    if not isinstance(value, datetime):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a datetime with a zone")
    if value.utcoffset() is None:
        raise InvalidInput(field, "has no time zone", "add one, as 2026-01-31T09:00+08:00")
    try:
        value = value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"is {value}", "give a time between 1970 and 9998") from None
    if value < EPOCH or value.year > 9998:
        raise InvalidInput(field, f"is {value:%Y-%m-%d}", "give a time between 1970 and 9998")
    return value


def names(field: str, value: object) -> tuple[str, ...]:
    """A sequence of short strings, each once, in order."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a list of strings")
    return tuple(dict.fromkeys(text(field, item) for item in value))


def metadata(field: str, value: object) -> Mapping[str, Any]:
    """A mapping that survives JSON, with string keys."""
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a mapping")
    for key in value:
        text(f"{field} key", key)
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            field, f"does not fit JSON ({error})", "give strings, numbers, lists, mappings"
        ) from None
    text(field, written, most=METADATA_CHARS)
    read: Mapping[str, Any] = json.loads(written)
    return read
