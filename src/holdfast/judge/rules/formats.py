"""Written forms that need no word to be known: numbers, codes, addresses, dates, amounts, keys.

`find` gives every form of `patterns/formats.toml` found in a folded text; of two that overlap the surer.
`sensitivity` asks which of them are told about somebody, `entities` which are worth an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.judge.rules import checksums
from holdfast.judge.rules.patterns import book, standing_for

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Form:
    """One written form: its name in the file and its place in the folded text."""

    name: str
    start: int
    end: int
    text: str


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


# What must hold of a form beside its pattern.
_CHECKS: dict[str, Callable[[str], bool]] = {
    "iban": checksums.iban,
    "chinese_id": lambda text: checksums.chinese_id(text.replace(" ", "")),
    "taiwan_id": checksums.taiwan_id,
    "card": lambda text: checksums.card(_digits(text)),
    "phone_international": lambda text: 8 <= len(_digits(text)) <= 15,  # E.164: at most 15 digits
    "phone_spoken": lambda text: len(checksums.spoken_digits(text)) >= 7,
}


@lru_cache(maxsize=2048)
def find(folded: str) -> tuple[Form, ...]:
    """Every form in the folded text, in order; of two that overlap the one earlier in the table stands."""
    taken: list[Form] = []
    names = standing_for("formats")
    for table, pattern in book("formats").items():
        check = _CHECKS.get(table)
        for match in pattern.finditer(folded):
            start, end = match.span()
            overlaps = any(start < form.end and form.start < end for form in taken)
            if start < end and not overlaps and (check is None or check(match.group())):
                taken.append(Form(names[table], start, end, match.group()))
    return tuple(sorted(taken, key=lambda form: form.start))
