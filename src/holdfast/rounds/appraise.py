"""What has faded below the figure is looked at again before it goes (C6): the reviewer decides, one by one.

What rises is reviewed when it rises (`remember.review`). A rehearsal takes every one of them for kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange
from holdfast.recall import record
from holdfast.remember.review import review
from holdfast.rounds import due
from holdfast.rounds.carry import CHANGE, RUN, VERB
from holdfast.rounds.rules import APPRAISE
from holdfast.steward import salience
from holdfast.steward.steps import Step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile
    from holdfast.rounds.carry import Turn
    from holdfast.rounds.held import Held


def faint(columns: Held, at: datetime, profile: Profile) -> list[str]:
    """Ids of what is below the figure, and not yet due to be deleted."""
    return columns.at(due.faint(columns, record.seconds(at), profile))


def appraised(turn: Turn, id: str) -> tuple[Sequence[Step], str]:
    """One review, told under the run; nothing where somebody put the memory away meanwhile."""
    try:
        found = review(turn.scope, id, at=turn.at)
    except IllegalChange:
        return (), ""
    change, what = found.outcome.change, found.decision.lower()
    told = (f"{RUN}{turn.run}", f"{what} × 1", f"{CHANGE}{change}")
    turn.scope.store.apply(turn.scope.plan(VERB + APPRAISE, turn.at, reasons=told))
    why = "; ".join(reason for step in found.steps for reason in step.reasons) or "a review looked at it"
    return (Step(rule=APPRAISE, what=what, memory=id, why=why, writes=True),), change


def rehearsed(memories: Sequence[Memory], at: datetime, profile: Profile) -> Iterator[Step]:
    """As if all of them were kept."""
    why = f"importance is under {profile.salience.review_below:g}: a review decides"
    for memory in memories:
        kept = salience.kept(memory, at, profile)
        yield Step(rule=APPRAISE, what="review", memory=memory.id, why=why, puts=(kept,))
