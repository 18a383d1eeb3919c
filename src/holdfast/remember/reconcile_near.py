"""What is near a case and was judged: which of it can agree or disagree, and what becomes of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.model.layer import Layer
from holdfast.model.status import Mark
from holdfast.ports.judge import Relation
from holdfast.remember.conflict import EFFECTS, effect_of
from holdfast.remember.known import LIVE, Dispute

if TYPE_CHECKING:
    from holdfast.model.memory import Memory
    from holdfast.remember.desk import Desk
    from holdfast.remember.known import Case, Near

DISAGREES = frozenset({Relation.NEGATES, Relation.CORRECTS})


@dataclass(frozen=True, slots=True)
class Settled:
    """A dispute with the effect it has and why."""

    dispute: Dispute
    effect: str
    why: str


def comparable(case: Case, memory: Memory) -> bool:
    """Whether a near memory can agree or disagree with this one: a fact, said by the same speaker."""
    draft = case.admission.draft
    if memory.layer is not Layer.FACT or memory.status not in LIVE:
        return False
    if draft.speaker and memory.speaker and draft.speaker != memory.speaker:
        return False
    return memory.entity_type == draft.entity_type


def pairs(case: Case, desk: Desk) -> list[tuple[Memory, Near]]:
    """What is near and was judged, each memory once, as it is on the desk now."""
    seen: dict[str, tuple[Memory, Near]] = {}
    for near in case.near:
        memory = desk.get(near.id) if near.related is not None else None
        if memory is None or memory.id in seen:
            continue
        if near.explicit or comparable(case, memory):
            seen[memory.id] = (memory, near)
    return list(seen.values())


def disputes(case: Case, desk: Desk, *, but: str = "") -> list[Settled]:
    """Every near memory that cannot stand beside this one, and what would become of it."""
    found = []
    for memory, near in pairs(case, desk):
        if memory.id == but or Mark.NEGATED in memory.marks or near.related is None:
            continue
        if near.related.label in DISAGREES:
            entity = bool(case.admission.draft.entity_type)
            dispute = Dispute(memory, near.related, near.similarity, entity, near.explicit)
            found.append(Settled(dispute, *effect_of(dispute, case.admission, desk.standing)))
    return found


def carry_out(settled: list[Settled], new: Memory, *, case: Case, desk: Desk) -> tuple[str, ...]:
    """Changes the old memories; returns their ids."""
    for one in settled:
        changed = EFFECTS[one.effect](one.dispute.old, new, case.admission.at, profile=desk.standing.profile)
        desk.change(changed, case.admission.at, one.why)
    return tuple(one.dispute.old.id for one in settled)
