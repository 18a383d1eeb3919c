"""The way out: a question to an answer. Constitution first and always, then gather, choose, show.

Whatever fails beyond the constitution leaves a degraded answer that says so. Only the winners are read from
the truth. Accesses are counted when the answer is made and written when nobody waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.model.actor import may
from holdfast.model.hit import Answer, Hit
from holdfast.model.layer import Layer, Mode
from holdfast.recall import hits, hot
from holdfast.recall.choose import Choice
from holdfast.recall.gather import gather
from holdfast.recall.hits import Setting
from holdfast.recall.question import question
from holdfast.recall.view import fetched, past
from holdfast.recall.wide import seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from holdfast.recall.choose import Chosen
    from holdfast.recall.gather import Gathered
    from holdfast.recall.question import Question
    from holdfast.recall.view import View
    from holdfast.scope import Scope

ENTITY_CONFIDENCE = 0.7  # A4, where neither the caller nor the profile says one


def recall(scope: Scope, asked: Question) -> Answer:
    """What is remembered about the question, best first."""
    scope.require("recall", asked.at)
    view, now = looked_at(scope, asked)
    recalled = answered(scope, view, asked, now=now)
    recalled.count(recalled.rows.values())
    return recalled.answer


def retrieve_entities(
    scope: Scope, query: str, *, min_confidence: float | None, limit: int, at: datetime | None
) -> tuple[Hit, ...]:
    """A4: over-fetch, filter, then relevance, heat and freshness, whatever the profile's own ranking is."""
    profile = scope.profile
    least = (profile.recall.min_confidence or ENTITY_CONFIDENCE) if min_confidence is None else min_confidence
    told = {"limit": limit, "min_confidence": least, "layers": Layer.FACT, "at": at}
    asked = replace(question(query, told, profile), ranking="heat", entities=True, hot=0)
    scope.require("recall", asked.at)
    view, now = looked_at(scope, asked)
    recalled = answered(scope, view, asked, now=now)
    recalled.count(recalled.rows.values())
    return recalled.answer.hits


@dataclass(frozen=True, slots=True)
class Recalled:
    """An answer with the rows behind its hits, whose accesses are yet to be counted."""

    answer: Answer
    rows: Mapping[str, int]
    count: Callable[[Iterable[int]], None]


def looked_at(scope: Scope, asked: Question) -> tuple[View, datetime]:
    """The state of the space that the question is about, and the time, in the zone it was asked in."""
    if asked.mode is Mode.DEBUG:
        scope.require("debug", asked.at)
    if asked.as_of is not None:
        return _shown_to(scope, past(scope, asked.as_of.astimezone(UTC))), asked.as_of
    now = asked.at or scope.clock.now()
    return _shown_to(scope, hot.shown(scope, seen(scope, asked, now), asked, now=now)), now


def _shown_to(scope: Scope, view: View) -> View:
    """The constitution is for everybody, but a profile may take it from a role."""
    role = scope.actor.role
    if may(role, "constitution.read", frozenset(scope.profile.denied.get(role, ()))):
        return view
    note = f"the constitution is not shown to the role {role} here"
    return replace(view, constitution=(), missing=(*view.missing, note))


def answered(scope: Scope, view: View, asked: Question, *, now: datetime) -> Recalled:
    """The answer from one state of the space; nothing is counted yet."""
    about: dict[str, Any] = {
        "space": scope.space,
        "mode": str(asked.mode),
        "layers": tuple(sorted(asked.layers)),
        "at": now,
        "embedder": scope.embedder.name,
        "memories": 0,
    }
    for name in ("kinds", "entity_type", "session", "min_confidence", "as_of"):
        if getattr(asked, name):
            value = getattr(asked, name)
            about[name] = tuple(sorted(value)) if isinstance(value, frozenset) else value
    answer = partial(
        Answer,
        query=asked.query,
        space=scope.space,
        mode=asked.mode,
        constitution=view.constitution,
        searched=about,
    )
    if view.frame is None:
        return Recalled(answer(hits=(), degraded=view.missing), {}, lambda _: None)
    gathered = gather(scope, view.frame, asked, now=now)
    chosen = Choice(scope, view, gathered, asked, now).chosen()
    about |= {"memories": int(np.count_nonzero(gathered.allowed)), "of": view.frame.live}
    if view.through:
        about["through"] = view.through
    setting = Setting(scope.profile, now, asked.mode, asked.language)
    shown = _shown(scope, view, gathered, chosen=chosen, setting=setting)
    degraded = (*view.missing, *gathered.degraded)
    told = answer(hits=shown, step=chosen.step, cut=chosen.cut, degraded=degraded)
    known = {view.frame.ids[row]: row for row in chosen.rows}
    rows = {hit.memory.id: known[hit.memory.id] for hit in shown}
    return Recalled(told, rows, partial(_count, scope, view, asked=asked, now=now))


def _shown(
    scope: Scope, view: View, gathered: Gathered, *, chosen: Chosen, setting: Setting
) -> tuple[Hit, ...]:
    """Hot ones, ranked ones, the latest ones, as hits; the memories of all in one read."""
    memories = fetched(scope, view, chosen.rows)
    ranked = hits.cold(chosen, gathered.scores, memories, setting=setting)
    working = hits.hot([memories[row] for row in chosen.hot if row in memories], setting)
    latest = [memories[row] for row in chosen.latest if row in memories]
    return (*working, *ranked, *hits.newest(latest, setting, after=len(ranked)))


def _count(scope: Scope, view: View, rows: Iterable[int], *, asked: Question, now: datetime) -> None:
    """One access each, unless the past is looked at, or the machinery (debug)."""
    if view.image is not None and asked.mode is not Mode.DEBUG:
        scope.images.accessed(scope.store, view.image, np.array([*rows], np.intp), at=now.astimezone(UTC))
