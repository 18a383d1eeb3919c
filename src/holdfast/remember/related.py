"""What a text calls to mind, for a judge that is to see it: found like any recall, and counted as none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.recall.answer import answered, looked_at
from holdfast.recall.question import MOST_CHARS, question

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

MOST = 5  # C6: the five most related


def to(scope: Scope, words: str, at: datetime, *, but: str = "", limit: int = MOST) -> list[Memory]:
    """The facts and episodes that bear on the words, best first, without one of them."""
    told = {"limit": limit + bool(but), "layers": ("fact", "episode"), "at": at}
    asked = question(words[:MOST_CHARS], told, scope.profile)
    view, now = looked_at(scope, asked)
    found = [hit.memory for hit in answered(scope, view, asked, now=now).answer]
    return [memory for memory in found if memory.id != but][:limit]
