"""From a decision to a commit: decide, apply, and decide again where the space changed meanwhile.

Nothing here knows what is decided. The first decision is made at once; whoever has to decide again keeps its
turn until it is through, and every other writer waits, so that a large batch is not overtaken for ever.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import Forbidden, StaleWrite
from holdfast.model.plan import Job
from holdfast.recall.indexing import indexed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Plan
    from holdfast.scope import Scope

Decided = TypeVar("Decided")

# Each stale try means that another writer got through; so many in a row, within one's own turn, mean a fault.
TRIES = 20
EMBED = "embed"


def write(scope: Scope, decide: Callable[[], tuple[Plan | None, Decided]]) -> Decided:
    """Applies the plan that `decide` returns, if any, and gives back what it decided."""
    plan, decided = decide()
    if plan is None:
        return decided
    with scope.store.turn():
        for _ in range(TRIES):
            try:
                scope.store.apply(plan)
            except StaleWrite:
                plan, decided = decide()
                if plan is None:
                    return decided
            else:
                return decided
    raise StaleWrite(f"space {scope.space!r} kept changing; nothing was written, try again")


def forbid(scope: Scope, why: str, at: datetime) -> Forbidden:
    """Records the attempt and returns the error to raise."""
    scope.store.apply(scope.plan("forbidden", at, reasons=(why,)))
    return Forbidden(f"{scope.actor} may not do this in {scope.space!r}: {why}")


def filled(
    plan: Plan, scope: Scope, puts: Iterable[Memory], *, vectors: Mapping[str, bytes | None] | None = None
) -> Plan:
    """The plan with these memories and their index rows. `vectors` names the memories whose embedded text is
    new (None: to be embedded later, by a job in the same commit); the others keep theirs.
    """
    told = vectors or {}
    memories = tuple(puts)
    rows = tuple(
        indexed(memory, told[memory.id]) if memory.id in told else indexed(memory, None, keep_vector=True)
        for memory in memories
    )
    late = any(vector is None for vector in told.values())
    jobs = (*plan.jobs, embedding(scope)) if late else plan.jobs
    return replace(plan, puts=memories, indexed=rows, embedder=scope.embedder.name, jobs=jobs)


def embedding(scope: Scope) -> Job:
    """Work for later: whatever waits for a vector of this embedder. One such job is enough for a space."""
    return Job(
        id=scope.clock.new_id(),
        kind=EMBED,
        key=f"{EMBED}:{scope.embedder.name}",
        payload={},
        run_at=scope.clock.now(),
    )
