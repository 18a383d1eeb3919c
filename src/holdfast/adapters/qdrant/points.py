"""What a memory looks like in Qdrant: its point's id, its payload, and the filters that read it (A8)."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
from qdrant_client import models

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.ports.index import Filter, Point

TENANT = "user_id"
INDEXES: dict[str, Any] = {
    TENANT: models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
    "entity_type": models.PayloadSchemaType.KEYWORD,
    "status": models.PayloadSchemaType.KEYWORD,
    "entity_value": models.PayloadSchemaType.TEXT,
    "confidence": models.PayloadSchemaType.FLOAT,
    "access_count": models.PayloadSchemaType.INTEGER,
    "created_at": models.PayloadSchemaType.DATETIME,
    "updated_at": models.PayloadSchemaType.DATETIME,
}
"""Row A8: all of them and no other."""
FED = "fed"
"""At which sequence of its truth a point was fed: an older feeding never overwrites a newer one."""


def key(*parts: str) -> str:
    """A stable id for what these name together: the same id in two spaces makes two points."""
    return str(UUID(bytes=blake2b("\x1f".join(parts).encode(), digest_size=16).digest()))


def batch(space: str, points: Sequence[Point], sequence: int) -> models.Batch:
    return models.Batch(
        ids=[key(space, point.id) for point in points],
        vectors=[np.frombuffer(point.vector, "<f4").tolist() for point in points],
        payloads=[_payload(space, point, sequence) for point in points],
    )


def _payload(space: str, point: Point, sequence: int) -> dict[str, Any]:
    """Row A8's fields under its names, and what else is filtered by. No words but the entity's value."""
    return {
        TENANT: space,
        "entity_type": point.entity_type,
        "status": point.status,
        "entity_value": point.entity_value,
        "confidence": point.confidence,
        "access_count": point.access_count,
        "created_at": point.created_at.isoformat(),
        "updated_at": point.updated_at.isoformat(),
        "memory": point.id,
        "layer": point.layer,
        "kind": point.kind,
        "session": point.session,
        "stamp": point.stamp,
        FED: sequence,
    }


def of_space(space: str, *more: models.Condition) -> models.Filter:
    """Nothing is ever asked of Qdrant without the tenant."""
    return models.Filter(must=[equal(TENANT, space), *more])


def passing(space: str, filter: Filter) -> models.Filter:
    """The space's points that a filter lets through."""
    told: list[models.Condition] = [
        models.FieldCondition(key=field, match=models.MatchAny(any=sorted(values)))
        for field, values in (("layer", filter.layers), ("kind", filter.kinds), ("status", filter.statuses))
        if values
    ]
    if filter.entity_type:
        told.append(equal("entity_type", filter.entity_type))
    if filter.session:
        told.append(equal("session", filter.session))
    if filter.min_confidence > 0.0:
        sure = models.Range(gte=filter.min_confidence)
        told.append(models.FieldCondition(key="confidence", range=sure))
    return of_space(space, *told)


def fed_by(sequence: int) -> models.Condition:
    """What was fed at that sequence or before."""
    return models.FieldCondition(key=FED, range=models.Range(lte=sequence))


def some(space: str, ids: Iterable[str], sequence: int) -> models.Filter:
    """These memories, where nothing newer was fed of them."""
    keys: list[models.ExtendedPointId] = [key(space, id) for id in ids]
    return of_space(space, models.HasIdCondition(has_id=keys), fed_by(sequence))


def equal(field: str, value: str) -> models.Condition:
    return models.FieldCondition(key=field, match=models.MatchValue(value=value))
