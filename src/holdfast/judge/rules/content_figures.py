"""Figures of what a pair speaks of: words and contrasts. `features` gathers them."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING

from holdfast.judge.rules import lexicon
from holdfast.judge.rules.align import ANSWERED
from holdfast.judge.rules.numerals import CHINESE

if TYPE_CHECKING:
    from holdfast.judge.rules.pair import Pair
    from holdfast.judge.rules.statement import Statement, Unit

_CAP = 3  # counts above say no more


def words(p: Pair) -> dict[str, float]:
    laid = p.alignment
    answered = [unit for unit, score in zip(p.old.units, laid.old_best, strict=True) if score >= ANSWERED]
    return {
        "old_covered": laid.old_covered,
        "new_covered": laid.new_covered,
        "kept_none": float(not answered),
        "kept_one": float(len(answered) == 1),
        "strong_kept": float(any(unit.weight >= 1 for unit in answered)),
        "parallel": laid.parallel,
        "very_parallel": float(laid.parallel >= 0.7),
        "longer": math.log((1 + _size(p.new)) / (1 + _size(p.old))),
        "old_left": min(float(_CAP), sum(u.weight for u in p.old_left)),
        "new_left": min(2.0 * _CAP, sum(u.weight for u in p.new_left)),
        "nothing_new": float(not p.new_left),
        "nothing_lost": float(not p.old_left),
        "characters": _characters(p.old.folded, p.new.folded),
    }


def _size(statement: Statement) -> float:
    return sum(unit.weight for unit in statement.units) + len(statement.values)


def _characters(old: str, new: str) -> float:
    """Share of the old text's characters (runs of three letters in English) found in the new."""
    mine = _pieces(old)
    return len(mine & _pieces(new)) / len(mine) if mine else 0.0


def _pieces(text: str) -> set[str]:
    chinese = {c for c in text if c > "\u2e80" and c not in lexicon.stopwords()}
    return chinese or {text[i : i + 3] for i in range(len(text) - 2) if text[i : i + 3].isalpha()}


def contrasts(p: Pair) -> dict[str, float]:
    left = [(a, b) for a in p.old_left for b in p.new_left]
    sorts = frozenset(sort for a, b in left for sort in a.sorts & b.sorts)
    lost = _topic_left(p.alignment.old_best)
    return {
        "same_sort": float(bool(sorts)),
        "same_tail": float(any(_alike(a, b) for a, b in left)),
        "other_name": float(any(a.proper and b.proper for a, b in left)),
        "name_lost": float(any(a.proper for a in p.old_left)),
        "name_added": float(any(b.proper for b in p.new_left)),
        "qualifier_differs": float(bool(sorts & _QUALIFIERS)),
        "topic_differs": float(lost and _topic_left(p.alignment.new_best)),
        "label_differs": float(_label_differs(p)),
        "topic_contrast": float(_label_differs(p) or _topic_contrast(p)),
        "topic_kept": float(not lost),
        "many": float(bool(p.old.cues["many"])),
    }


# Sorts whose words tell one thing from its like rather than say something of it.
_QUALIFIERS = frozenset({"side", "colour", "size", "place_side", "height"}) | {
    "room",
    "service",
    "computing",
    "season",
}


def swaps(p: Pair) -> dict[str, float]:
    """One stretch of words, or one strong word, in the place of another."""
    found, parallel = p.alignment.swaps, p.alignment.parallel >= 0.5
    short = parallel and len(found) == 1 and max(len(found[0].old), len(found[0].new)) <= 2
    strong_left = [sum(unit.weight >= 1 for unit in units) for units in (p.old_left, p.new_left)]
    one = strong_left == [1, 1] and p.alignment.old_covered >= 0.3
    return {
        "swap_one": float(short),
        "swap_first": float(short and found[0].place < 0.34),
        "swap_last": float(short and found[0].place >= 0.5),
        "swap_more": float(parallel and len(found) > 1),
        "one_for_one": float(one),
        "one_for_one_late": float(one and not _topic_left(p.alignment.old_best)),
    }


def _alike(one: Unit, other: Unit) -> bool:
    """Whether two Chinese words differ but begin or end alike (铜管, 铝管): two of one kind."""
    return not one.key.isascii() and (one.key[-1] == other.key[-1] or one.key[0] == other.key[0])


def _topic_left(best: tuple[float, ...]) -> bool:
    """Whether nothing answers to the first content of a statement."""
    return bool(best) and best[0] < ANSWERED


def _label_differs(p: Pair) -> bool:
    """Whether the two begin with things of one name and different numbers (Gate 4, Gate 6)."""
    old, new = _label(p.old), _label(p.new)
    return old is not None and new is not None and old[0] == new[0] and old[1] != new[1]


def _topic_contrast(p: Pair) -> bool:
    """Whether the two begin with different things of one kind (铜管, 铝管)."""
    if not p.old.units or not p.new.units:
        return False
    a, b = p.old.units[0], p.new.units[0]
    if a.key == b.key or a.meanings & b.meanings:
        return False
    return _alike(a, b) or bool(a.sorts & b.sorts) or (a.proper and b.proper)


def _label(statement: Statement) -> tuple[str, str] | None:
    """What a statement begins with, and the number or letter that tells it from its like: Gate 4, A 组."""
    match = _labels().match(statement.folded)
    if match is None:
        return None
    return (match["before"] or match["after"], re.sub(r"\W", "", match["number"] or match["leading"]))


@cache
def _labels() -> re.Pattern[str]:
    book = lexicon.table("labels")
    before, after = (_either(book["before_zh"]), _either(book["before_en"])), _either(book["after_zh"])
    number = rf"[a-z]{{0,3}}[ -]?\d[a-z0-9-]*|[a-h](?![a-z])|[{CHINESE}]{{1,3}}"
    return re.compile(
        rf"(?:the |my |our )?(?:(?P<before>{before[0]}|{before[1]}) ?(?:number|no\.?|#|号)? ?"
        rf"(?P<number>{number})"
        rf"|(?P<leading>[a-h]|\d{{1,6}}|第?[{CHINESE}]{{1,3}}) ?(?P<after>{after}))"
    )


def _either(words: str) -> str:
    return "|".join(sorted(words.split(), key=len, reverse=True))
