"""Reads extraction.txt: dialogues with what of them is to be kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from holdfast.judge.rules.text import language

_MARK = re.compile(r"\{(\w+)\|([^}]*)\}")


def read() -> list[dict[str, Any]]:
    """Each dialogue as {lang, turns, expect}."""
    found = []
    path = Path(__file__).with_name("extraction.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        turns, expect = [], []
        for part in line.split(" / "):
            role = "assistant" if part.startswith("A: ") else "user"
            expect += [{"type": kind, "quote": quote} for kind, quote in _MARK.findall(part)]
            text = _MARK.sub(r"\2", part.removeprefix("A: ")).strip()
            turns.append({"role": role, "text": text})
        found.append({"lang": language(line), "turns": turns, "expect": expect})
    return found
