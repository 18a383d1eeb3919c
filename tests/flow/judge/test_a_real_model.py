"""The whole path to a language model and back: a real server, a real model, HTTP, schema, time, failure.

The model is too small to judge; what it says is asked for nothing but its form.
"""

from __future__ import annotations

import time

import pytest

from holdfast import EmbedderSettings, Holdfast, Settings
from holdfast.adapters import endpoint as adapter
from holdfast.adapters.endpoint import HttpEndpoint
from holdfast.errors import Unavailable
from holdfast.judge.model import prompts, schemas
from holdfast.judge.model.asking import Asker
from holdfast.judge.model.dialect import Question
from holdfast.ports.judge import Relation
from holdfast.settings import JudgeSettings
from holdfast.testing.clock import ManualClock
from holdfast.testing.servers.language_model import NAME
from holdfast.wire import Own

PATIENT = 200.0  # a machine with many tests at once needs most of a minute for a sentence


@pytest.fixture(scope="module")
def opened(language_model):
    """`opened(timeout=1)`: a house whose judge is the model."""

    def make(**told):
        settings = {
            "name": "model",
            "model": NAME,
            "base_url": language_model.url,
            "timeout": PATIENT,
            **told,
        }
        return Holdfast(
            "memory://",
            Own(
                settings=Settings(embedder=EmbedderSettings(name="hashing"), judge=JudgeSettings(**settings))
            ),
        )

    return make


def test_a_model_judges_within_the_form_that_it_is_held_to_and_is_named(opened):
    with opened() as hf:
        related = hf.judge.relation("I live in Leeds.", "I live in York now.")
        assert related.judge == f"model/{NAME}"
        assert related.label in set(Relation)
        assert related.confidence in schemas.SURE.values()
        began = time.monotonic()
        assert hf.judge.relation("I live in Leeds.", "I live in York now.") == related
        assert time.monotonic() - began < 1  # from the cache


def test_a_model_that_takes_longer_than_it_may_leaves_the_answer_to_the_rules(opened):
    with opened(timeout=0.1) as hf:
        related = hf.judge.relation("My desk is in room 12.", "My desk is in room 14 now.")
        assert (related.judge, str(related.label)) == ("rules/1", "corrects")
        assert "does not answer" in related.reasons[-1]


def test_an_answer_that_is_cut_off_is_none(language_model):
    settings = JudgeSettings(model=NAME, timeout=PATIENT)
    asker = Asker(HttpEndpoint("endpoint", language_model.url), settings, ManualClock())
    task = prompts.task("shaped", "en")
    with pytest.raises(Unavailable, match="form asked for"):
        asker.ask(Question(verb="x", task=task, data="", schema=schemas.VERDICT, tokens=4), float("inf"))


def test_a_server_that_dies_and_comes_back_is_asked_again(opened, language_model, monkeypatch):
    monkeypatch.setattr(adapter, "PAUSE", 0.001)
    with opened() as hf:
        language_model.kill()
        assert not hf.judge.check().answers
        language_model.start()
        assert hf.judge.check().answers
