"""The PostgreSQL engine keeps the contract, on a real server."""

from __future__ import annotations

import pytest

from holdfast.adapters.postgres import PostgresStore
from holdfast.testing.stores import StoreContract


class TestPostgresStore(StoreContract):
    @pytest.fixture(autouse=True)
    def database(self, postgres_house):
        self.url = postgres_house
        yield
        if "store" in vars(self):
            self.store.close()

    def make_store(self):
        return PostgresStore(self.url)
