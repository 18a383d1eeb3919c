"""What has been done, counted under the names of E19, from the reasons that the ledger keeps. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.steward.matrix import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.model.plan import Entry

PASSIVE, ACTIVATED, NEGATED = "passive_compression_count", "user_activation_count", "negation_count"
FREQUENT, MERGED = "frequent_reinforce_count", "batch_merge_count"
COUNTS = (PASSIVE, ACTIVATED, NEGATED, FREQUENT, MERGED)
BANDS = (0.1, 0.3, 0.6, 1.0, 1.5)  # of the distribution: E13's floor of 0.3 and the middle of the scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """E19. The counts are of all time, without what was undone; the weights are of what is alive now."""

    passive_compression_count: int
    user_activation_count: int
    negation_count: int
    frequent_reinforce_count: int
    batch_merge_count: int
    avg_weight: float
    weight_distribution: Mapping[str, int]


def counts(entries: Iterable[Entry]) -> Counter[str]:
    """How often what happened. An undone change counts no more, until its undo is undone."""
    kept: dict[str, Counter[str]] = {}
    taken: dict[str, tuple[str, Counter[str]]] = {}  # undo → what it undid, and what that counted
    for entry in entries:
        if entry.undoes in kept:
            taken[entry.change] = (entry.undoes, kept.pop(entry.undoes))
        elif entry.undoes in taken:
            change, counted = taken.pop(entry.undoes)
            kept[change] = counted
        else:
            found = _of(entry)
            if found:
                kept[entry.change] = found
    return sum(kept.values(), Counter())


def _of(entry: Entry) -> Counter[str]:
    found: Counter[str] = Counter()
    if entry.verb == "steward.compress":
        found[PASSIVE] = len(entry.touched)
    elif entry.verb == "steward.merge":
        found[MERGED] = 1
    elif entry.verb == "attach":
        found[ACTIVATED] = len(entry.touched)
    elif entry.verb == "negate" and "negate" in entry.reasons:
        found[NEGATED] = 1
    for reason in entry.reasons:
        _said(found, reason)
    return found


def _said(found: Counter[str], reason: str) -> None:
    """A reason of the way in: "reinforced: merge × 2", "superseded: negate"."""
    words, _, times = reason.partition(" × ")
    decision, _, note = words.partition(": ")
    count = int(times) if times.isdecimal() else 1
    if decision == "reinforced":
        found[ACTIVATED] += count
        found[FREQUENT] += count if note == Action.MERGE else 0
    elif Action.NEGATE in note.split(", "):
        found[NEGATED] += count


def distribution(weights: Sequence[float]) -> dict[str, int]:
    """How many weights lie in which band: "<0.1", "0.1–0.3", …, "≥1.5"."""
    edges = (0.0, *BANDS, float("inf"))
    return {
        _band(low, high): sum(low <= weight < high for weight in weights) for low, high in pairwise(edges)
    }


def _band(low: float, high: float) -> str:
    if low <= 0.0:
        return f"<{high:g}"
    return f"≥{low:g}" if high == float("inf") else f"{low:g}–{high:g}"
