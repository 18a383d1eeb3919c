"""The rules rehearsed: what they would do today (a plan) or day by day (a forecast), touching nothing (B5).

A rehearsal takes the same steps as a run on the same memories; what people will say meanwhile nobody knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.errors import Unavailable
from holdfast.recall import record
from holdfast.rounds import appraise, briefs
from holdfast.rounds.held import Rehearsed
from holdfast.rounds.merging import merges
from holdfast.rounds.report import Day, Forecast, Round
from holdfast.rounds.rules import APPRAISE, BRIEF, MERGE, RULES, WEEKLY, answered
from holdfast.steward.steps import NO_ANSWERS
from holdfast.steward.weighing import weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope
    from holdfast.steward.steps import Step

DAY = timedelta(days=1)
WEEK = 7


@dataclass(frozen=True, slots=True)
class Point:
    """The weight of a memory on one day, with its factors."""

    at: datetime
    weight: float


def plan(scope: Scope, at: datetime, rules: Sequence[str]) -> Round:
    """What `run` would do now, and why. Somebody waits for it, so no model is asked."""
    scope = scope.hurried()
    rehearsed, errors = Rehearsed(scope), []
    steps: list[Step] = []
    for name in rules:
        try:
            steps += _taken(scope, rehearsed, name, at=at, judged=True)
        except Unavailable as error:
            errors.append(f"{name}: {error}")
    return Round(
        space=scope.space,
        at=at,
        steps=tuple(step for step in steps if not step.asks),
        asked=tuple(step for step in steps if step.asks),
        errors=tuple(errors),
    )


def forecast(scope: Scope, at: datetime, days: int, *, rules: Sequence[str]) -> Forecast:
    """Day by day, as if nobody said anything more. A question is told on the day it is first asked; what is
    asked once a week falls on every seventh day. Somebody waits for it, so no model is asked.
    """
    scope = scope.hurried()
    rehearsed = Rehearsed(scope)
    asked: set[tuple[str, str]] = set()
    calendar = []
    for count in range(days + 1):
        now = at + count * DAY
        today = [
            step
            for name in rules
            if (name not in WEEKLY or count % WEEK == 0) and (name != MERGE or count == 0)
            for step in _taken(scope, rehearsed, name, at=now, judged=count == 0)
        ]
        new = tuple(step for step in today if step.asks and (step.rule, step.memory) not in asked)
        asked |= {(step.rule, step.memory) for step in new}
        steps = tuple(step for step in today if not step.asks)
        if steps or new:
            calendar.append(Day(at=now, steps=steps, asked=new))
    return Forecast(space=scope.space, since=at, days=days, calendar=tuple(calendar))


def _taken(scope: Scope, rehearsed: Rehearsed, name: str, *, at: datetime, judged: bool) -> list[Step]:
    """The steps of one rule, and the rehearsal as they leave it. Only today is the judge asked."""
    if name == MERGE:
        steps = list(merges(scope, at, rehearsed.get))
    elif name == APPRAISE:
        low = rehearsed.get(appraise.faint(rehearsed.columns, at, scope.profile))
        steps = list(appraise.rehearsed(list(low.values()), at, scope.profile))
    elif name == BRIEF:
        asked = judged and scope.profile.brief.weekly and briefs.current(scope, at) is None
        return briefs.steps(briefs.made(scope, at)) if asked else []
    elif name in RULES:
        steps = _ruled(scope, rehearsed, name, at=at, judged=judged)
    else:
        return []
    for step in steps:
        rehearsed.take(_stamped(step, at), {step.memory: True} if step.purge else {})
    return steps


def _ruled(scope: Scope, rehearsed: Rehearsed, name: str, *, at: datetime, judged: bool) -> list[Step]:
    rule, profile, columns = RULES[name], scope.profile, rehearsed.columns
    memories = list(rehearsed.get(columns.at(rule.due(columns, record.seconds(at), profile))).values())
    answers = answered(scope.judge, memories, at, profile=profile) if judged else NO_ANSWERS
    return rule.decide(memories, at, profile, answers=answers)


def _stamped(step: Step, at: datetime) -> Iterator[Memory]:
    """The memories as a commit at that time would leave them."""
    for memory in step.puts:
        yield replace(memory, updated_at=max(at, memory.created_at))


def curve(scope: Scope, memory: Memory, at: datetime, *, days: int) -> tuple[Point, ...]:
    """The weight of one memory on every day, as if nobody said anything more (B5)."""
    moments = [at + count * DAY for count in range(days + 1)]
    return tuple(Point(now, float(weight(memory, now, scope.profile)[0])) for now in moments)
