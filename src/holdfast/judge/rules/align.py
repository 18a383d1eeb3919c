"""Old and new side by side: which content answers to which, what is left over, what stands in whose place.

Nothing here decides; `features` turns what it finds into figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.judge.rules.lexicon import concepts, people, root

if TYPE_CHECKING:
    from holdfast.judge.rules.statement import Statement, Unit
    from holdfast.judge.rules.text import Word

# How alike two units are: the same word, the same meaning, one inside the other, an end in common.
_SAME, _MEANING, _INSIDE, _PART = 1.0, 0.9, 0.75, 0.4
# From this likeness on a unit counts as answered.
ANSWERED = 0.6
_STEM = 5  # English words that begin alike this far are kin: paediatric, paediatrician


def likeness(one: Unit, other: Unit) -> float:
    """How far two units say the same, 0 to 1."""
    if one.key == other.key:
        return _SAME
    if one.meanings & other.meanings:
        return _MEANING
    if one.key.isascii() or other.key.isascii():
        return _INSIDE if one.key[:_STEM] == other.key[:_STEM] and len(one.key) >= _STEM else 0.0
    if (one.key in other.key or other.key in one.key) and min(len(one.key), len(other.key)) > 1:
        return _INSIDE
    if one.key[0] == other.key[0] or one.key[-1] == other.key[-1]:
        return _PART
    return 0.25 if set(one.key) & set(other.key) else 0.0


@dataclass(frozen=True, slots=True)
class Swap:
    """A stretch of words of the old statement with another in its place in the new one."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    place: float  # where in the old statement it begins, 0 to 1


@dataclass(frozen=True, slots=True)
class Alignment:
    """How the content of two statements answers to one another."""

    old_best: tuple[float, ...]  # for each unit of old, its best likeness in new
    new_best: tuple[float, ...]
    old_covered: float  # share of the old content that new answers to, by weight
    new_covered: float
    parallel: float  # how far the two are the same sentence, word by word
    swaps: tuple[Swap, ...]

    def left(self, units: tuple[Unit, ...], best: tuple[float, ...]) -> tuple[Unit, ...]:
        """The units nothing answers to."""
        return tuple(unit for unit, score in zip(units, best, strict=True) if score < ANSWERED)


def _best(units: tuple[Unit, ...], others: tuple[Unit, ...]) -> tuple[float, ...]:
    return tuple(max((likeness(unit, other) for other in others), default=0.0) for unit in units)


def _covered(units: tuple[Unit, ...], best: tuple[float, ...]) -> float:
    total = sum(unit.weight for unit in units)
    return sum(unit.weight * score for unit, score in zip(units, best, strict=True)) / total if total else 0.0


@lru_cache(maxsize=16384)
def _said(word: Word) -> str:
    """What a word says, in one form for all that say it: the meaning it has, or its root."""
    meanings = concepts().of(word.text) or people().of(word.text)
    return min(meanings) if meanings else root(word.text) if word.kind == "en" else word.text


def align(old: Statement, new: Statement) -> Alignment:
    """Lay the new statement beside the old one."""
    old_best, new_best = _best(old.units, new.units), _best(new.units, old.units)
    a, b = [_said(word) for word in old.words], [_said(word) for word in new.words]
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    swaps = tuple(
        Swap(tuple(a[i1:i2]), tuple(b[j1:j2]), i1 / max(1, len(a)))
        for kind, i1, i2, j1, j2 in matcher.get_opcodes()
        if kind == "replace"
    )
    return Alignment(
        old_best,
        new_best,
        _covered(old.units, old_best),
        _covered(new.units, new_best),
        matcher.ratio() if a or b else 1.0,
        swaps,
    )
