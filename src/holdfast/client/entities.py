"""Entities over the network: kept, found, in conflict, and which one is meant (A2–A5, A11)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from holdfast.model.conflict import MemoryConflict
from holdfast.model.hit import Hit
from holdfast.model.memory import Memory
from holdfast.model.plan import Outcome
from holdfast.remember.resolve import Resolved

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.draft import Told

T = TypeVar("T")


class RemoteEntities(ABC):
    """A part of `RemoteSpace`."""

    @abstractmethod
    def _does(
        self, kind: type[T], method: str, path: str, *, body: Mapping[str, Any] | None = None, **query: Any
    ) -> T:
        """Asks the server, and reads the answer as that type."""

    @abstractmethod
    def _paged(self, kind: Any, path: str, limit: int, /, *, after: str | int, **wanted: Any) -> list[Any]:
        """As many as are wanted."""

    def store_entity(self, entity_type: str, entity_value: str, **said: Unpack[Told]) -> Outcome:
        """An exact match adds a mention instead of an entry; a conflict is settled by confidence (A2, A3)."""
        told = {"entity_type": entity_type, "entity_value": entity_value, **said}
        return self._does(Outcome, "POST", "/entities", body=told)

    def retrieve_entities(
        self, query: str, *, min_confidence: float | None = None, limit: int = 5, at: datetime | None = None
    ) -> tuple[Hit, ...]:
        """The most relevant, most used, freshest (A4)."""
        told = {"query": query, "min_confidence": min_confidence, "limit": limit, "at": at}
        return self._does(tuple[Hit, ...], "POST", "/entities/retrieve", body=told)

    def detect_conflicts(
        self,
        entity_type: str,
        entity_value: str,
        *,
        confidence: float | None = None,
        at: datetime | None = None,
    ) -> tuple[MemoryConflict, ...]:
        """What storing this would conflict with; changes nothing (A3)."""
        told = {"entity_type": entity_type, "entity_value": entity_value, "confidence": confidence, "at": at}
        return self._does(tuple[MemoryConflict, ...], "POST", "/entities/conflicts", body=told)

    def get_user_entities(
        self, entity_type: str | None = None, *, after: str = "", limit: int = 100
    ) -> list[Memory]:
        return self._paged(Memory, "/entities", limit, after=after, entity_type=entity_type)

    def note_entities(self, text: str, *, at: datetime | None = None, session: str = "") -> list[Outcome]:
        """Finds the entities of a text and keeps them, with what was meant with each (A11)."""
        told = {"text": text, "at": at, "session": session or None}
        return self._does(list[Outcome], "POST", "/entities/noted", body=told)

    def resolve(self, reference: str, *, at: datetime | None = None, limit: int = 5) -> Resolved:
        """Which entity a reference like "that part again" means, or several with their scores (A11)."""
        told = {"reference": reference, "at": at, "limit": limit}
        return self._does(Resolved, "POST", "/entities/resolve", body=told)
