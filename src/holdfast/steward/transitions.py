"""What a mention, a doubt, a negation or a correction changes in a memory: pure functions, Memory → Memory.

The version is counted by whoever puts the result into a plan, once, however many of these it went through.
`created_at` never moves, and nothing but a mention moves `last_activated_at` (E6).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.model.layer import Level
from holdfast.model.memory import RECENT_KEPT, Correction, Memory
from holdfast.model.status import Mark, Status, change
from holdfast.steward.weighing import factors_of, importance_now, product, traces

if TYPE_CHECKING:
    from holdfast.profile.schema import Profile


# Why a step of a correction history was taken.
NEGATED, CORRECTED, CHANGED = "negated", "corrected", "changed"


def is_frequent(memory: Memory, at: datetime, profile: Profile) -> bool:
    """Whether a mention now is the third saying within 24 hours (E7); being written down was the first."""
    since = at - timedelta(hours=profile.salience.frequent_hours)
    said = sum(since <= time <= at for time in _sayings(memory))
    return said + 1 >= profile.salience.frequent_mentions


def mentioned(memory: Memory, at: datetime, profile: Profile) -> Memory:
    """Said again at a time: refreshed, counted, lifted. A mention never lowers W (E2, E4, E6, E7).

    One that is told late counts, and turns no clock back.
    """
    last = memory.mentioned_at
    late = last is not None and at < last
    changed = replace(
        memory,
        mentions=memory.mentions + 1,
        mentioned_at=last if late else at,
        last_activated_at=max(memory.last_activated_at, at),
        updated_at=max(memory.updated_at, at),
        recent_mentions=tuple(sorted((*memory.recent_mentions, at))[-RECENT_KEPT:]),
    )
    if is_frequent(memory, at, profile):
        changed = replace(
            changed, momentum=profile.salience.frequent_momentum, momentum_until=_window_end(changed, profile)
        )
    return changed if late else replace(changed, boost=_boost(memory, changed, at, profile=profile))


def negate(memory: Memory, at: datetime, profile: Profile, *, content: str = "", by: str = "") -> Memory:
    """Taken back (E8): C drops at once and stays; what was said instead joins the history; no clock moves."""
    del profile  # how far C drops is worked out when the weight is
    return replace(
        _corrected(memory, Correction(at, NEGATED, content, by)),
        marks=memory.marks | {Mark.NEGATED},
        negated_at=at,
        reaffirmed_at=None,
        uncertain_since=None,
    )


def reaffirm(memory: Memory, at: datetime, profile: Profile) -> Memory:
    """Said to be so after all: a mention. What was negated recovers along its curve (E3), a doubt ends."""
    again = replace(memory, uncertain_since=None)
    if Mark.NEGATED in memory.marks:
        again = replace(
            again, marks=memory.marks - {Mark.NEGATED}, negated_at=None, reaffirmed_at=at, superseded_by=""
        )
    return mentioned(again, at, profile)


def correct(memory: Memory, at: datetime, profile: Profile, *, content: str = "", by: str = "") -> Memory:
    """A fact that is no longer so: expired (E11, latest_wins)."""
    del profile
    return replace(
        _corrected(memory, Correction(at, CORRECTED, content, by)),
        status=change(memory.status, Status.EXPIRED),
        valid_from=memory.valid_from or memory.created_at,
        valid_to=at,
    )


def version_kept(
    memory: Memory, at: datetime, profile: Profile, *, content: str = "", by: str = ""
) -> Memory:
    """A preference that changed: a trace with its span of time, at a low weight (E11, version_keep)."""
    return replace(
        _corrected(memory, Correction(at, CHANGED, content, by)),
        status=change(memory.status, Status.SUPERSEDED),
        level=Level.TRACE,
        weight_cap=profile.salience.version_cap,
        valid_from=memory.valid_from or memory.created_at,
        valid_to=at,
    )


def balanced(memory: Memory, at: datetime, profile: Profile) -> Memory:
    """Nobody knows: both live, the old one slowly yields (E11, weight_balance; E3, the published curve)."""
    del profile
    since = memory.uncertain_since or at
    return replace(memory, uncertain_since=since, updated_at=max(memory.updated_at, at))


def boosted(memory: Memory, at: datetime, profile: Profile) -> Memory:
    """It shaped a reply: importance grows from where it stands now (C4), and the grace starts again."""
    now = importance_now(memory, at, profile)
    return replace(
        memory,
        importance=now + profile.salience.importance_boost,
        last_activated_at=max(memory.last_activated_at, at),
        updated_at=max(memory.updated_at, at),
    )


def kept(memory: Memory, at: datetime, profile: Profile) -> Memory:
    """A review found it worth keeping: importance is where reviews begin, and the grace starts again (C6)."""
    return replace(
        memory,
        importance=profile.salience.review_below,
        last_activated_at=max(memory.last_activated_at, at),
        updated_at=max(memory.updated_at, at),
    )


def _corrected(memory: Memory, step: Correction) -> Memory:
    return replace(
        memory,
        corrections=(*memory.corrections, step),
        updated_at=max(memory.updated_at, step.at),
    )


def _sayings(memory: Memory) -> list[datetime]:
    """When it was said, oldest first: written down once, mentioned since."""
    return sorted((memory.created_at, *memory.recent_mentions))


def _window_end(memory: Memory, profile: Profile) -> datetime:
    """How long three sayings lie within 24 hours: until the third newest is a day old; never shortened."""
    third = _sayings(memory)[-profile.salience.frequent_mentions]
    end = third + timedelta(hours=profile.salience.frequent_hours)
    return max(end, memory.momentum_until or end)


def _boost(before: Memory, after: Memory, at: datetime, *, profile: Profile) -> float:
    """0.5, or 0.3 where frequent mentions are merged; more only where W would fall otherwise (E7)."""
    salience = profile.salience
    usual = salience.frequent_boost if is_frequent(before, at, profile) else salience.boost
    without = product(factors_of(traces(replace(after, boost=0.0), at, profile), salience))
    had = product(factors_of(traces(before, at, profile), salience))
    return float(max(usual, had / without - 1.0)) if without > 0 else usual
