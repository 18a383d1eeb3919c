"""What every run did, read from the ledger, which is all the record there is; and taking it back.

An undone step is told as undone. A purge cannot be taken back, nor can what a person changed since.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, NotFound
from holdfast.model.layer import Decision
from holdfast.model.plan import Outcome
from holdfast.remember import undo as undoing
from holdfast.remember.lookup import PAGE_MOST
from holdfast.rounds.carry import CHANGE, RUN, VERB

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from holdfast.model.plan import Entry
    from holdfast.scope import Scope


@dataclass(slots=True)
class Run:
    """One run: the time it acted as of, what it did how often, and the changes that can be undone."""

    run: str
    at: datetime
    done: dict[str, int] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    memories: int = 0


def entries(scope: Scope) -> Iterator[Entry]:
    """The whole ledger, oldest first."""
    after = 0
    while page := scope.store.entries(after=after, limit=PAGE_MOST):
        yield from page
        after = page[-1].number


def runs(scope: Scope) -> list[Run]:
    """Every run that did anything, oldest first."""
    found: dict[str, Run] = {}
    owner: dict[str, Run] = {}
    undos: dict[str, str] = {}  # undo → what it undid
    for entry in entries(scope):
        if entry.undoes:
            undos[entry.change] = entry.undoes
            _undone(owner, undos, entry)
        run = run_of(entry)
        if run:
            known = found.setdefault(run, Run(run, entry.at))
            _add(known, entry)
            owner |= dict.fromkeys(known.changes, known)
    return list(found.values())


def _undone(owner: dict[str, Run], undos: dict[str, str], entry: Entry) -> None:
    """An undo takes a change back; an undo of that undo brings it again."""
    if entry.undoes in owner:
        owner[entry.undoes].undone.append(entry.undoes)
    again = undos.get(entry.undoes, "")
    if again in owner and again in owner[again].undone:
        owner[again].undone.remove(again)


def run_of(entry: Entry) -> str:
    """The run that wrote the entry; empty for everybody else."""
    told = entry.reasons[0] if entry.reasons else ""
    return told.removeprefix(RUN) if entry.verb.startswith(VERB) and told.startswith(RUN) else ""


def _add(run: Run, entry: Entry) -> None:
    rule = entry.verb.removeprefix(VERB)
    others = [reason.removeprefix(CHANGE) for reason in entry.reasons if reason.startswith(CHANGE)]
    run.changes += others or [entry.change]
    run.memories += len(entry.touched)
    for reason in entry.reasons[1:]:
        what, times, count = reason.rpartition(" × ")
        if times and count.isdecimal():
            name = f"{rule}: {what}"
            run.done[name] = run.done.get(name, 0) + int(count)


def undo(scope: Scope, run: str, *, at: datetime | None) -> list[Outcome]:
    """Takes a whole run back, the last change first. What cannot be (a purge, a memory that somebody changed
    since) stays, and its outcome says why; NotFound where there is no such run.
    """
    scope.require("undo")
    found = next((known for known in runs(scope) if known.run == run), None)
    if found is None:
        raise NotFound(f"there is no run {run!r} of the steward in {scope.space!r}; its log shows them")
    return [_back(scope, change, at) for change in reversed(found.changes) if change not in found.undone]


def _back(scope: Scope, change: str, at: datetime | None) -> Outcome:
    try:
        return undoing.undo(scope, change, at=at)
    except IllegalChange as error:
        return Outcome(decision=Decision.REFUSED, memory=None, reasons=(str(error),))
