"""Yes or no: how often a clause says no, whether it ends something, and which cues a statement carries.

Two negations in a clause make a yes (从不忘记, never miss). `cue_words` finds every class of `cues.toml` and
`states.toml`; `clause_signs` tells the clauses that come out as a no or end something.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from holdfast.judge.rules.lexicon import cues
from holdfast.judge.rules.text import clause_spans, fold


@lru_cache(maxsize=4096)
def cue_words(text: str) -> dict[str, tuple[str, ...]]:
    """The words of each class of cues and states that occur in the text."""
    folded = fold(text)
    return {name: patterns.found(folded) for name, patterns in cues().items()}


def denies(clause: str) -> bool:
    """Whether the clause, folded, comes out as a no: an odd number of negations."""
    book = cues()
    return (len(book["negation"].found(clause)) + len(book["negative_verb"].found(clause))) % 2 == 1


class Sign(NamedTuple):
    """One clause of a folded text: where it stands, whether it says no, whether it tells an end."""

    start: int
    end: int
    denied: bool
    ended: bool


@lru_cache(maxsize=4096)
def clause_signs(text: str) -> tuple[Sign, ...]:
    """The signs of every clause of the folded text."""
    folded = fold(text)
    ended = cues()["cessation"]
    return tuple(
        Sign(start, end, denies(folded[start:end]), bool(ended.found(folded[start:end])))
        for start, end in clause_spans(folded)
    )
