"""Which collection holds whose vectors: the first embedder to arrive has the one of the configured name, any
other one of its own, since vectors of two embedders are never compared. Beside them lie the bookmarks.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from qdrant_client import models

from holdfast.adapters.qdrant import points as form
from holdfast.errors import InvalidInput

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

# Graphs of each tenant's own and none over all of them: nobody searches across tenants.
_GRAPHS = models.HnswConfigDiff(m=0, payload_m=16)


class Collections:
    """Those of one configured name."""

    def __init__(self, client: QdrantClient, name: str, *, asking: QdrantClient) -> None:
        self._client = client
        self._asking = asking
        self._name = name
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, int]] = {}  # embedder → collection and its size, where it is there

    @property
    def bookmarks(self) -> str:
        """A collection without vectors: how far each space has been fed."""
        return f"{self._name}_fed"

    def forget(self) -> None:
        """What was known of the server may have changed."""
        with self._lock:
            self._known.clear()

    def of(self, embedder: str) -> str:
        """The collection of an embedder; empty where there is none."""
        if embedder not in self._known:
            for name in self._names(embedder):
                told = self._told(name)
                if told is not None and told[0] == embedder:
                    self._known[embedder] = (name, told[1])
        return self._known.get(embedder, ("", 0))[0]

    def made(self, embedder: str, size: int) -> str:
        """The same, made where it is not there; InvalidInput where it is of another size."""
        if not self.of(embedder):
            with self._lock:
                self._make(embedder, size)
        name, its = self._known.get(embedder, (self.of(embedder), size))
        if its != size:
            raise InvalidInput("vector", f"has {size} numbers, the collection {name!r} takes {its}")
        return name

    def all(self) -> dict[str, str]:
        """Embedder → collection."""
        names = (found.name for found in self._client.get_collections().collections)
        ours = [name for name in names if name == self._name or name.startswith(f"{self._name}-")]
        told = {name: self._told(name) for name in ours}
        return {known[0]: name for name, known in told.items() if known is not None and known[0]}

    def _names(self, embedder: str) -> tuple[str, str]:
        return self._name, f"{self._name}-{form.key(embedder)[:8]}"

    def _told(self, name: str) -> tuple[str, int] | None:
        """The embedder and the size of a collection. One that somebody made beforehand names no embedder."""
        if not self._asking.collection_exists(name):
            return None
        config = self._asking.get_collection(name).config
        vectors = config.params.vectors
        size = vectors.size if isinstance(vectors, models.VectorParams) else 0
        return str((config.metadata or {}).get("embedder", "")), size

    def _make(self, embedder: str, size: int) -> None:
        """With the payload indexes of row A8; no bookmark of an earlier collection outlives it."""
        first, second = self._names(embedder)
        told = self._told(first)
        name = first if told in (None, ("", size), (embedder, size)) else second
        self._bookmarks_anew(name)
        if self._told(name) is None:
            self._client.create_collection(
                name,
                vectors_config=models.VectorParams(size=size, distance=models.Distance.COSINE),
                hnsw_config=_GRAPHS,
                metadata={"embedder": embedder},
            )
        else:
            self._client.update_collection(name, metadata={"embedder": embedder})
        for field, kind in form.INDEXES.items():
            self._client.create_payload_index(name, field, kind)

    def _bookmarks_anew(self, name: str) -> None:
        if not self._client.collection_exists(self.bookmarks):
            self._client.create_collection(self.bookmarks, vectors_config={})
        stale = models.Filter(must=[form.equal("collection", name)])
        self._client.delete(self.bookmarks, models.FilterSelector(filter=stale))
