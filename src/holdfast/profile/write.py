"""From a Profile to its canonical text and digest: every key, in the schema's order, no comments.

Pure. `build` of what `dump` writes gives the same profile; equal numbers give equal digests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.profile.schema import Profile

# What a profile is called and how it is described change no memory.
_NOT_POLICY = ("name", "description", "digest")


def dump(profile: Profile) -> str:
    """The complete profile as TOML."""
    top: list[str] = []
    tables: list[str] = []
    for item in fields(profile):
        value = getattr(profile, item.name)
        if item.name == "digest":
            continue
        if is_dataclass(value) or isinstance(value, Mapping):
            tables += ["", f"[{item.name}]", *_lines(_pairs(value))]
        else:
            top.append(f"{item.name} = {_written(value)}")
    return "\n".join([*top, *tables, ""])


def digest_of(profile: Profile) -> str:
    """sha256 over everything that is policy; name and description are left out."""
    policy = {item.name: _plain(getattr(profile, item.name)) for item in fields(profile)}
    for name in _NOT_POLICY:
        del policy[name]
    written = json.dumps(policy, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode("utf-8")).hexdigest()


def _plain(value: Any) -> Any:
    if is_dataclass(value) or isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in _pairs(value).items()}
    return list(value) if isinstance(value, tuple) else value


def _pairs(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    return {item.name: getattr(value, item.name) for item in fields(value)}


def _lines(pairs: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_written(value)}" for key, value in pairs.items()]


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    """JSON's escapes are TOML's, but for the delete character, which TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(value: Any) -> str:
    if value is None:
        return '"best"'
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_quoted, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_lines(value))} }}" if value else "{}"
    return str(value).lower() if isinstance(value, bool) else repr(value)
