"""The SQLite engine keeps the contract, also with so few files open that they come and go all the time."""

from __future__ import annotations

import pytest

from holdfast.adapters.sqlite import Options, SqliteStore
from holdfast.testing.stores import StoreContract


class _OnDisk(StoreContract):
    options = Options()

    @pytest.fixture(autouse=True)
    def directory(self, tmp_path):
        self.path = tmp_path / "内存"
        yield
        if "store" in vars(self):
            self.store.close()

    def make_store(self):
        return SqliteStore(self.path, self.options)


class TestSqliteStore(_OnDisk):
    pass


class TestSqliteStoreWithOneFileOpen(_OnDisk):
    options = Options(open_spaces=1, connections=0, cache_kib=64)
