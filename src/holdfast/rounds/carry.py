"""Steps carried out: one plan and one ledger entry a page, decided again where the space changed meanwhile.

The ledger's reasons name the run and count what was done; that is all the record there is (`log` reads it).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.remember.change import vectors
from holdfast.remember.desk import Desk
from holdfast.remember.known import Standing
from holdfast.remember.writing import filled, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Plan
    from holdfast.scope import Scope
    from holdfast.steward.steps import Step

VERB = "steward."
RUN = "run "
CHANGE = "change "  # a step that another room carried out under a change of its own


@dataclass(frozen=True, slots=True)
class Turn:
    """One run in one space: what every rule of it works with."""

    scope: Scope
    at: datetime
    run: str


def carried(
    turn: Turn, rule: str, ids: Sequence[str], *, decide: Callable[[Mapping[str, Memory]], Sequence[Step]]
) -> tuple[Sequence[Step], str]:
    """Reads the memories, decides, commits; returns the steps and the change (empty: nothing was done)."""

    def decided() -> tuple[Plan | None, tuple[Sequence[Step], str]]:
        memories = turn.scope.store.get(ids)
        steps = decide(memories)
        doing = [step for step in steps if not step.asks]
        if not doing:
            return None, (steps, "")
        plan = planned(turn, rule, doing, memories=memories)
        return plan, (steps, plan.change)

    return write(turn.scope, decided)


def planned(turn: Turn, rule: str, steps: Sequence[Step], *, memories: Mapping[str, Memory]) -> Plan:
    """One plan for all of the steps. A merge makes new words, which are embedded; what only became shorter
    keeps the vector of its whole words.
    """
    scope = turn.scope
    desk = Desk(memories, Standing(scope.space, scope.actor, scope.profile, turn.at))
    for memory in (memory for step in steps for memory in step.puts):
        if memory.id in memories:
            desk.change(memory, turn.at)
        else:
            desk.add(memory, 0, 0)
    bare = {id: b"" for step in steps for id in step.bare}
    new = desk.fresh()
    fresh = vectors(scope, desk, new) if new else {}
    plan = scope.plan(VERB + rule, turn.at, reasons=reasons(turn, steps))
    plan = filled(plan, scope, desk.puts(), vectors={**fresh, **bare})
    purges = tuple(step.memory for step in steps if step.purge)
    return replace(plan, purges=purges)


def reasons(turn: Turn, steps: Sequence[Step]) -> tuple[str, ...]:
    """The run, and how often what was done; of a purge also by which policy (E16)."""
    told = Counter(
        f"{step.what} ({step.why.partition(':')[0]})" if step.purge else step.what for step in steps
    )
    return (RUN + turn.run, *(f"{what} × {count}" for what, count in told.items()))
