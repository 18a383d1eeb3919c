"""A judge reads the beginning of a long text; here it is asked about all of it, piece by piece.

A secret or an order at the end of a long output is one all the same (E14, B9).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.ports.judge import Sensitivity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.ports.judge import Judge

# A judge reads "at most a few thousand characters" (ports/judge.py); what is longer is cut into such pieces,
# which overlap by more than any secret or order is long.
PIECE, OVERLAP = 3000, 300


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """Where each piece begins, and the piece."""
    yield 0, text[:PIECE]
    for start in range(PIECE - OVERLAP, len(text) - OVERLAP, PIECE - OVERLAP):
        yield start, text[start : start + PIECE]


def sensitivity(judge: Judge, text: str) -> Sensitivity:
    """The highest level of any piece, with all the spans."""
    if len(text) <= PIECE:
        return judge.sensitivity(text)
    found = [(start, judge.sensitivity(piece)) for start, piece in pieces(text)]
    highest = max((one for _, one in found), key=lambda one: one.level)
    spans = {(start + a, start + b, what) for start, one in found for a, b, what in one.spans}
    return Sensitivity(highest.level, highest.reasons, tuple(sorted(spans)))


def poison(judge: Judge, text: str) -> Verdict:
    """The strongest verdict on any piece."""
    if len(text) <= PIECE:
        return judge.poison(text)
    return max((judge.poison(piece) for _, piece in pieces(text)), key=lambda one: (one.holds, one.score))
