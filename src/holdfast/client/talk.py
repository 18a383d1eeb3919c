"""A conversation over the network: turns as they are said, what to remember while they go on, and their end.

What `recall` and `context` of this object handed out is known to the curator of the next reply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from holdfast.client.link import place
from holdfast.client.values import packed_there
from holdfast.model import check
from holdfast.model.hit import Answer, Context
from holdfast.model.layer import Layer
from holdfast.model.memory import Memory
from holdfast.model.plan import Outcome
from holdfast.remember.converse import SHOWN_MOST
from holdfast.remember.ending import Ended
from holdfast.remember.turns import REPLIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from holdfast.client.rooms import Does
    from holdfast.recall.question import Asked


class RemoteConversation:
    """One conversation, by the name of its session; several objects may speak of the same one."""

    def __init__(self, does: Does, session: str) -> None:
        self._does = does
        self._path = f"/conversations{place(check.text('session', session))}"
        self._shown: dict[str, None] = {}
        told: dict[str, Any] = does(dict, "POST", self._path)
        self.session: str = told["session"]

    def say(
        self,
        role: str,
        text: str,
        *,
        at: datetime | None = None,
        confidence: float | None = None,
        recalled: Iterable[str] | None = None,
    ) -> Outcome:
        """Records a turn. `recalled`: the ids of the memories it was given; unsaid, those handed out here."""
        shown = check.names("recalled", self._shown if recalled is None else recalled)[:SHOWN_MOST]
        told = {"role": role, "text": text, "at": at, "confidence": confidence, "recalled": shown}
        outcome = self._does(Outcome, "POST", f"{self._path}/turns", body=told)
        if role in REPLIES:
            self._shown.clear()
        return outcome

    def turns(self, *, limit: int = 100) -> list[Memory]:
        """The newest turns that have not left working memory, oldest first."""
        return self._does(list[Memory], "GET", f"{self._path}/turns", limit=limit)

    def recall(self, query: str, **asked: Unpack[Asked]) -> Answer:
        """As the space's; what it hands out is known to the curator of the next reply."""
        told = {"query": query, "explain": True, **asked}
        found = self._does(Answer, "POST", f"{self._path}/recall", body=told)
        self._show(hit.memory for hit in found)
        return found

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        count: Callable[[str], int] | None = None,
        **asked: Unpack[Asked],
    ) -> Context:
        """As the space's, likewise."""
        told = {"query": query, "budget": packed_there(budget, count), **asked}
        packed = self._does(Context, "POST", f"{self._path}/context", body=told)
        self._show(memory for section in packed.sections for memory in section.memories)
        return packed

    def end(self, *, at: datetime | None = None, later: bool = False) -> Ended:
        """Summary, observations, grades (M7). Called again it answers the same and does nothing twice."""
        return self._does(Ended, "POST", f"{self._path}/end", body={"at": at, "later": later})

    def _show(self, memories: Iterable[Memory]) -> None:
        told = (memory.id for memory in memories if memory.layer in (Layer.FACT, Layer.EPISODE))
        self._shown |= dict.fromkeys(told)
