"""A space to be refused in."""

from __future__ import annotations

import pytest

from holdfast import Holdfast


@pytest.fixture(scope="session")
def house():
    with Holdfast("memory://") as hf:
        yield hf.space("user:ada", profile="assistant")
