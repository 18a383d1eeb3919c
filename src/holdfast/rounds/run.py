"""One run in one space: the rules in their order, page by page, each page a commit, until nothing is due.

A run that is cut off anywhere has done whole pages; the next one finds the rest due and goes on with its id.
Run twice, the second time finds nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError, InvalidInput, Unavailable
from holdfast.model.actor import STEWARD
from holdfast.recall import record
from holdfast.remember import late
from holdfast.rounds import appraise, briefs
from holdfast.rounds.carry import Turn, carried
from holdfast.rounds.held import held
from holdfast.rounds.lease import Lease
from holdfast.rounds.merging import merge_all
from holdfast.rounds.report import Round
from holdfast.rounds.rules import APPRAISE, BRIEF, EMBED, GROUPS, MERGE, ORDER, RULES, Rule, answered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.rounds.held import Held
    from holdfast.scope import Scope
    from holdfast.steward.steps import Step

PAGE = 500  # memories of one commit: a tenth of a second, in which other writers wait


@dataclass(slots=True)
class Doing:
    """A run under way."""

    turn: Turn
    lease: Lease
    told: Callable[[str, int, int], None]
    steps: list[Step] = field(default_factory=list)
    asked: list[Step] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    embedded: int = 0
    columns: Held | None = None  # as they were; None after anything was written

    def look(self) -> Held:
        """The space as columns, read again where this run changed it."""
        if self.columns is None:
            self.columns = held(self.turn.scope)
        return self.columns

    def take(self, steps: Sequence[Step], change: str) -> None:
        """What one page came to."""
        self.steps += [step for step in steps if not step.asks]
        self.asked += [step for step in steps if step.asks]
        if change:
            self.changes.append(change)
            self.columns = None


def chosen(rules: Iterable[str] | None) -> tuple[str, ...]:
    """The rules that were asked for, in the order of a round; all of them where nobody says."""
    if rules is None:
        return ORDER
    if isinstance(rules, str):
        rules = (rules,)
    wanted: set[str] = set()
    for name in rules:
        if name not in ORDER and name not in GROUPS:
            known = ", ".join((*GROUPS, *ORDER))
            raise InvalidInput("rules", f"hold {name!r:.80}", f"name some of {known}")
        wanted |= GROUPS.get(name, {name})
    return tuple(name for name in ORDER if name in wanted)


def run(scope: Scope, at: datetime, rules: Sequence[str], *, told: Callable[[str, int, int], None]) -> Round:
    """Everything that is due. Unavailable where another runner is at work in this space."""
    scope = scope.seen_by(STEWARD).hearing(behind=True)
    with Lease(scope) as lease:
        doing = Doing(Turn(scope, at, lease.run), lease, told)
        for name in rules:
            act = ACTS.get(name)
            if act is not None:
                act(doing)
            else:
                _pages(doing, RULES[name])
    return Round(
        space=scope.space,
        at=at,
        run=lease.run if doing.changes else "",
        steps=tuple(doing.steps),
        asked=tuple(doing.asked),
        changes=tuple(doing.changes),
        embedded=doing.embedded,
        errors=tuple(doing.errors),
    )


def _pages(doing: Doing, rule: Rule) -> None:
    turn = doing.turn
    profile = turn.scope.profile
    columns = doing.look()
    ids = columns.at(rule.due(columns, record.seconds(turn.at), profile))
    size = max(len(ids), 1) if rule.whole else PAGE

    def decide(memories: Mapping[str, Memory]) -> list[Step]:
        known = list(memories.values())
        answers = answered(turn.scope.judge, known, turn.at, profile=profile)
        return rule.decide(known, turn.at, profile, answers=answers)

    for start in range(0, len(ids), size):
        doing.lease.keep()
        doing.told(rule.name, start, len(ids))
        doing.take(*carried(turn, rule.name, ids[start : start + size], decide=decide))
    if ids:
        doing.told(rule.name, len(ids), len(ids))


def _merge(doing: Doing) -> None:
    """What cannot be compared now, for want of an embedder or an image, is compared by a later run."""
    try:
        for done, (steps, change) in enumerate(merge_all(doing.turn, doing.lease.keep), 1):
            doing.take(steps, change)
            doing.told(MERGE, done, done)
    except Unavailable as error:
        doing.errors.append(f"{MERGE}: {error}")


def _embed(doing: Doing) -> None:
    """Whatever waits for a vector (B7); where the embedder cannot be reached it goes on waiting."""
    try:
        while memories := late.waiting(doing.turn.scope):
            doing.lease.keep()
            stored = late.embed(doing.turn.scope, memories)
            doing.embedded += stored
            doing.told(EMBED, doing.embedded, doing.embedded)
            if not stored:
                return
    except HoldfastError as error:
        doing.errors.append(f"{EMBED}: {error}")


def _brief(doing: Doing) -> None:
    """The week's quarantine as insights, where the profile asks for it (P4)."""
    turn = doing.turn
    if not turn.scope.profile.brief.weekly:
        return
    try:
        brief, change = briefs.written(turn.scope, turn.at, run=turn.run)
    except Unavailable as error:
        doing.errors.append(f"{BRIEF}: {error}")
        return
    if change:
        doing.changes.append(change)
        doing.steps += briefs.steps(brief)


def _appraise(doing: Doing) -> None:
    """One by one, since a judge is asked, and each is a change of its own."""
    turn = doing.turn
    ids = appraise.faint(doing.look(), turn.at, turn.scope.profile)
    for done, id in enumerate(ids, 1):
        doing.lease.keep()
        doing.take(*appraise.appraised(turn, id))
        doing.told(APPRAISE, done, len(ids))


ACTS: dict[str, Callable[[Doing], None]] = {
    APPRAISE: _appraise,
    MERGE: _merge,
    EMBED: _embed,
    BRIEF: _brief,
}
"""What is more than a rule over pages."""
