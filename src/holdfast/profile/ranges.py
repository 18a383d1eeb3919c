"""What each key of a profile may be: bounds of numbers, closed lists of names, and what must fit together.

The loader reads these tables; `docs/profiles.md` prints them. A test holds them against the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from holdfast.model.actor import RIGHTS, Role
from holdfast.model.layer import Layer
from holdfast.profile.schema import (
    CONFLICT_RULES,
    FALLBACKS,
    HEARD_AS,
    LOW_GRADES,
    RANKINGS,
    STRATEGIES,
    WEIGHT_FORMULAS,
    Profile,
)

SHARE = (0.0, 1.0)
DAYS = (0.0, 36_500.0)  # a century
TOKENS = (0, 10_000_000)

RANGES: Mapping[str, tuple[float, float]] = {
    "kinds": (0.1, 10.0),
    "admit.accept": SHARE,
    "admit.pending": SHARE,
    "admit.max_chars": (1, 10_000_000),
    "reconcile.related": SHARE,
    "reconcile.merge": SHARE,
    "reconcile.same": SHARE,
    "reconcile.candidates": (1, 1000),
    "reconcile.uncertain_below": SHARE,
    "reconcile.judge_confidence": SHARE,
    "reconcile.source_cap": SHARE,
    "salience.alpha": (0.0, 10.0),
    "salience.boost": (0.0, 10.0),
    "salience.boost_decay": (0.0, 10.0),
    "salience.penalty_floor": SHARE,
    "salience.penalty_decay": (0.0, 10.0),
    "salience.negation_drop": SHARE,
    "salience.momentum": (0.0, 10.0),
    "salience.momentum_rate": (0.0, 10.0),
    "salience.recent_days": DAYS,
    "salience.frequent_mentions": (2, 12),  # a memory keeps the newest twelve (model.memory.RECENT_KEPT)
    "salience.frequent_hours": (0.0, 24.0 * 365),
    "salience.frequent_boost": (0.0, 10.0),
    "salience.frequent_momentum": (0.0, 10.0),
    "salience.weight_min": (0.0, 100.0),
    "salience.weight_max": (0.0, 100.0),
    "salience.version_cap": (0.0, 100.0),
    "salience.user_factor": (0.1, 10.0),
    "salience.importance": (0.0, 100.0),
    "salience.importance_boost": (0.0, 10.0),
    "salience.importance_decay": SHARE,
    "salience.importance_grace_days": DAYS,
    "salience.episode_decay": SHARE,
    "salience.core_at": (0.0, 100.0),
    "salience.review_above": (0.0, 100.0),
    "salience.review_below": (0.0, 100.0),
    "salience.delete_below": (0.0, 100.0),
    "salience.confidence_decay": SHARE,
    "salience.verify_below": SHARE,
    "salience.verify_per_day": (0, 10_000),
    "compress.summary_days": DAYS,
    "compress.trace_days": DAYS,
    "compress.trace_weight": (0.0, 100.0),
    "compress.archive_days": DAYS,
    "compress.archive_weight": (0.0, 100.0),
    "compress.general_factor": (1.0, 100.0),
    "compress.keep_from": (0, 4),
    "compress.batch": (2, 1000),
    "compress.summary_chars": (20, 20_000),
    "compress.trace_chars": (10, 2000),
    "retention.deleted_days": DAYS,
    "retention.archived_days": DAYS,
    "retention.expired_days": DAYS,
    "retention.episode_days": DAYS,
    "review.idle_days": DAYS,
    "review.idle_accesses": (0, 1_000_000),
    "review.spared_days": DAYS,
    "review.kept_accesses": (0, 1_000_000),
    "review.stale_days": DAYS,
    "brief.days": (0.1, 366.0),
    "brief.least": (1, 100),
    "brief.most": (1, 100),
    "brief.piece": (20, 20_000),
    "brief.overlap": (0, 10_000),
    "constitution.max_entries": (1, 1000),
    "constitution.max_chars": (1, 10_000),
    "constitution.confirmations": (1, 10),
    "constitution.restore_days": DAYS,
    "constitution.recheck_days": DAYS,
    "constitution.token_minutes": (0.1, 60.0 * 24 * 30),
    "session.hours": (0.0, 24.0 * 365),
    "session.keep": (1, 100_000),
    "session.min_confidence": SHARE,
    "session.min_bytes": (0, 1_000_000),
    "converse.episode_chars": (50, 10_000),
    "recall.limit": (1, 1000),
    "recall.normal_weight": (0.0, 100.0),
    "recall.review_weight": (0.0, 100.0),
    "recall.vector": SHARE,
    "recall.words": SHARE,
    "recall.min_similarity": SHARE,
    "recall.good_similarity": SHARE,
    "recall.enough": (0, 1000),
    "recall.few": (0, 1000),
    "recall.latest": (0, 1000),
    "recall.session_days": DAYS,
    "recall.hot": (0, 1000),
    "recall.overfetch": (1, 100),
    "recall.min_confidence": SHARE,
    "recall.relevance_share": SHARE,
    "recall.heat_share": SHARE,
    "recall.heat_full": (1, 1_000_000_000),
    "recall.fresh_share": SHARE,
    "recall.fresh_days": (0.001, 36_500.0),
    "recall.salience": SHARE,
    "recall.verified_boost": SHARE,
    "context.budget": TOKENS,
    "context.constitution": TOKENS,
    "context.fact": TOKENS,
    "context.session": TOKENS,
    "context.question": TOKENS,
    "context.reserve": TOKENS,
}

_ROLES = tuple(str(role) for role in Role)
_LAYERS = tuple(str(layer) for layer in Layer)
_LONG = tuple(name for name in _LAYERS if name not in (Layer.CONSTITUTION, Layer.QUARANTINE))
_LANGUAGES = ("zh", "en")

# What the names in a list, or the values of a table, are chosen from.
NAMES: Mapping[str, Sequence[str]] = {
    "default_layer": _LONG,
    "admit.low": LOW_GRADES,
    "admit.graded": _ROLES,
    "admit.waiting": _ROLES,
    "admit.agent_layers": _LONG,
    "reconcile.conflict": CONFLICT_RULES,
    "reconcile.default": STRATEGIES,
    "reconcile.strategies": STRATEGIES,
    "salience.formula": WEIGHT_FORMULAS,
    "converse.heard_as": HEARD_AS,
    "recall.layers": _LONG,
    "recall.ranking": RANKINGS,
    "recall.fallback": FALLBACKS,
    "labels.language": _LANGUAGES,
    "denied": tuple(sorted(frozenset().union(*RIGHTS.values()))),
}

# What the keys of a table are chosen from; `kinds` stands for the profile's own kinds.
KEYS: Mapping[str, Sequence[str]] = {
    "denied": _ROLES,
    "labels.hot": _LANGUAGES,
    "labels.verified": _LANGUAGES,
    "labels.unverified": _LANGUAGES,
}

# Keys whose names must be kinds of the profile itself: the table's keys, the list's items, or the value.
OF_KINDS = ("default_kind", "admit.waiting_kinds", "reconcile.strategies")

Fit = tuple[str, Callable[[Profile], bool], str]

# (key to name in the error, what must hold, how to say it)
FITS: Sequence[Fit] = (
    ("admit.pending", lambda p: p.admit.pending <= p.admit.accept, "must not be above admit.accept"),
    (
        "reconcile.related",
        lambda p: p.reconcile.related <= p.reconcile.merge,
        "must not be above reconcile.merge",
    ),
    ("reconcile.merge", lambda p: p.reconcile.merge <= p.reconcile.same, "must not be above reconcile.same"),
    (
        "salience.weight_min",
        lambda p: p.salience.weight_min <= p.salience.weight_max,
        "must not be above salience.weight_max",
    ),
    ("brief.least", lambda p: p.brief.least <= p.brief.most, "must not be above brief.most"),
    ("brief.overlap", lambda p: p.brief.overlap < p.brief.piece, "must be below brief.piece"),
    (
        "salience.delete_below",
        lambda p: p.salience.delete_below <= p.salience.review_below <= p.salience.core_at,
        "must not be above salience.review_below, nor that above salience.core_at",
    ),
    (
        "recall.review_weight",
        lambda p: p.recall.review_weight <= p.recall.normal_weight,
        "must not be above recall.normal_weight",
    ),
    (
        "recall.min_similarity",
        lambda p: p.recall.min_similarity <= p.recall.good_similarity,
        "must not be above recall.good_similarity",
    ),
    ("recall.few", lambda p: p.recall.few <= p.recall.enough, "must not be above recall.enough"),
    (
        "recall.vector",
        lambda p: (p.recall.vector is None) == (p.recall.words is None),
        'and recall.words must both be numbers, or both be "best"',
    ),
    (
        "labels.language",
        lambda p: all(
            p.labels.language in words for words in (p.labels.hot, p.labels.verified, p.labels.unverified)
        ),
        "must be a language that every label is written in",
    ),
    (
        "context.budget",
        lambda p: p.context.budget >= _sections(p),
        "must be at least the sum of constitution, fact, session, question and reserve",
    ),
)


def _sections(profile: Profile) -> int:
    part = profile.context
    return part.constitution + part.fact + part.session + part.question + part.reserve
