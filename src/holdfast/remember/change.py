"""What every edit of stored memories shares: read them, decide, embed what got new words, commit once.

`change` hands each memory to a decision and turns the desk into a plan; a decision that puts nothing writes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, Unavailable
from holdfast.model import check
from holdfast.model.actor import Role
from holdfast.model.layer import Decision, Layer
from holdfast.model.plan import Outcome
from holdfast.recall.indexing import embedded_text
from holdfast.remember.conflict import doubt_of
from holdfast.remember.desk import Desk
from holdfast.remember.known import Ruling, Standing
from holdfast.remember.lookup import known, read
from holdfast.remember.writing import filled, forbid, write

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Plan
    from holdfast.scope import Scope


@dataclass(frozen=True, slots=True)
class Editing:
    """One edit under way."""

    scope: Scope
    verb: str
    at: datetime

    @property
    def standing(self) -> Standing:
        return Standing(self.scope.space, self.scope.actor, self.scope.profile, self.at)

    def put(self, desk: Desk, memory: Memory, why: str) -> Ruling:
        """The memory in its new state, with a line in the weight log."""
        desk.change(memory, self.at, why)
        return Ruling(Decision.ACCEPTED, (why,), note=self.verb, memory=memory.id, touched=(memory.id,))


Decide = Callable[[Desk, "Memory"], Ruling]


def editing(scope: Scope, verb: str, *, right: str, at: object) -> Editing:
    """Checks time and right; a missing right is recorded and raised."""
    moment = check.moment("at", at) if at is not None else scope.clock.now()
    scope.require(right, moment)
    return Editing(scope, verb, moment)


def change(edit: Editing, ids: Sequence[str], decide: Decide, *, needs: bool = False) -> list[Outcome]:
    """One plan for all of the ids, an Outcome each. `needs`: also read what each is in conflict with."""
    names = [check.text("id", id) for id in ids]

    def decided() -> tuple[Plan | None, list[Outcome]]:
        desk = Desk(_read(edit.scope, names, needs=needs), edit.standing)
        rulings = [decide(desk, desk.need(id)) for id in names]
        plan = planned(edit, desk, rulings)
        return plan, [outcome(ruling, desk, plan) for ruling in rulings]

    return write(edit.scope, decided)


def _read(scope: Scope, ids: Sequence[str], *, needs: bool) -> dict[str, Memory]:
    found = read(scope, ids)
    if needs:
        beside = {other for memory in found.values() for other in memory.conflicts_with}
        found |= known(scope, sorted(beside - found.keys()))
    return found


def planned(edit: Editing, desk: Desk, rulings: Sequence[Ruling]) -> Plan | None:
    """The plan of what is on the desk, or of a refusal, which is recorded; None where there is neither."""
    puts, reasons = desk.puts(), tuple(dict.fromkeys(ruling.note for ruling in rulings if ruling.note))
    if not puts and not any(ruling.decision is Decision.REFUSED for ruling in rulings):
        return None
    plan = edit.scope.plan(edit.verb, edit.at, reasons=reasons)
    plan = filled(plan, edit.scope, puts, vectors=vectors(edit.scope, desk, puts))
    return replace(plan, captures=tuple(desk.captures), weights=tuple(desk.weights))


def vectors(scope: Scope, desk: Desk, puts: Sequence[Memory]) -> dict[str, bytes | None]:
    """Vectors of those whose embedded text is new; None for all where the embedder cannot be reached."""
    texts = {memory.id: embedded_text(memory) for memory in puts}
    new = [id for id, text in texts.items() if _was(desk, id) != text]
    if not new:
        return {}
    secret = {memory.id: b"" for memory in puts if memory.sealed and memory.id in new}  # never has one (E14)
    new = [id for id in new if id not in secret]
    try:
        rows = scope.embedder.embed([texts[id] for id in new]) if new else ()
    except Unavailable:
        return {**dict.fromkeys(new), **secret}
    return {id: row.tobytes() for id, row in zip(new, rows, strict=True)} | secret


def _was(desk: Desk, id: str) -> str | None:
    stored = desk.stored(id)
    return None if stored is None else embedded_text(stored)


def outcome(ruling: Ruling, desk: Desk, plan: Plan | None) -> Outcome:
    return Outcome(
        decision=ruling.decision,
        memory=desk.get(ruling.memory) if ruling.memory else None,
        reasons=ruling.reasons,
        touched=tuple(dict.fromkeys(ruling.touched)),
        change=plan.change if plan is not None else "",
        conflicts=ruling.conflicts,
        capture=ruling.capture,
    )


def nothing(memory: Memory, why: str) -> Ruling:
    """It is so already."""
    return Ruling(Decision.ACCEPTED, (why,), memory=memory.id)


def guard(edit: Editing, memory: Memory) -> None:
    """Who may change this memory in place: not the constitution this way, and not an agent what a person
    vouched for.
    """
    if memory.layer is Layer.CONSTITUTION:
        if edit.scope.actor.role is not Role.OWNER:
            raise forbid(edit.scope, "only an owner changes the constitution", edit.at)
        raise IllegalChange(
            f"{memory.id} is in the constitution; use constitution.propose_change, propose_delete or restore"
        )
    why = doubt_of(memory, edit.standing)
    if why:
        raise forbid(edit.scope, f"{why}; say the new statement with remember, and it waits for one", edit.at)


def guard_words(edit: Editing, memory: Memory) -> None:
    """Working memory is a record of what was said; where the profile says so, its words stay (M6)."""
    if memory.layer is Layer.SESSION and not edit.scope.profile.session.editable:
        raise IllegalChange(
            f"{memory.id} is working memory, a record that this profile does not let anybody edit; "
            "remember the correction instead"
        )
