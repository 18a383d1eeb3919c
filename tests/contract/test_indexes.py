"""Vector indexes keep their contract."""

from __future__ import annotations

from holdfast.adapters.reference.index import ReferenceIndex
from holdfast.testing.indexes import IndexContract


class TestReferenceIndex(IndexContract):
    def make_index(self):
        return ReferenceIndex()
