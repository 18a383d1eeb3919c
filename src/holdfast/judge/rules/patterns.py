"""Patterns kept as data: the tables of the files in the folder `patterns`, compiled on first use.

A table's `any` lists alternatives over folded text; `<name>` in them stands for the part of that name in
the file's `[parts]`. Words belong into `wordclasses`; a pattern is for what has a form.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def book(name: str) -> dict[str, re.Pattern[str]]:
    """The patterns of one file by name, in the order of the file."""
    tables = _tables(name)
    parts = tables.get("parts", {})
    return {
        key: re.compile("|".join(_filled(each, parts) for each in table["any"]))
        for key, table in tables.items()
        if key != "parts"
    }


@cache
def standing_for(name: str) -> dict[str, str]:
    """Which form each table of a file finds: its own name, or what its `is` says."""
    return {key: table.get("is", key) for key, table in _tables(name).items() if key != "parts"}


@cache
def _tables(name: str) -> dict[str, dict[str, str]]:
    source = files(__package__).joinpath("patterns", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _filled(pattern: str, parts: dict[str, str]) -> str:
    """The pattern with its parts put in; parts may hold parts."""
    while any(f"<{part}>" in pattern for part in parts):
        for part, text in parts.items():
            pattern = pattern.replace(f"<{part}>", text)
    return pattern
