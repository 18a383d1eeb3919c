"""The weekly brief (P4): the quarantine of some days as insights, kept in quarantine beside its fragments.

Nothing of it can be recalled until a person promotes it. What gives orders is no insight (B9).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from holdfast.model import check
from holdfast.model.actor import STEWARD, may
from holdfast.model.memory import Capture
from holdfast.remember import whole
from holdfast.remember.lookup import PAGE_MOST
from holdfast.rounds.carry import RUN
from holdfast.steward.brief import VOICES, Brief, Insight, clusters, how_many
from holdfast.steward.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from holdfast.scope import Scope

KEY = "insight"  # where in a capture's metadata its brief stands
VERB = "steward.brief"
TEXT = 300  # characters of an insight
QUOTED = 2000  # characters of a fragment that its cluster is made from


def brief(scope: Scope, *, at: datetime | None) -> Brief:
    """The newest one, where it is not a week old; else one made now, and kept where the actor may promote."""
    now = check.moment("at", at) if at is not None else scope.clock.now()
    scope.require("quarantine.read", now)
    known = current(scope, now)
    if known is not None:
        return known
    denied = frozenset(scope.profile.denied.get(scope.actor.role, ()))
    if not may(scope.actor.role, "promote", denied):
        return made(scope, now)
    return written(scope.seen_by(STEWARD), now, run="")[0]


def current(scope: Scope, at: datetime) -> Brief | None:
    """The newest brief, unless the next is due."""
    told = [capture for capture in _captures(scope) if KEY in capture.metadata and capture.at <= at]
    if not told:
        return None
    newest = max(capture.at for capture in told)
    if at >= newest + timedelta(days=scope.profile.brief.days):
        return None
    insights = [capture for capture in told if capture.at == newest]
    since = check.moment("since", insights[0].metadata[KEY]["since"])
    return Brief(
        space=scope.space,
        since=since,
        until=newest,
        insights=tuple(
            Insight(id=capture.id, text=capture.content, fragments=fragments_of(capture))
            for capture in insights
        ),
    )


def fragments_of(capture: Capture) -> tuple[str, ...]:
    """The captures that an insight is made of; of any other capture, itself."""
    told: Any = capture.metadata.get(KEY)
    return tuple(told["fragments"]) if isinstance(told, dict) else (capture.id,)


def written(scope: Scope, at: datetime, *, run: str) -> tuple[Brief, str]:
    """The brief that is due, kept; and the change, empty where there is nothing to keep or it is kept
    already.
    """
    known = current(scope, at)
    if known is not None:
        return known, ""
    new = made(scope, at)
    if not new.insights:
        return new, ""
    since = new.since.isoformat()
    captures = tuple(
        Capture(
            id=insight.id,
            content=insight.text,
            at=at,
            author=str(STEWARD),
            metadata={KEY: {"since": since, "fragments": list(insight.fragments)}},
        )
        for insight in new.insights
    )
    reasons = (f"{RUN}{run}", f"insight × {len(captures)}") if run else (f"insight × {len(captures)}",)
    plan = scope.plan(VERB, at, reasons=reasons)
    scope.store.apply(replace(plan, captures=captures))
    return new, plan.change


def made(scope: Scope, at: datetime) -> Brief:
    """What was captured in the days before, clustered and summarised; nothing is written."""
    rules = scope.profile.brief
    since = at - timedelta(days=rules.days)
    fragments = [
        capture
        for capture in _captures(scope)
        if since < capture.at <= at and KEY not in capture.metadata
        and not whole.poison(scope.judge, capture.content).holds
    ]  # fmt: skip
    return Brief(space=scope.space, since=since, until=at, insights=tuple(_insights(scope, fragments)))


def _insights(scope: Scope, fragments: Sequence[Capture]) -> Iterator[Insight]:
    if not fragments:
        return
    rules = scope.profile.brief
    vectors = scope.embedder.embed([capture.content[:QUOTED] for capture in fragments])
    for rows in clusters(vectors, how_many(len(fragments), rules.least, rules.most)):
        voices = [fragments[row] for row in rows[:VOICES]]
        words = [one.content[:QUOTED] for one in sorted(voices, key=lambda one: (one.at, one.id))]
        text = scope.judge.summarise(words, TEXT) or words[0][:TEXT]
        ids = tuple(fragments[row].id for row in rows)
        yield Insight(id=scope.clock.new_id(), text=text, fragments=ids)


def steps(made: Brief) -> list[Step]:
    """What a run or a plan says of a brief: a question for a person, an insight each."""
    why = "a week's quarantine, for a person to read"
    return [
        Step(
            rule="brief",
            what="insight",
            memory=insight.id,
            why=f"{why}: {len(insight.fragments)} fragments",
            writes=True,
        )
        for insight in made.insights
    ]


def _captures(scope: Scope) -> Iterator[Capture]:
    after = ""
    while page := scope.store.captures(after=after, limit=PAGE_MOST):
        yield from page
        after = page[-1].id
