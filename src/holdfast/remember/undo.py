"""Undo of one change, and return of a whole space to a point in time (B4).

Both write the earlier state as a new version: the history keeps what was, what was changed and that it was
undone. What was purged cannot come back, and the constitution goes its own way (three confirmations).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, InvalidInput
from holdfast.model import check
from holdfast.model.layer import Decision, Layer
from holdfast.model.plan import Listing, Outcome
from holdfast.model.status import Status
from holdfast.remember.change import editing, vectors
from holdfast.remember.desk import Desk
from holdfast.remember.lookup import PAGE_MOST, read
from holdfast.remember.writing import filled, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Entry, Plan, Touched
    from holdfast.remember.change import Editing
    from holdfast.scope import Scope


def undo(scope: Scope, change: str, *, at: datetime | None) -> Outcome:
    """Every memory that the change touched goes back to the version before it; all of them, or none."""
    edit = editing(scope, "undo", right="undo", at=at)
    entry = scope.store.change(check.text("change", change))
    _undoable(entry)

    def decided() -> tuple[Plan, Outcome]:
        desk = Desk(read(scope, [touched.id for touched in entry.touched]), edit.standing)
        for touched in entry.touched:
            _back(edit, desk, touched, entry=entry)
        plan = replace(_plan(edit, desk, f"undone: {entry.verb}"), undoes=entry.change)
        return plan, _told(desk, plan, f"undone: {entry.verb} of {entry.at:%Y-%m-%d %H:%M} UTC")

    return write(scope, decided)


def _undoable(entry: Entry) -> None:
    if any(touched.before == touched.after for touched in entry.touched):
        raise IllegalChange(f"{entry.change} purged words, which cannot come back")
    if not entry.touched:
        raise IllegalChange(f"{entry.change} ({entry.verb}) changed no memory, so there is nothing to undo")


def _back(edit: Editing, desk: Desk, touched: Touched, *, entry: Entry) -> None:
    scope, now = edit.scope, desk.need(touched.id)
    if now.layer is Layer.CONSTITUTION:
        raise IllegalChange(f"{entry.change} touched the constitution; use constitution.propose_change")
    versions = {memory.version: memory for memory in scope.store.versions(touched.id)}
    if not same_state(now, versions[touched.after]):
        raise IllegalChange(_meanwhile(scope, touched.id, entry))
    before = versions.get(touched.before)
    if before is None:
        desk.change(_never_said(now, edit), edit.at, f"undone: {entry.verb}")
        return
    if not before.content:
        raise IllegalChange(f"{touched.id} was purged since; its words cannot come back")
    desk.return_to(before, edit.at, f"undone: {entry.verb}")


def same_state(one: Memory, other: Memory) -> bool:
    """Whether two versions say the same; version numbers and access counts are no part of what they
    say.
    """
    return _bare(one) == _bare(other)


def _bare(memory: Memory) -> Memory:
    return replace(memory, version=1, access_count=0, accessed_at=None)


def _never_said(memory: Memory, edit: Editing) -> Memory:
    """What the change made, hidden like anything a user deletes; it can be redone by undoing the undo."""
    return replace(
        memory,
        status=Status.DELETED,
        deleted_at=edit.at,
        deletion="user_delete",
        reason="the change was undone",
    )


def _meanwhile(scope: Scope, id: str, entry: Entry) -> str:
    """Which later changes stand in the way, newest first."""
    later: list[Entry] = []
    after = entry.number
    while page := scope.store.entries(after=after, limit=PAGE_MOST, memory=id):
        later += page
        after = page[-1].number
    undone: dict[str, str] = {}  # change → the undo that holds
    for one in reversed(later):
        if one.undoes and one.change not in undone:
            undone.setdefault(one.undoes, one.change)
    if entry.change in undone:
        return f"{entry.change} was undone before, by {undone[entry.change]}; undo that to have it again"
    known = {one.change for one in later}
    standing = [one for one in reversed(later) if one.change not in undone and one.undoes not in known]
    ways = ", ".join(f"{one.change} ({one.verb})" for one in standing)
    return f"{id} changed since {entry.change}; undo first, in this order: {ways}"


def restore_to(scope: Scope, moment: datetime, *, at: datetime | None) -> Outcome:
    """Every memory as it stood at that moment; what was made since is hidden. One change, which can be
    undone.
    """
    edit = editing(scope, "restore_to", right="undo", at=at)
    moment = check.moment("moment", moment)
    if moment > edit.at:
        raise InvalidInput("moment", "is in the future", "give a time that has passed")
    scope.images.flush(scope.store)

    def decided() -> tuple[Plan | None, Outcome]:
        seen = scope.store.sequence()
        current = {memory.id: memory for memory in _all(scope)}
        desk = Desk(current, edit.standing)
        passed = _restored(
            edit, desk, current, then={memory.id: memory for memory in scope.store.as_of(moment)}
        )
        why = f"as it was at {moment:%Y-%m-%d %H:%M:%S} UTC"
        if not desk.puts():
            return None, Outcome(
                decision=Decision.ACCEPTED, memory=None, reasons=(f"it is {why} already", *passed)
            )
        plan = replace(_plan(edit, desk, why), seen=seen)
        return plan, _told(desk, plan, why, *passed)

    return write(scope, decided)


def _restored(
    edit: Editing, desk: Desk, current: dict[str, Memory], *, then: dict[str, Memory]
) -> tuple[str, ...]:
    """Puts every difference on the desk; returns what was passed over, and why."""
    passed: dict[str, int] = {}
    for id, memory in current.items():
        before = then.get(id)
        if memory.layer is Layer.CONSTITUTION:
            differs = before is None or not same_state(memory, before)
            passed["the constitution stays as it is"] = (
                passed.get("the constitution stays as it is", 0) + differs
            )
        elif before is None:
            if memory.status is not Status.DELETED:
                desk.change(_never_said(memory, edit), edit.at, "it was not there then")
        elif not memory.content or not before.content:
            passed["what was purged stays so"] = passed.get("what was purged stays so", 0) + 1
        elif not same_state(memory, before):
            desk.return_to(before, edit.at, "as it was then")
    return tuple(f"{why} ({count})" for why, count in passed.items() if count)


def _all(scope: Scope) -> Iterator[Memory]:
    after = ""
    while page := scope.store.list(Listing(after=after, limit=PAGE_MOST)):
        yield from page
        after = page[-1].id


def _plan(edit: Editing, desk: Desk, why: str) -> Plan:
    plan = edit.scope.plan(edit.verb, edit.at, reasons=(why,))
    puts = desk.puts()
    plan = filled(plan, edit.scope, puts, vectors=vectors(edit.scope, desk, puts))
    return replace(plan, weights=tuple(desk.weights))


def _told(desk: Desk, plan: Plan, *reasons: str) -> Outcome:
    puts = desk.puts()
    return Outcome(
        decision=Decision.ACCEPTED,
        memory=puts[0] if len(puts) == 1 else None,
        reasons=reasons,
        touched=tuple(memory.id for memory in puts),
        change=plan.change,
    )
