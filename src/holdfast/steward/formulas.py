"""The formulas of salience, each written once: over plain numbers, or elementwise over numpy columns.

Pure. Days are never negative; NEVER stands for "it did not happen". The golden tables hold the figures.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.profile.schema import Recall, Salience

Figure = Any  # a float, or a numpy array of floats (of booleans where a condition is meant)

NEVER = math.nan  # in place of days, or of a cap: there is none
SECONDS_A_DAY = 86_400.0


def days_since(then: Figure, now: Figure) -> Figure:
    """Days between two times in seconds; what lies in the future counts as 0."""
    return most((now - then) / SECONDS_A_DAY, 0.0)


def time_weight(days: Figure, kind: Figure, salience: Salience) -> Figure:
    """w_time of E1; `kind` is the importance I, and U acts here and nowhere else (E18)."""
    return 1.0 / (1.0 + salience.alpha * salience.user_factor / kind * days)


def semantic_boost(boost: Figure, days: Figure, salience: Salience) -> Figure:
    """S of E2: `boost` is its height at the last mention, 0 before the first."""
    return chosen(days >= 0.0, 1.0 + boost * exp(-salience.boost_decay * days), 1.0)


def conflict_penalty(negated: Figure, reaffirmed: Figure, uncertain: Figure, *, salience: Salience) -> Figure:
    """C of E3 in its cases, the first that holds: negated; days since reaffirmed; days uncertain; 1."""
    floor, drop, decay = salience.penalty_floor, salience.negation_drop, salience.penalty_decay
    balanced = floor + (1.0 - floor) * exp(-decay * uncertain)
    recovering = 1.0 - drop * exp(-decay * reaffirmed)
    doubt = chosen(uncertain >= 0.0, balanced, 1.0)
    return chosen(negated, 1.0 - drop, chosen(reaffirmed >= 0.0, recovering, doubt))


def momentum(recent: Figure, added: Figure, salience: Salience) -> Figure:
    """M of E4 for `recent` mentions; `added` is what frequent mentions lend while their window lasts (E7)."""
    return 1.0 + salience.momentum * (1.0 - exp(-salience.momentum_rate * recent)) + added


def clamped(weight: Figure, cap: Figure, salience: Salience) -> Figure:
    """W within its bounds, and under the cap of a kept version (E11)."""
    within = least(most(weight, salience.weight_min), salience.weight_max)
    return capped(within, cap)


def capped(weight: Figure, cap: Figure) -> Figure:
    """Not above the cap, where there is one."""
    return chosen(cap >= 0.0, least(weight, cap), weight)


def heat(relevance: Figure, accesses: Figure, days: Figure, *, recall: Recall) -> Figure:
    """A4: relevance, use and freshness by their shares; `days` since the memory was updated."""
    used = least(accesses / recall.heat_full, 1.0)
    fresh = most(1.0 - days / recall.fresh_days, 0.0)
    return recall.relevance_share * relevance + recall.heat_share * used + recall.fresh_share * fresh


def importance(
    start: Figure, days: Figure, episode: Figure, *, protected: Figure, salience: Salience
) -> Figure:
    """C5 (C2 for episodes): fades by the day after the grace without access; core and system never do."""
    faded_days = most(days - salience.importance_grace_days, 0.0)
    decay = chosen(episode, salience.episode_decay, salience.importance_decay)
    kept = either(protected, start >= salience.core_at)
    return chosen(kept, start, start * decay**faded_days)


def confidence(original: Figure, days: Figure, salience: Salience) -> Figure:
    """M4: what is left of a confidence `days` after it was verified."""
    return original * salience.confidence_decay**days


def exp(value: Figure) -> Figure:
    return math.exp(value) if isinstance(value, int | float) else _numpy().exp(value)


def least(one: Figure, other: Figure) -> Figure:
    plain = isinstance(one, int | float) and isinstance(other, int | float)
    return min(one, other) if plain else _numpy().minimum(one, other)


def most(one: Figure, other: Figure) -> Figure:
    plain = isinstance(one, int | float) and isinstance(other, int | float)
    return max(one, other) if plain else _numpy().maximum(one, other)


def chosen(condition: Figure, one: Figure, other: Figure) -> Figure:
    if isinstance(condition, bool):
        return one if condition else other
    return _numpy().where(condition, one, other)


def either(one: Figure, other: Figure) -> Figure:
    return one or other if isinstance(one, bool) and isinstance(other, bool) else one | other


def _numpy() -> Any:
    """Loaded only where columns are handed in, whose maker has loaded it already."""
    import numpy as np

    return np
