"""Blacks out secrets in what quarantine keeps: it takes everything an agent puts out, but no secret in plain
(E14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.remember import whole
from holdfast.remember.admit import SECRET

if TYPE_CHECKING:
    from holdfast.ports.judge import Judge

BLACK = "█"
WHOLE = "█ secret, not kept █"


def blacked_out(text: str, judge: Judge) -> str:
    """The text with every secret covered; where the judge cannot say which part is the secret, nothing of
    it.
    """
    found = whole.sensitivity(judge, text)
    if found.level < SECRET:
        return text
    if not found.spans:
        return WHOLE
    letters = list(text)
    for start, end, _ in found.spans:
        letters[start:end] = BLACK * (end - start)
    covered = "".join(letters)
    return covered if whole.sensitivity(judge, covered).level < SECRET else WHOLE


def blacked_out_all(value: Any, judge: Judge) -> Any:
    """The same for every text in metadata, and for what only its key makes a secret (`password: …`)."""
    if isinstance(value, str):
        return blacked_out(value, judge)
    if isinstance(value, Mapping):
        return {blacked_out(str(key), judge): _under(str(key), inner, judge) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [blacked_out_all(inner, judge) for inner in value]
    return value


def _under(key: str, value: Any, judge: Judge) -> Any:
    if isinstance(value, str):
        covered = blacked_out(value, judge)
        named = f"{key.replace('_', ' ')}: {covered}"
        return covered if whole.sensitivity(judge, named).level < SECRET else WHOLE
    return blacked_out_all(value, judge)
