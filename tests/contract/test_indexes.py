"""Vector indexes keep their contract."""

from __future__ import annotations

from uuid import uuid4

import pytest

from holdfast.adapters.qdrant import QdrantIndex
from holdfast.adapters.reference.index import ReferenceIndex
from holdfast.testing.indexes import IndexContract


class TestReferenceIndex(IndexContract):
    def make_index(self):
        return ReferenceIndex()


class TestQdrantIndex(IndexContract):
    @pytest.fixture(autouse=True)
    def _server(self, qdrant):
        self.url = qdrant.url
        yield
        self.index.close()

    def make_index(self):
        return QdrantIndex(self.url, collection=f"c{uuid4().hex}")
