"""Working memories keep their contract."""

from __future__ import annotations

import pytest

from holdfast.adapters.redis import RedisWorking
from holdfast.adapters.reference.working import ReferenceWorking
from holdfast.testing.workings import WorkingContract


class TestReferenceWorking(WorkingContract):
    def make_working(self):
        return ReferenceWorking()


class TestRedisWorking(WorkingContract):
    @pytest.fixture(autouse=True)
    def _server(self, redis):
        self.url = redis.url
        yield
        self.working.close()

    def make_working(self):
        return RedisWorking(self.url)
