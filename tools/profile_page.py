"""Writes the tables of docs/profiles.md from the schema, presets and bounds, so that they cannot drift.

`python tools/profile_page.py` rewrites what stands between the markers; the prose around it is left alone.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

from holdfast.profile import load, ranges, schema
from holdfast.profile.build import TABLES, keys_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "profiles.md"
BEGIN, END = "<!-- keys: written by tools/profile_page.py -->", "<!-- end of keys -->"
ORDER = ("assistant", "entities", "personal", "care", "team", "companion")
_FIELD = re.compile(r"^    (\w+): .*?  # (.+)$", re.MULTILINE)
_ROWS = re.compile(r" \(([^()]*\b[A-Z]\d+[^()]*|Words[^()]*|Similarity)\)$")


def page(text: str) -> str:
    """The page with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def tables() -> str:
    """For every table of a profile: what each key means and may be, and what each preset says."""
    presets = {
        name: tomllib.loads((load.PRESETS / f"{name}.toml").read_text(encoding="utf-8")) for name in ORDER
    }
    parts = [_part("", "The top of the file", schema.Profile, presets)]
    for key, kind in TABLES.items():
        title = (kind.__doc__ or "").partition(": ")[2].rstrip(".")
        parts.append(_part(key, f"`[{key}]` {title}", kind, presets))
    return "\n".join(parts)


def _part(table: str, title: str, kind: type, presets: dict[str, dict[str, Any]]) -> str:
    meanings = dict(_FIELD.findall(inspect.getsource(kind)))
    keys = [key for key in keys_of(kind) if key not in TABLES and key not in ("name", "description")]
    lines = [f"### {title}", ""]
    lines += ["| Key | What it means | Rows | May be |", "|---|---|---|---|"]
    for key in keys:
        rows = _ROWS.search(meanings[key])
        meaning = _ROWS.sub("", meanings[key])
        lines.append(f"| `{key}` | {meaning} | {rows[1] if rows else ''} | {_may_be(table, key)} |")
    lines += ["", f"| Key | {' | '.join(ORDER)} |", "|---" * (len(ORDER) + 1) + "|"]
    for key in keys:
        if key == "kinds":
            continue
        values = [(preset[table] if table else preset)[key] for preset in presets.values()]
        lines.append(f"| `{key}` | {' | '.join(map(_shown, _once(values)))} |")
    if not table:
        lines += ["", f"`kinds`, in every preset: {_shown(presets['assistant']['kinds'])}."]
    return "\n".join([*lines, ""])


def _once(values: list[Any]) -> list[Any]:
    """Where all presets say the same, it is said once."""
    same = all(value == values[0] for value in values)
    return [values[0], *["〃"] * (len(values) - 1)] if same else values


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_shown(inner)}" for key, inner in value.items()) or "none"
    if isinstance(value, list):
        return " + ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _may_be(table: str, key: str) -> str:
    name = f"{table}.{key}" if table else key
    kind = keys_of(TABLES[table] if table else schema.Profile)[key]
    if name in ranges.RANGES:
        low, high = ranges.RANGES[name]
        return f"{low:g} to {high:,.10g}" + (', or "best"' if kind.endswith("None") else "")
    if name in ranges.NAMES:
        return ", ".join(ranges.NAMES[name])
    if name in ranges.OF_KINDS:
        return "kinds of the profile"
    return {"bool": "true, false"}.get(kind, "text")


def main() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
