"""Vector indexes keep their contract."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from holdfast.adapters.postgres import PostgresStore
from holdfast.adapters.qdrant import QdrantIndex
from holdfast.adapters.reference.index import ReferenceIndex
from holdfast.testing.indexes import IndexContract
from holdfast.testing.samples import Samples


class TestReferenceIndex(IndexContract):
    def make_index(self):
        return ReferenceIndex()


class TestPostgresIndex(IndexContract):
    @pytest.fixture(autouse=True)
    def _house(self, postgres_house):
        self.store = PostgresStore(postgres_house)
        for name in ("甲", "乙"):
            self.store.create(replace(Samples(1).record(name), id=name))
        yield
        self.store.close()

    def make_index(self):
        return self.store.index


class TestQdrantIndex(IndexContract):
    @pytest.fixture(autouse=True)
    def _server(self, qdrant):
        self.url = qdrant.url
        yield
        self.index.close()

    def make_index(self):
        return QdrantIndex(self.url, collection=f"c{uuid4().hex}")
