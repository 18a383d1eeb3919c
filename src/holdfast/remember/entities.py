"""Entities: a type and a value, matched exactly; kept by the same way in as every memory (A2, A3, A5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.conflict import MemoryConflict
from holdfast.model.plan import Listing
from holdfast.model.status import Status
from holdfast.remember import check as incoming
from holdfast.remember import store
from holdfast.remember.lookup import PAGE_MOST
from holdfast.remember.reconcile_near import disputes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Outcome
    from holdfast.scope import Scope

VALUE_MOST = 2000
LISTED = frozenset({Status.ACTIVE, Status.REVIEW})


def store_entity(scope: Scope, entity_type: str, entity_value: str, *, said: Mapping[str, Any]) -> Outcome:
    """An exact match adds a mention instead of an entry; the content is the value."""
    return store.remember(scope, [_draft(entity_type, entity_value, said)], verb="store_entity")[0]


def _draft(entity_type: str, entity_value: str, said: Mapping[str, Any]) -> Any:
    for name in ("entity_type", "entity_value"):
        if name in said:
            raise InvalidInput(name, "is told twice", "leave it out of the details")
    type, value = (
        check.text("entity_type", entity_type),
        check.text("entity_value", entity_value, most=VALUE_MOST),
    )
    return incoming.draft(value, {**said, "entity_type": type, "entity_value": value})


def detect_conflicts(
    scope: Scope, entity_type: str, entity_value: str, *, confidence: float | None, at: datetime | None
) -> tuple[MemoryConflict, ...]:
    """What storing this would conflict with, most alike first, and what would become of each; changes
    nothing.
    """
    scope.require("recall")
    draft = _draft(entity_type, entity_value, {"confidence": confidence, "at": at})
    case, desk = store.considered(scope, draft)
    if not case.admission.enters:
        return ()
    return tuple(
        MemoryConflict(
            memory=one.dispute.old,
            value=draft.entity_value,
            confidence=case.admission.confidence,
            similarity=one.dispute.similarity,
            resolution=one.effect,
            reasons=(*one.dispute.related.reasons, one.why),
        )
        for one in disputes(case, desk)
    )


def get_user_entities(
    scope: Scope, entity_type: str | None = None, *, after: str = "", limit: int = 100
) -> list[Memory]:
    """Entities that stand, oldest first, paged by the last id seen; of one type where it is named."""
    scope.require("list")
    wanted = None if entity_type is None else check.text("entity_type", entity_type)
    after = check.text("after", after, empty=True)
    limit = check.whole("limit", limit, low=1, high=PAGE_MOST)
    scope.images.flush(scope.store)
    found: list[Memory] = []
    while len(found) < limit:
        page = scope.store.list(
            Listing(statuses=LISTED, entity_type=wanted, after=after, limit=max(limit, 100))
        )
        found += [memory for memory in page if memory.entity_type]
        if len(page) < max(limit, 100):
            break
        after = page[-1].id
    return found[:limit]
