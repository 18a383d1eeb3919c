"""The specification of a vector index: dicts, and every cosine computed."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import InvalidInput
from holdfast.ports.index import Filter, Near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.ports.index import Point

_Key = tuple[str, str]


class ReferenceIndex:
    """Implements `ports.index.VectorIndex` in memory."""

    name = "reference"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._points: defaultdict[_Key, dict[str, Point]] = defaultdict(dict)
        self._at: defaultdict[_Key, dict[str, int]] = defaultdict(dict)  # id → sequence it was fed at
        self._fed: dict[_Key, int] = {}

    def feed(
        self, space: str, embedder: str, *, puts: Iterable[Point], gone: Sequence[str], sequence: int
    ) -> None:
        puts = list(puts)
        with self._lock:
            there = self._points[space, embedder]
            sizes = {len(point.vector) for point in (*puts, *list(there.values())[:1])}
            if len(sizes) > 1:
                raise InvalidInput("vector", f"has {max(sizes)} bytes, others have {min(sizes)}")
            fed = self._at[space, embedder]
            for id in gone:
                if fed.get(id, 0) <= sequence:
                    there.pop(id, None)
            fresh = {point.id: point for point in puts if fed.get(point.id, 0) <= sequence}
            there.update(fresh)
            fed.update(dict.fromkeys(fresh, sequence))
            self._fed[space, embedder] = max(sequence, self.sequence(space, embedder))

    def sequence(self, space: str, embedder: str) -> int:
        return self._fed.get((space, embedder), 0)

    def search(
        self, space: str, embedder: str, *, vector: bytes, limit: int, filter: Filter | None = None
    ) -> list[Near]:
        asked = np.frombuffer(vector, "<f4")
        with self._lock:
            passing = [p for p in self._points[space, embedder].values() if _passes(p, filter or Filter())]
        found = [Near(p.id, float(np.frombuffer(p.vector, "<f4") @ asked)) for p in passing]
        return sorted(found, key=lambda near: (-near.cosine, near.id))[:limit]

    def count(self, space: str, embedder: str) -> int:
        return len(self._points[space, embedder])

    def stamps(self, space: str, embedder: str) -> Iterator[tuple[str, int]]:
        with self._lock:
            return iter([(point.id, point.stamp) for point in self._points[space, embedder].values()])

    def embedders(self, space: str) -> list[str]:
        with self._lock:
            return sorted(embedder for (one, embedder), held in self._points.items() if one == space and held)

    def drop(self, space: str, embedders: Iterable[str] | None = None) -> None:
        with self._lock:
            known = self.embedders(space) if embedders is None else list(embedders)
            for embedder in known:
                self._points.pop((space, embedder), None)
                self._at.pop((space, embedder), None)
                self._fed.pop((space, embedder), None)

    def close(self) -> None:
        """Nothing to let go of."""


def _passes(point: Point, filter: Filter) -> bool:
    return (
        (not filter.layers or point.layer in filter.layers)
        and (not filter.kinds or point.kind in filter.kinds)
        and (not filter.statuses or point.status in filter.statuses)
        and (not filter.entity_type or point.entity_type == filter.entity_type)
        and (not filter.session or point.session == filter.session)
        and point.confidence >= filter.min_confidence
    )
