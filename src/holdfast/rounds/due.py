"""Which rows of a space a rule has to look at now: conditions over whole columns, so that a memory for which
nothing is due costs no Python. Pure. A row too many costs a look; the rule itself decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer, Level
from holdfast.model.status import Mark, Status
from holdfast.recall import record
from holdfast.recall.weights import traces, weights
from holdfast.steward import formulas
from holdfast.steward.fade import BY_IMPORTANCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from holdfast.profile.schema import Profile
    from holdfast.rounds.held import Held

STANDING = (Status.ACTIVE, Status.REVIEW)
LONG_TERM = (Layer.FACT, Layer.EPISODE)
_KEPT = record.marks_of([Mark.CORE, Mark.SYSTEM])
_NEGATED = record.MARK_BIT[Mark.NEGATED]
_LEVEL = {level: code for code, level in enumerate(record.LEVELS)}


def _among(codes: NDArray[np.uint8], wanted: Iterable[int]) -> NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(wanted)] = True
    return np.asarray(table[codes])


def standing(held: Held, layers: Iterable[Layer], statuses: Iterable[Status]) -> NDArray[np.bool_]:
    """Rows of these layers in one of these states."""
    inside = _among(held.records["layer"], map(record.layer_code, layers))
    return inside & _among(held.records["status"], map(record.status_code, statuses))


def _free(held: Held) -> NDArray[np.bool_]:
    """Neither core nor system nor promoted."""
    return np.asarray(((held.records["marks"] & _KEPT) == 0) & np.isnan(held.records["promoted"]))


def session(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """Working memory whose hours are over (M6)."""
    mask = standing(held, [Layer.SESSION], [*STANDING, Status.EXPIRED])
    ends = held.records["expires"]
    ends = np.where(np.isnan(ends), held.records["created"] + profile.session.hours * 3600.0, ends)
    return np.asarray(mask & (ends <= now))


def expire(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """What has passed its own end, and what did so long ago (M3)."""
    ended = standing(held, LONG_TERM, STANDING) & (held.records["expires"] <= now)
    days = profile.retention.expired_days
    if days <= 0:
        return np.asarray(ended)
    old = held.records["updated"] + days * formulas.SECONDS_A_DAY <= now
    return np.asarray(ended | (standing(held, LONG_TERM, [Status.EXPIRED]) & old))


def fade(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """Importance used up (C5), episodes nobody touched (C2)."""
    mask = standing(held, LONG_TERM, STANDING) & _free(held)
    due = np.zeros(held.size, np.bool_)
    found = traces(held, now, profile.salience)
    if profile.retention.episode_days > 0:
        due |= found.episode & (found.access_days >= profile.retention.episode_days)
    if profile.salience.formula == BY_IMPORTANCE:
        due |= weights(held, now, profile)[0] < profile.salience.delete_below
    return np.asarray(mask & due)


def faint(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """Facts whose importance is low enough to be looked at again (C6); episodes have their days (C2)."""
    if profile.salience.formula != BY_IMPORTANCE:
        return np.zeros(held.size, np.bool_)
    now_left = weights(held, now, profile)[0]
    low = (now_left < profile.salience.review_below) & (now_left >= profile.salience.delete_below)
    return np.asarray(standing(held, [Layer.FACT], STANDING) & _free(held) & low)


def review(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """Old and hardly used, or in use and not updated for long (A6)."""
    rules = profile.review
    age = formulas.days_since(held.records["created"], now)
    quiet = formulas.days_since(held.records["updated"], now)
    seen = formulas.days_since(held.accessed, now)
    lately = seen <= rules.spared_days  # nan: never, which is not lately
    idle = (rules.idle_days > 0) & (age > rules.idle_days) & (held.counts <= rules.idle_accesses)
    stale = (rules.stale_days > 0) & (quiet > rules.stale_days) & lately
    mask = standing(held, LONG_TERM, STANDING) & _free(held)
    return np.asarray(mask & ((idle & ~lately & (quiet > rules.spared_days)) | stale))


def compress(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """Not activated for as long as its level asks for (E15)."""
    rules = profile.compress
    mask = standing(held, LONG_TERM, STANDING) & _free(held)
    mask &= held.records["sensitivity"] < rules.keep_from
    slow = np.where(held.records["sensitivity"] == 1, rules.general_factor, 1.0)
    idle = formulas.days_since(held.records["activated"], now)
    level = held.records["level"]
    due = np.zeros(held.size, np.bool_)
    for name, days in (
        (Level.FULL, rules.summary_days * held.kind),
        (Level.SUMMARY, rules.trace_days * held.kind),
        (Level.TRACE, np.full(held.size, rules.archive_days)),
    ):
        due |= (level == _LEVEL[name]) & (days > 0) & (idle >= days * slow)
    mask &= due
    heavier = level != _LEVEL[Level.FULL]
    if (mask & heavier).any():
        most = np.where(level == _LEVEL[Level.TRACE], rules.archive_weight, rules.trace_weight)
        mask &= ~heavier | (weights(held, now, profile)[0] <= most)
    return np.asarray(mask)


def purge(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """What was deleted or archived for as long as it is kept (E16)."""
    quiet = formulas.days_since(held.records["updated"], now)
    layers = [layer for layer in Layer if layer is not Layer.CONSTITUTION]
    # All of them: when one was deleted no column tells, and there are few.
    due = standing(held, layers, [Status.DELETED])
    if profile.retention.delete_archived:
        due |= standing(held, layers, [Status.ARCHIVED]) & (quiet > profile.retention.archived_days)
    return np.asarray(due)


def recheck(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """The constitution, which is short (M2)."""
    del now, profile
    return standing(held, [Layer.CONSTITUTION], STANDING)


def verify(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """The most used of what has faded, so many as a day has room for; and what was verified in the last day,
    which takes of that room (M4).
    """
    rules, records = profile.salience, held.records
    facts = standing(held, [Layer.FACT], STANDING)
    since = np.where(np.isnan(records["verified"]), records["created"], records["verified"])
    left = formulas.confidence(records["confidence"], formulas.days_since(since, now), rules)
    asked = (records["marks"] & record.MARK_BIT[Mark.NEEDS_VERIFICATION]) != 0
    due = np.flatnonzero(facts & (asked | (left < rules.verify_below)))
    # Of equal use and confidence the one made first: ids rise with the rows.
    order = np.lexsort((due, left[due], -held.counts[due]))[: rules.verify_per_day]
    mask = facts & (records["verified"] > now - formulas.SECONDS_A_DAY) & (records["verified"] <= now)
    mask[due[order]] = True
    return np.asarray(mask)


def mergeable(held: Held, now: float, profile: Profile) -> NDArray[np.bool_]:
    """What may be merged, as far as columns tell (E9)."""
    del now
    records = held.records
    mask = standing(held, [Layer.FACT], STANDING) & _free(held) & ((records["marks"] & _NEGATED) == 0)
    mask &= (records["sensitivity"] < profile.compress.keep_from) & (records["entity"] == 0)
    for time in ("verified", "expires", "uncertain"):
        mask &= np.isnan(records[time])
    return np.asarray(mask & (records["level"] <= _LEVEL[Level.SUMMARY]))
