"""The constitution: written by owners only, at most twenty short entries, each change confirmed three times
(M1, M2).

Reading and proposing stand here; what a confirmation is and what the last one writes stand in `confirming`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, InvalidInput
from holdfast.model import check
from holdfast.model.layer import Layer, Priority
from holdfast.model.status import Status
from holdfast.recall.record import folded
from holdfast.remember import confirming
from holdfast.remember.admit import SAFE_WORDING, SECRET
from holdfast.remember.change import editing
from holdfast.remember.confirming import CHANGE, CREATE, DELETE, Proposal
from holdfast.remember.lookup import STANDING, constitution, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome
    from holdfast.remember.change import Editing
    from holdfast.scope import Scope

_ORDER = {Priority.HIGH: 0, Priority.MEDIUM: 1, Priority.LOW: 2}

# The document's three prompts (M2), for doors where a person confirms by answering.
ACTIONS: Mapping[str, Mapping[str, str]] = {
    "zh": {CREATE: "创建", CHANGE: "修改", DELETE: "删除"},
    "en": {CREATE: "create", CHANGE: "change", DELETE: "delete"},
}
PROMPTS: Mapping[str, tuple[str, str, str]] = {
    "zh": (
        "确认 1/3: 您确定要{action}宪法层记忆吗？(y/n)",
        "确认 2/3: 请再次确认，这将影响患者核心身份信息 (y/n)",
        "确认 3/3: 最终确认，此操作不可轻易撤销 (y/n)",
    ),
    "en": (
        "Confirmation 1/3: do you really want to {action} this entry of the constitution? (y/n)",
        "Confirmation 2/3: please confirm again, this changes who the person is at heart (y/n)",
        "Confirmation 3/3: the last one, this cannot easily be undone (y/n)",
    ),
}


def prompts(action: str, language: str) -> tuple[str, ...]:
    """The three questions for an action, in `zh` or `en`."""
    language = check.choice("language", language, PROMPTS)
    return tuple(prompt.format(action=ACTIONS[language][action]) for prompt in PROMPTS[language])


@dataclass(slots=True)
class Change:
    """A change that waits for its confirmations. `token` is the first one; each `confirm` returns the
    next.
    """

    id: str
    action: str
    content: str
    token: str
    needed: int
    confirmations: int
    outcome: Outcome | None
    _constitution: Constitution

    @property
    def done(self) -> bool:
        return self.outcome is not None

    def confirm(self, token: str, *, at: datetime | None = None) -> str:
        """Confirms once. Returns the next token; the last confirmation writes, sets `outcome` and returns
        "".
        """
        confirmed = self._constitution.confirm(self.id, token, at=at)
        self.confirmations, self.outcome = confirmed.confirmations, confirmed.outcome
        return confirmed.token


class Constitution:
    """The constitution of one space, seen by one actor."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def entries(self) -> list[Memory]:
        """What stands, by priority, then by age."""
        self._scope.require("constitution.read")
        found = constitution(self._scope)
        return sorted(found, key=lambda entry: (_ORDER[entry.priority], entry.created_at, entry.id))

    def due(self, *, at: datetime | None = None) -> list[Memory]:
        """Entries whose re-check has come; `checked` says that one was looked at."""
        now = check.moment("at", at) if at is not None else self._scope.clock.now()
        return [entry for entry in self.entries() if entry.due_at is not None and entry.due_at <= now]

    def propose(self, content: str, *, priority: str = "medium", at: datetime | None = None) -> Change:
        """A new entry; nothing stands before the last confirmation."""
        edit = self._edit("propose", at)
        content = self._content(content)
        rank = Priority(check.choice("priority", priority, Priority))
        for entry in constitution(self._scope):
            if folded(entry.content) == folded(content):
                raise InvalidInput(
                    "content", f"is what entry {entry.id} says", "propose a change of that one"
                )
        confirming.room(self._scope)
        return self._proposed(edit, Proposal(CREATE, content, rank))

    def propose_change(
        self, id: str, content: str | None = None, *, priority: str | None = None, at: datetime | None = None
    ) -> Change:
        """Other words, or another priority, for a standing entry."""
        edit = self._edit("propose_change", at)
        entry = self._standing(id)
        words = entry.content if content is None else self._content(content)
        rank = entry.priority
        if priority is not None:
            rank = Priority(check.choice("priority", priority, Priority))
        if (words, rank) == (entry.content, entry.priority):
            raise InvalidInput("content", "is what the entry says already", "give other words or a priority")
        return self._proposed(edit, Proposal(CHANGE, words, rank, entry.id, entry.version))

    def propose_delete(self, id: str, *, at: datetime | None = None) -> Change:
        """Takes an entry away, softly: it can be restored for some days."""
        edit = self._edit("propose_delete", at)
        entry = self._standing(id)
        return self._proposed(edit, Proposal(DELETE, entry.content, entry.priority, entry.id, entry.version))

    def waiting(self, *, at: datetime | None = None) -> list[Memory]:
        """Proposals that can still be confirmed, by whoever holds their next token."""
        self._scope.require("constitution.read")
        now = check.moment("at", at) if at is not None else self._scope.clock.now()
        return [entry for entry in confirming.proposals(self._scope) if confirming.is_open(entry, now)]

    def confirm(self, id: str, token: str, *, at: datetime | None = None) -> Change:
        """Confirms a proposal once, from any process; the answer holds the next token, or the outcome."""
        edit = self._edit("confirm", at)
        step = confirming.confirm(edit, check.text("id", id), check.text("token", token))
        return Change(
            id=id,
            action=step.proposal.action,
            content=step.proposal.content,
            token=step.token,
            needed=self._scope.profile.constitution.confirmations,
            confirmations=step.confirmations,
            outcome=step.outcome,
            _constitution=self,
        )

    def withdraw(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Drops a proposal that was not confirmed to the end."""
        return confirming.withdraw(self._edit("withdraw", at), check.text("id", id))

    def restore(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Brings a deleted entry back within the days the profile gives (M2)."""
        edit = self._edit("restore", at)
        entry = self._of_constitution(id)
        days = self._scope.profile.constitution.restore_days
        if entry.status is not Status.DELETED or entry.deleted_at is None:
            raise IllegalChange(f"{entry.id} is {entry.status}, not deleted")
        if edit.at > entry.deleted_at + timedelta(days=days):
            raise IllegalChange(f"{entry.id} was deleted over {days:g} days ago; propose it anew")
        back = replace(entry, status=Status.ACTIVE, deleted_at=None, deletion="", reason="")
        return confirming.written(edit, confirming.due(back, edit), "restored", grows=True)

    def checked(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Says that an entry was re-checked and holds: it is no longer due."""
        edit = self._edit("checked", at)
        entry = self._standing(id)
        return confirming.written(edit, replace(entry, due_at=None, verified_at=edit.at), "re-checked")

    def _edit(self, verb: str, at: datetime | None) -> Editing:
        return editing(self._scope, f"constitution.{verb}", right="constitution.write", at=at)

    def _content(self, content: str) -> str:
        text = check.text("content", content, most=self._scope.profile.constitution.max_chars)
        if self._scope.judge.at_once.sensitivity(text).level >= SECRET:
            raise InvalidInput(
                "content", "holds a secret (level 3), which is not kept in plain", SAFE_WORDING
            )
        return text

    def _proposed(self, edit: Editing, proposal: Proposal) -> Change:
        id, token = confirming.propose(edit, proposal)
        return Change(
            id=id,
            action=proposal.action,
            content=proposal.content,
            token=token,
            needed=self._scope.profile.constitution.confirmations,
            confirmations=0,
            outcome=None,
            _constitution=self,
        )

    def _of_constitution(self, id: str) -> Memory:
        entry = read(self._scope, [check.text("id", id)])[id]
        if entry.layer is not Layer.CONSTITUTION:
            raise IllegalChange(f"{entry.id} is in the {entry.layer} layer, not in the constitution")
        return entry

    def _standing(self, id: str) -> Memory:
        entry = self._of_constitution(id)
        if entry.status not in STANDING:
            raise IllegalChange(
                f"{entry.id} is {entry.status}; only a standing entry can be changed or deleted"
            )
        return entry
