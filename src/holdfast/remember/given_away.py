"""Secrets that only the talk around them tells (E14): "what is the password?", then "hunter22", then "I wrote
hunter22 down". None of the later turns holds one by itself. Pure but for the judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.remember import whole
from holdfast.remember.admit import SECRET

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.ports.judge import Judge

# An answer to "which password?" is the password and hardly more; a longer turn says what it is about.
ANSWER_MOST = 80
# What is known again, and what an answer to a question has to hold: a code of four characters or more with a
# digit in it. "I do not remember" and "yesterday" are answers too.
_CODE = re.compile(r"(?=[!-~]*\d)[!-~]{4,}")
_EDGES = ".,:;!?\"'()"


def secrets_in(judge: Judge, text: str, before: str, *, known: Collection[str]) -> frozenset[str]:
    """The codes in a turn that are secret: in its own words, as the answer to the turn before, or told
    again; none where it holds no code.
    """
    again, codes = frozenset(secret for secret in known if secret in text), codes_in(text)
    if not codes:
        return again
    by_itself = whole.sensitivity(judge, text)
    if by_itself.level >= SECRET:
        return again.union(*(codes_in(text[start:end]) for start, end, _ in by_itself.spans))
    asked = before[-ANSWER_MOST:].strip().rstrip("。.?？!！:：,，…")
    if not asked or len(text) > ANSWER_MOST:
        return again
    joined = (f"{asked}: {text}", f"{asked} {text}")
    answers = judge.sensitivity(asked).level < SECRET and any(
        judge.sensitivity(words).level >= SECRET for words in joined
    )
    return again | codes if answers else again


def secrets_of(judge: Judge, text: str) -> frozenset[str]:
    """The codes that are secret in a turn that was sealed: those marked by the judge, or all of an answer."""
    by_itself = whole.sensitivity(judge, text)
    if by_itself.level >= SECRET:
        return frozenset[str]().union(*(codes_in(text[start:end]) for start, end, _ in by_itself.spans))
    return codes_in(text) if len(text) <= ANSWER_MOST else frozenset()


def codes_in(text: str) -> frozenset[str]:
    """What could be known again."""
    found = (code.strip(_EDGES) for code in _CODE.findall(text))
    return frozenset(code for code in found if len(code) >= 4)
