"""From a name, a path or a text to a Profile. A user's own says `extends = "care"` and changes a few keys.

Presets are read once. A text is parsed once: a space keeps the complete text of the profile it was made
with, and every call on the space comes through `parse`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.errors import ProfileError
from holdfast.profile.build import build, near
from holdfast.profile.write import digest_of, dump

if TYPE_CHECKING:
    from holdfast.profile.schema import Profile

__all__ = ["available", "digest_of", "dump", "load", "parse", "presets"]

PRESETS = Path(__file__).parent / "presets"
DEFAULT = "assistant"
DEEPEST = 8  # profiles that extend profiles; more is a mistake rather than a wish
KEPT_TEXTS = 256  # parsed texts: a few per process, unless every space has numbers of its own


@lru_cache(maxsize=1)
def presets() -> tuple[str, ...]:
    """The names of the profiles that come with Holdfast."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.toml")))


def load(name: str | Path, folder: str | Path = "") -> Profile:
    """A preset, a profile of the folder, or the profile in a file (a path, or a name that ends in .toml)."""
    if _is_path(name):
        return _own(Path(name).expanduser(), folder, ())
    return _named(str(name), folder, ())


@lru_cache(maxsize=KEPT_TEXTS)
def parse(text: str) -> Profile:
    """The profile that a text says; it may extend a preset."""
    return build(_extended(_toml(text, "profile"), "", "", above=()))


def available(folder: str | Path = "") -> dict[str, Profile]:
    """The presets and the user's own, by name."""
    found = {name: _preset(name) for name in presets()}
    for path in _own_files(folder):
        own = _own(path, folder, ())
        name = own.name
        if name in found:
            raise ProfileError("name", f"{name!r} is in {path} and elsewhere", "give one another name")
        found[name] = own
    return found


@cache
def _preset(name: str) -> Profile:
    return build(_toml((PRESETS / f"{name}.toml").read_text(encoding="utf-8"), name))


def _named(name: str, folder: str | Path, above: tuple[str, ...]) -> Profile:
    if name in presets():
        return _preset(name)
    own = {path.stem: path for path in _own_files(folder)}
    if name not in own:
        raise ProfileError("profile", f"there is none named {name!r:.80}", near(name, (*presets(), *own)))
    return _own(own[name], folder, above)


def _own(path: Path, folder: str | Path, above: tuple[str, ...]) -> Profile:
    """A user's file; where it does not say, it is named after the file and extends the default."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(
            "profile", f"{path} cannot be read ({error})", "name a TOML file in UTF-8"
        ) from None
    table = {"name": path.stem, "extends": DEFAULT, **_toml(text, str(path))}
    if table["name"] in presets():
        raise ProfileError("name", f"{table['name']!r} is a preset", f"choose another name in {path}")
    return build(_extended(table, folder, path.parent, above=(*above, str(path.resolve()))))


def _own_files(folder: str | Path) -> list[Path]:
    return sorted(Path(folder).expanduser().glob("*.toml")) if str(folder) else []


def _is_path(name: str | Path) -> bool:
    return isinstance(name, Path) or name.endswith(".toml") or "/" in name or "\\" in name


def _toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number with thousands of digits
        raise ProfileError(where, f"is not TOML: {error}", "mend that line") from None


def _extended(
    table: Mapping[str, Any], folder: str | Path, beside: str | Path, *, above: tuple[str, ...]
) -> dict[str, Any]:
    """The table laid over the one it extends; a path is taken from beside the file that names it."""
    own = dict(table)
    name = own.pop("extends", None)
    if name is None:
        return own
    if not isinstance(name, str):
        raise ProfileError("extends", f"is a {type(name).__name__}", f"name one of {', '.join(presets())}")
    if len(above) > DEEPEST:
        raise ProfileError("extends", f"goes round or too deep: {' → '.join(above)}", "extend a preset")
    if _is_path(name) and str(beside):
        base = _own(Path(beside) / Path(name).expanduser(), folder, above)
    else:
        base = _named(name, folder, above)
    return _laid_over(tomllib.loads(dump(base)), own)


def _laid_over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are joined key by key, everything else is replaced."""
    laid = dict(base)
    for key, value in own.items():
        both = isinstance(value, Mapping) and isinstance(laid.get(key), Mapping)
        laid[key] = _laid_over(laid[key], value) if both else value
    return laid
