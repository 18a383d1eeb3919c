"""SQL by name: the .sql files of an engine's folder, whose headings are `-- name: …`."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_HEADING = re.compile(r"^-- name: (.+)$", re.MULTILINE)


@cache
def statements(package: str, file: str) -> dict[str, str]:
    """The statements of one file, in their order, by the names in their headings."""
    text = (resources.files(package) / file).read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    names, bodies = parts[::2], parts[1::2]
    return {name: body.strip() for name, body in zip(names, bodies, strict=True)}
