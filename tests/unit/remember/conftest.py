"""Gates and drafts for the rooms that decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from holdfast.model.actor import Actor
from holdfast.profile import load as profiles
from holdfast.remember.admit import Gate, Verdicts, admit
from holdfast.remember.check import draft

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
UNASKED = Verdicts()


@pytest.fixture
def gate():
    """`gate("care", "agent", admit={"accept": 0.8})`: one who asks under a profile, some numbers changed."""

    def make(profile="assistant", role="owner", **tables):
        policy = profiles.load(profile)
        changed = {name: replace(getattr(policy, name), **keys) for name, keys in tables.items()}
        return Gate(Actor(role, "ada"), replace(policy, **changed), NOW)

    return make


@pytest.fixture
def admitted():
    """`admitted(gate, "words", confidence=0.8)`: what the gate makes of a draft."""

    def make(gate, content="她每天散步", verdicts=UNASKED, **said):
        return admit(draft(content, said), gate, verdicts)

    return make
