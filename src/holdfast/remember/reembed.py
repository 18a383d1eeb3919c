"""Another embedder for a space, without a pause (B7): its vectors are built beside the old ones while reads
and writes go on, then the catalog names it, in one write. Killed on the way, it goes on where it stopped.

The old vectors stay until they are dropped, so that going back costs only what was written since. A writer
that began before the switch may end after it: what it wrote is embedded at once, or by a job a little later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.embedders import name_of
from holdfast.errors import InvalidInput, NotFound, Unavailable
from holdfast.remember import late
from holdfast.remember.writing import embedding

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.model.space import SpaceRecord
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.store import Store
    from holdfast.scope import Scope

# A verb that began with the old embedder has ended by then, unless it waited for a lock all that time.
STRAGGLERS_AFTER = timedelta(seconds=90)
PROBE = "早上喝什么 / what to drink in the morning"


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What became of it. `made` are the vectors made now, `dropped` the old ones that were thrown away."""

    space: str
    embedder: str
    before: str
    made: int
    dropped: int


@dataclass(frozen=True, slots=True)
class Move:
    """One space on its way to another embedder. `told` hears how many of how many vectors are there."""

    scope: Scope
    house: Store
    to: Embedder
    written: str
    told: Callable[[int, int], None]

    def record(self) -> SpaceRecord:
        found = self.house.find(self.scope.space)
        if found is None:
            raise NotFound(f"the space {self.scope.space!r} is gone")
        return found


def back(record: SpaceRecord) -> str:
    """What is written of the embedder before this one."""
    if not record.embedder_before:
        raise InvalidInput("back", f"finds no embedder before this one of {record.name!r}", "name one")
    return record.embedder_before


def reembed(move: Move, *, drop_old: bool) -> Reembedded:
    """Builds, switches, and throws away what is old where asked."""
    scope = replace(move.scope, embedder=move.to, written=move.written)
    scope.require("manage")
    _probe(move.to)
    made = _build(scope, move)
    if name_of(move.record().embedder) != move.to.name:
        made += _switch(scope, move)
        made += _build(scope, move)  # what those wrote who began before the switch
        scope.store.enqueue([replace(embedding(scope), run_at=scope.clock.now() + STRAGGLERS_AFTER)])
    before = name_of(move.record().embedder_before)
    dropped = _drop(scope, move, before) if drop_old and before else 0
    return Reembedded(scope.space, move.to.name, before, made, dropped)


def _probe(embedder: Embedder) -> None:
    """An embedder that cannot answer is nothing to go over to."""
    shape = embedder.embed([PROBE]).shape
    if shape != (1, embedder.dimensions):
        raise Unavailable(f"{embedder.name} gives {shape} numbers, where it says {embedder.dimensions}")


def _build(scope: Scope, move: Move) -> int:
    """Until hardly anything waits; where somebody writes all the time, something always does."""
    made, full = 0, True
    while full and (memories := late.waiting(scope)):
        made, full = made + late.embed(scope, memories), len(memories) == late.BATCH
        counts = scope.store.embedders()
        done = counts.get(move.to.name, 0)
        move.told(done, max(done, *counts.values()))
    return made


def _switch(scope: Scope, move: Move) -> int:
    """In a turn, so that hardly anybody writes between the last vector and the switch."""
    with scope.store.turn():
        made = _build(scope, move)
        record = move.record()
        now = scope.clock.now()
        told = f"from {name_of(record.embedder) or 'none'} to {move.to.name}"
        scope.store.apply(scope.plan("reembed", now, reasons=(told,)))
        move.house.update(replace(record, embedder=move.written, embedder_before=record.embedder))
    return made


def _drop(scope: Scope, move: Move, before: str) -> int:
    dropped = scope.store.drop_vectors(before)
    move.house.update(replace(move.record(), embedder_before=""))
    return dropped
