"""Two statements, old and new, laid side by side: what the figures of `features` are drawn from."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.judge.rules.align import Alignment, align
from holdfast.judge.rules.slots import shared
from holdfast.judge.rules.statement import Statement, Unit, read


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, old and new, and how they lie beside one another."""

    old: Statement
    new: Statement
    alignment: Alignment
    old_left: tuple[Unit, ...]  # content of old that new does not answer to
    new_left: tuple[Unit, ...]
    slots: tuple[str, ...]  # single-valued slots both speak of


def pair(old: str, new: str) -> Pair:
    """The two texts read and laid side by side."""
    a, b = read(old), read(new)
    laid = align(a, b)
    return Pair(
        a, b, laid, laid.left(a.units, laid.old_best), laid.left(b.units, laid.new_best), shared(old, new)
    )


def fresh(p: Pair, cue: str) -> list[str]:
    """The words of a class that new brings and old did not hold: 辞职的念头打消了 brings 打消 to 打算辞职."""
    return [word for word in p.new.cues[cue] if word not in p.old.folded]
