"""Whether a text contradicts itself or what is known (row P2).

Against what is known a text is inconsistent where it negates or corrects it. Within one text, two statements
contradict one another only where they are one sentence but for a no, or but for what fills a single-valued
slot: "I used to, but no longer" tells a change, and a change contradicts nothing.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from holdfast.judge.rules.features import features
from holdfast.judge.rules.pair import Pair, pair
from holdfast.judge.rules.relation import PLAIN, plainly, relation
from holdfast.judge.rules.text import clauses, fold, sentences
from holdfast.ports.judge import Relation, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

_RETIRING = frozenset({Relation.NEGATES, Relation.CORRECTS})
_STATEMENTS = 12  # compared with each other; 66 pairs take about 20 ms
_SHORTEST = 2  # characters of a statement worth comparing


def consistent(text: str, known: Sequence[str] = ()) -> Verdict:
    """Holds unless a contradiction is found; `score` is how sure the text is consistent."""
    told = _statements(text)
    for one, other in combinations(told, 2):
        if (found := _contradiction(one, other)) is not None:
            return Verdict(holds=False, score=round(1 - PLAIN, 3), reasons=(found, f"{one} / {other}"))
    return _against(told or [text], known)


def _statements(text: str) -> list[str]:
    """The sentences of a text, and the clauses of those that have several."""
    told: list[str] = []
    for sentence in sentences(text):
        parts = [part.strip(" ,，、;；:：") for part in clauses(sentence)]
        told.extend(part for part in parts if len(part) >= _SHORTEST)
    return told[:_STATEMENTS]


def _contradiction(one: str, other: str) -> str | None:
    """Why two statements of one text cannot both hold."""
    laid = pair(one, other)
    found = plainly(features(laid), laid)
    if found is Relation.NEGATES and not _tells(laid, "change", "cessation", "past", "now"):
        return "it says yes and no of one thing"
    if found is Relation.CORRECTS and not _tells(laid, "change", "cessation", "past", "now", "correction"):
        return f"it gives two values for one slot: {laid.slots[0]}"
    return None


def _tells(laid: Pair, *cues: str) -> bool:
    """Whether one of the two has a word of these classes that the other has not."""
    return any(set(laid.old.cues[cue]) != set(laid.new.cues[cue]) for cue in cues)


def _against(told: list[str], known: Sequence[str]) -> Verdict:
    worst, reasons = 0.0, tuple[str, ...]()
    whole = "".join(told)
    for stored in known:
        for statement in dict.fromkeys((whole, *told)):
            found = relation(stored, statement)
            if found.label in _RETIRING and found.confidence > worst:
                worst, reasons = found.confidence, (*found.reasons, f"{fold(stored)} / {statement}")
    return Verdict(holds=worst == 0, score=round(1 - worst, 3), reasons=reasons)
