"""What of a text a model may see: secrets are covered, letter for letter, so that quotes keep their place.

A text that is too sensitive as a whole is not shown at all. Pure but for the rules that read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.ports.judge import Judge

COVER = "█"
MOST = 4000  # characters of one text; of a longer one the beginning is judged (ports/judge.py)


class NotShown(ValueError):
    """The text may not leave this machine."""


def shown(text: str, rules: Judge, most: int) -> str:
    """The text with what is above sensitivity `most` covered; NotShown where it stays above that."""
    text = text[:MOST]
    found = rules.sensitivity(text)
    if found.level <= most:
        return text
    letters = list(text)
    for start, end, _ in found.spans:
        letters[start:end] = COVER * (end - start)
    covered = "".join(letters)
    if covered == text or rules.sensitivity(covered).level > most:
        raise NotShown("it is too sensitive to be shown to a model")
    return covered
