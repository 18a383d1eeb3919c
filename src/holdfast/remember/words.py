"""The gate for words that join a memory which is there already: the same doors as for a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.model.layer import Decision
from holdfast.model.memory import Capture
from holdfast.recall.indexing import worded_text
from holdfast.remember import whole
from holdfast.remember.admit import SAFE_WORDING, SECRET
from holdfast.remember.beside import secret_beside, told_beside
from holdfast.remember.known import Ruling
from holdfast.remember.lookup import constitution
from holdfast.remember.reconcile_near import DISAGREES

if TYPE_CHECKING:
    from holdfast.model.memory import Memory
    from holdfast.remember.change import Editing
    from holdfast.remember.desk import Desk


def refused(edit: Editing, desk: Desk, *, old: Memory, new: Memory) -> Ruling | None:
    """Why these words may not join; None where they may. What gives orders is kept in quarantine (B9)."""
    text = worded_text(new)
    scope = edit.scope
    beside = told_beside(new) != told_beside(old)
    if text == worded_text(old) and new.sensitivity == old.sensitivity and not beside:
        return None
    secret = whole.sensitivity(scope.judge.at_once, text).level >= SECRET
    if secret or (beside and secret_beside(scope.judge.at_once, new)):
        return _turned(f"it holds a secret (level 3), which is not kept in plain; {SAFE_WORDING}", old)
    if text == worded_text(old):
        return None
    if scope.profile.admit.poison and whole.poison(scope.judge.at_once, text).holds:
        ruling = _turned(
            "it gives orders to whoever reads it, so it is kept in quarantine and not trusted", old
        )
        ruling.capture = _kept(edit, desk, text)
        return ruling
    if scope.profile.admit.guard_constitution:
        return _against_constitution(edit, desk, old=old, new=new)
    return None


def _against_constitution(edit: Editing, desk: Desk, *, old: Memory, new: Memory) -> Ruling | None:
    for entry in constitution(edit.scope):
        related = edit.scope.judge.at_once.relation(entry.content, new.content)
        if related.label in DISAGREES and related.confidence >= edit.scope.profile.reconcile.judge_confidence:
            ruling = _turned("it contradicts the constitution", old)
            ruling.capture = _kept(edit, desk, worded_text(new))
            return ruling
    return None


def _turned(why: str, old: Memory) -> Ruling:
    return Ruling(Decision.REFUSED, (why,), note=why, memory=old.id)


def _kept(edit: Editing, desk: Desk, text: str) -> str:
    id = edit.scope.clock.new_id()
    desk.captures.append(
        Capture(id=id, content=text, at=edit.at, author=str(edit.scope.actor), reason=f"refused: {edit.verb}")
    )
    return id
