"""From what the arms found to an order: the profile's ranking, by name, over columns of candidates. Pure.

Salience re-orders what is relevant and does not vote (a vote of recency was measured to cost two thirds of
the recall). Every factor of a score is kept for `explain`. Equal scores: the newer first, then by id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.recall.weights import weights
from holdfast.steward import formulas

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.profile.schema import Profile


@dataclass(frozen=True, slots=True)
class Candidates:
    """The rows under consideration; every array has one entry a candidate."""

    rows: NDArray[np.intp]
    relevance: NDArray[np.float64]
    """0..1, in the order of the arms' fusion."""
    similarity: NDArray[np.float64]
    """Calibrated, of the row to the question; below 0 where there is no vector."""
    told: NDArray[np.bool_]
    """Whether anything but likeness found the row: a word, a concept, a time."""
    exact: NDArray[np.bool_]
    """Whether the question names it exactly (M11, layer 1)."""
    records: NDArray[np.void]
    kind: NDArray[np.float64]
    """Importance I of each one's kind."""
    at: NDArray[np.float64]
    accesses: NDArray[np.int64]
    accessed: NDArray[np.float64]

    def some(self, places: NDArray[np.intp]) -> Candidates:
        """These of them, in this order."""
        return Candidates(*(getattr(self, name)[places] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates with their scores, what each is made of, and the weight that thresholds speak of."""

    found: Candidates
    score: NDArray[np.float64]
    weight: NDArray[np.float64]
    factors: Mapping[str, Any]
    """Each a column, or one number for all."""
    formula: str

    def factors_of(self, place: int) -> dict[str, float]:
        """Those of one candidate."""
        return {n: float(values[place] if np.ndim(values) else values) for n, values in self.factors.items()}


Factors = dict[str, Any]
Ranking = Callable[..., tuple[Any, Factors, str]]
"""Candidates and their weights, at a time (`now`), by a profile: the scores, their factors, the formula."""


def ranked(found: Candidates, now: float, profile: Profile, *, ranking: str = "") -> Ranked:
    """By the ranking that the profile names, or by another one that is asked for."""
    weight, factors = weights(found, now, profile)
    score, parts, formula = RANKINGS[ranking or profile.recall.ranking](
        found, weight, now=now, profile=profile
    )
    every = {"relevance": found.relevance, **parts, **factors, "weight": weight}
    return Ranked(found, np.asarray(score, np.float64), weight, every, formula)


def best_first(found: Ranked, ids: Sequence[str]) -> NDArray[np.intp]:
    """Places in order of score, the newer first among equals, then by id. `ids` are those of the rows."""
    order = np.lexsort((-found.found.at, -found.score))
    score, at = found.score[order], found.found.at[order]
    if ((score[1:] == score[:-1]) & (at[1:] == at[:-1])).any():
        rows = found.found.rows
        key = lambda place: (-found.score[place], -found.found.at[place], ids[int(rows[place])])
        order = np.array(sorted(order.tolist(), key=key), np.intp)
    return order


def _relevance(found: Candidates, weight: Any, *, now: float, profile: Profile) -> tuple[Any, Factors, str]:
    """The weight takes away up to its share: what is faded slips behind what is as relevant and fresh."""
    del now
    share, most = profile.recall.salience, profile.salience.weight_max
    if profile.salience.formula == "none" or not share:
        return found.relevance, {}, "relevance"
    salience = 1.0 - share * (1.0 - np.minimum(weight / most, 1.0))
    formula = f"relevance · (1 − {share:g} · (1 − weight / {most:g}))"
    return found.relevance * salience, {"salience": salience}, formula


def _weight(found: Candidates, weight: Any, *, now: float, profile: Profile) -> tuple[Any, Factors, str]:
    """E13: what matters and is alive leads among what is relevant."""
    del now
    share, most = profile.recall.salience, profile.salience.weight_max
    salience = np.minimum(weight / most, 1.0)
    score = (1.0 - share) * found.relevance + share * salience
    return score, {"salience": salience}, f"{1 - share:g} · relevance + {share:g} · weight / {most:g}"


def _heat(found: Candidates, weight: Any, *, now: float, profile: Profile) -> tuple[Any, Factors, str]:
    """A4, as published."""
    del weight
    recall = profile.recall
    days = formulas.days_since(found.records["updated"], now)
    score = formulas.heat(found.relevance, found.accesses, days, recall=recall)
    used = np.minimum(found.accesses / recall.heat_full, 1.0)
    fresh = np.maximum(1.0 - days / recall.fresh_days, 0.0)
    formula = (
        f"{recall.relevance_share:g} · relevance"
        f" + {recall.heat_share:g} · min(accesses / {recall.heat_full}, 1)"
        f" + {recall.fresh_share:g} · max(0, 1 − days since update / {recall.fresh_days:g})"
    )
    return score, {"heat": used, "freshness": fresh, "accesses": found.accesses, "days": days}, formula


def _verified(found: Candidates, weight: Any, *, now: float, profile: Profile) -> tuple[Any, Factors, str]:
    """M11: recently verified first. Recent fades as confidence does (M4)."""
    del weight
    boost = profile.recall.verified_boost
    days = formulas.days_since(found.records["verified"], now)
    recent = np.nan_to_num(formulas.confidence(1.0, days, profile.salience))
    decay = profile.salience.confidence_decay
    formula = f"relevance + {boost:g} · {decay:g}^(days since verified)"
    return found.relevance + boost * recent, {"verified": recent}, formula


def _importance(found: Candidates, weight: Any, *, now: float, profile: Profile) -> tuple[Any, Factors, str]:
    """C5: importance as it is now, on the scale on which core is 1."""
    del now
    share, core = profile.recall.salience, profile.salience.core_at
    salience = np.minimum(weight / core, 1.0)
    score = (1.0 - share) * found.relevance + share * salience
    return score, {"salience": salience}, f"{1 - share:g} · relevance + {share:g} · importance / {core:g}"


RANKINGS: Mapping[str, Ranking] = {
    "relevance": _relevance,
    "weight": _weight,
    "heat": _heat,
    "verified": _verified,
    "importance": _importance,
}
