"""A judge by model, with a scripted endpoint behind it."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from holdfast import EmbedderSettings, Holdfast, Settings
from holdfast.adapters import endpoint as adapter
from holdfast.settings import JudgeSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own, chosen_judge

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


@pytest.fixture
def house(script):
    """`house(patience=3)`: a house whose judge is the model behind the script, with these settings."""
    with ExitStack() as stack:

        def opened(**told):
            settings = {"name": "model", "model": "m", "base_url": script.url, "timeout": 5.0, **told}
            own = Own(
                settings=Settings(embedder=EmbedderSettings(name="hashing"), judge=JudgeSettings(**settings))
            )
            return stack.enter_context(Holdfast("memory://", own))

        yield opened
