"""The specification keeps its own contract."""

from __future__ import annotations

from holdfast.adapters.reference import ReferenceStore
from holdfast.testing.stores import StoreContract


class TestReferenceStore(StoreContract):
    def make_store(self):
        return ReferenceStore()
