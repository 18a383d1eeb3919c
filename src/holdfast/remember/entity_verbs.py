"""The verbs of entities, as a space has them: kept by type and value, found, and meant by a reference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Unpack

from holdfast.recall import answer
from holdfast.remember import entities, noting, resolve

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.conflict import MemoryConflict
    from holdfast.model.draft import Told
    from holdfast.model.hit import Hit
    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome
    from holdfast.remember.resolve import Resolved
    from holdfast.scope import Scope


class EntityVerbs(ABC):
    """A part of `Space`."""

    @property
    @abstractmethod
    def _scope(self) -> Scope:
        """What a verb works with from its beginning to its end."""

    def store_entity(self, entity_type: str, entity_value: str, **said: Unpack[Told]) -> Outcome:
        """An exact match adds a mention instead of an entry; a conflict is settled by confidence (A2, A3)."""
        return entities.store_entity(self._scope, entity_type, entity_value, said=said)

    def retrieve_entities(
        self, query: str, *, min_confidence: float | None = None, limit: int = 5, at: datetime | None = None
    ) -> tuple[Hit, ...]:
        """The most relevant, most used, freshest (A4)."""
        return answer.retrieve_entities(self._scope, query, min_confidence=min_confidence, limit=limit, at=at)

    def detect_conflicts(
        self,
        entity_type: str,
        entity_value: str,
        *,
        confidence: float | None = None,
        at: datetime | None = None,
    ) -> tuple[MemoryConflict, ...]:
        """What storing this would conflict with; changes nothing (A3)."""
        return entities.detect_conflicts(self._scope, entity_type, entity_value, confidence=confidence, at=at)

    def get_user_entities(
        self, entity_type: str | None = None, *, after: str = "", limit: int = 100
    ) -> list[Memory]:
        return entities.get_user_entities(self._scope, entity_type, after=after, limit=limit)

    def note_entities(self, text: str, *, at: datetime | None = None, session: str = "") -> list[Outcome]:
        """Finds the entities of a text and keeps them, with what was meant with each (A11)."""
        return noting.note_entities(self._scope, text, at=at, session=session)

    def resolve(self, reference: str, *, at: datetime | None = None, limit: int = 5) -> Resolved:
        """Which entity a reference like "that part again" means, or several with their scores (A11)."""
        return resolve.resolve(self._scope, reference, at=at, limit=limit)
