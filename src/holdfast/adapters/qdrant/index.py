"""`ports.index.VectorIndex` over a Qdrant server or cluster, 1.16 or later; connects when it is first asked.

Every point carries the sequence of the truth it was fed at; a conditional update keeps an older feeding from
overwriting a newer one, whichever of two workers comes last.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from httpx import Limits
from qdrant_client import QdrantClient, models

from holdfast.adapters.qdrant import points as form
from holdfast.adapters.qdrant.collections import Collections
from holdfast.adapters.qdrant.faults import asked
from holdfast.ports.index import Filter, Near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.ports.index import Point

BATCH = 500  # points a request: larger ones were no faster (512 numbers each, 7,800 a second here)
_PAGE = 2000  # ids and stamps: some 150 KB
NUMBER = 4  # bytes
CONNECTIONS = 20  # kept open by a process; more are made when more ask at once


class QdrantIndex:
    """Implements `ports.index.VectorIndex`."""

    name = "qdrant"

    def __init__(
        self,
        url: str,
        *,
        api_key: str = "",
        collection: str = "aam_entities",
        timeout: int = 5,
        patience: int = 1,
    ) -> None:
        self._client = _client(url, api_key, timeout)
        self._asking = _client(url, api_key, patience)
        self._collections = Collections(self._client, collection, asking=self._asking)

    def feed(
        self, space: str, embedder: str, *, puts: Iterable[Point], gone: Sequence[str], sequence: int
    ) -> None:
        older = models.Filter(must=[form.fed_by(sequence)])
        waiting = iter(puts)
        with asked(self._collections.forget):
            place = self._collections.of(embedder)
            for first in range(0, len(gone) if place else 0, BATCH):
                rows = form.some(space, gone[first : first + BATCH], sequence)
                self._client.delete(place, models.FilterSelector(filter=rows))
            while some := list(islice(waiting, BATCH)):
                for size in {len(point.vector) // NUMBER for point in some}:
                    place = self._collections.made(embedder, size)
                self._client.upsert(place, form.batch(space, some, sequence), update_filter=older)
            if place:  # else nothing was ever fed of this embedder
                self._note(space, place, sequence)

    def sequence(self, space: str, embedder: str) -> int:
        with asked(self._collections.forget):
            place = self._collections.of(embedder)
            if not place:
                return 0
            found = self._asking.retrieve(self._collections.bookmarks, [form.key(space, place)])
            return int((found[0].payload or {}).get("sequence", 0)) if found else 0

    def search(
        self, space: str, embedder: str, *, vector: bytes, limit: int, filter: Filter | None = None
    ) -> list[Near]:
        with asked(self._collections.forget):
            place = self._collections.of(embedder)
            if not place:
                return []
            found = self._asking.query_points(
                place,
                np.frombuffer(vector, "<f4").tolist(),
                query_filter=form.passing(space, filter or Filter()),
                limit=limit,
                with_payload=["memory"],
            )
        near = [Near(str((hit.payload or {}).get("memory", "")), hit.score) for hit in found.points]
        return sorted(near, key=lambda one: (-one.cosine, one.id))

    def count(self, space: str, embedder: str) -> int:
        with asked(self._collections.forget):
            place = self._collections.of(embedder)
            return self._client.count(place, form.of_space(space)).count if place else 0

    def stamps(self, space: str, embedder: str) -> Iterator[tuple[str, int]]:
        with asked(self._collections.forget):
            place = self._collections.of(embedder)
        offset = None
        while place:
            with asked(self._collections.forget):
                page, offset = self._client.scroll(
                    place,
                    form.of_space(space),
                    limit=_PAGE,
                    offset=offset,
                    with_payload=["memory", "stamp"],
                )
            for point in page:
                told = point.payload or {}
                yield str(told.get("memory", "")), int(told.get("stamp", 0))
            if offset is None:
                return

    def embedders(self, space: str) -> list[str]:
        with asked(self._collections.forget):
            known = self._collections.all()
        return sorted(embedder for embedder in known if self.count(space, embedder))

    def drop(self, space: str, embedders: Iterable[str] | None = None) -> None:
        told = models.FilterSelector(filter=form.of_space(space))
        with asked(self._collections.forget):
            known = self._collections.all()
            chosen = (
                known if embedders is None else {name: known[name] for name in embedders if name in known}
            )
            for place in chosen.values():
                # The bookmark first: whoever looks meanwhile finds that nothing is known.
                self._client.delete(self._collections.bookmarks, [form.key(space, place)])
                self._client.delete(place, told)

    def close(self) -> None:
        self._client.close()
        self._asking.close()

    def _note(self, space: str, place: str, sequence: int) -> None:
        """How far it was fed; never backwards."""
        told = {"collection": place, form.TENANT: space, "sequence": sequence}
        point = models.PointStruct(id=form.key(space, place), vector={}, payload=told)
        earlier = models.FieldCondition(key="sequence", range=models.Range(lt=sequence))
        self._client.upsert(self._collections.bookmarks, [point], update_filter=models.Filter(must=[earlier]))


def _client(url: str, api_key: str, timeout: int) -> QdrantClient:
    """Its connections stay open; left to itself it makes a new one for every call to its own machine."""
    return QdrantClient(
        url=url,
        api_key=api_key or None,
        timeout=timeout,
        check_compatibility=False,
        limits=Limits(max_keepalive_connections=CONNECTIONS),
    )
