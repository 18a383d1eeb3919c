"""A house with a clock that stands, and a judge whose curator and reviewer say what they are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast import Holdfast
from holdfast.judge.rules import RulesJudge
from holdfast.settings import EmbedderSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own, chosen_embedder

EVENING = datetime(2026, 1, 3, 18, tzinfo=UTC)


class ScriptedJudge(RulesJudge):
    """The rules, but for what a test lets a curator or a reviewer say, and what it was shown."""

    def __init__(self):
        self.lines, self.rounds, self.shown, self.cases = None, None, [], []

    @property
    def name(self):
        return "scripted/1"

    @property
    def at_once(self):
        return RulesJudge()

    def curate(self, turns, memories):
        self.shown.append([memory.id for memory in memories])
        if self.lines is None:
            return super().curate(turns, memories)
        ids = {memory.content: memory.id for memory in memories}
        return self.lines(ids) if callable(self.lines) else self.lines

    def review(self, case):
        self.cases.append(case)
        return super().review(case) if self.rounds is None else self.rounds[len(self.cases) - 1]


@pytest.fixture
def clock():
    return ManualClock(EVENING)


@pytest.fixture
def judge():
    return ScriptedJudge()


@pytest.fixture(scope="session")
def embedder():
    """The one that comes with it, loaded once."""
    return chosen_embedder(EmbedderSettings())


@pytest.fixture
def hf(clock, judge, embedder):
    with Holdfast("memory://", Own(clock=clock, judge=judge, embedder=embedder)) as house:
        yield house


@pytest.fixture
def say():
    """Says lines of a conversation, a minute apart: the user's, and replies where one begins with `>`."""

    def said(talk, *lines, at=EVENING):
        outs = []
        for minute, line in enumerate(lines):
            role = "assistant" if line.startswith(">") else "user"
            outs.append(talk.say(role, line.lstrip("> "), at=at + timedelta(minutes=minute)))
        return outs

    return said
