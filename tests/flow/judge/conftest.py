"""A judge by model, with a scripted endpoint behind it."""

from __future__ import annotations

import pytest

from holdfast.adapters import endpoint as adapter
from holdfast.settings import JudgeSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import chosen_judge

from .script import Script


@pytest.fixture
def script(monkeypatch):
    monkeypatch.setattr(adapter, "PAUSE", 0.001)
    made = Script()
    yield made
    made.close()


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def judge(script, clock):
    """`judge(timeout=0.2)`: a judge by the model behind the script, with these settings."""

    def make(**told):
        settings = {"name": "model", "model": "m", "base_url": script.url, "timeout": 5.0, **told}
        return chosen_judge(JudgeSettings(**settings), clock)

    return make
