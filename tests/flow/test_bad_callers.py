"""What is no actor, no function and no flag is refused by name at the doors that take one."""

from __future__ import annotations

import pytest

from holdfast.engine import Holdfast
from holdfast.errors import InvalidInput
from holdfast.settings import EmbedderSettings, Settings
from holdfast.wire import Own


@pytest.fixture
def house():
    with Holdfast("memory://", Own(settings=Settings(embedder=EmbedderSettings(name="hashing")))) as hf:
        yield hf


@pytest.fixture
def me(house):
    return house.space("user:wren", profile="assistant")


@pytest.mark.parametrize("actor", ["agent", None, 3])
def test_nobody_but_an_actor_acts(me, actor):
    with pytest.raises(InvalidInput, match="actor: is a"):
        me.as_actor(actor)
    with pytest.raises(InvalidInput, match="actor: is a"):
        Holdfast("memory://", actor=actor)


@pytest.mark.parametrize("where", [5, b"memory", ["memory"]])
def test_a_house_is_named_by_text_or_a_path(where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="where: is a"):
        Holdfast(where)
    assert not list(tmp_path.iterdir())


def test_tokens_are_counted_by_a_function(me):
    with pytest.raises(InvalidInput, match="count: is a int"):
        me.context("breakfast", count=4)


def test_failed_jobs_are_asked_for_by_true_or_false(me):
    with pytest.raises(InvalidInput, match="failed: is a list"):
        me.jobs(failed=[])


def test_a_space_goes_over_to_an_embedder_only(house, me):
    with pytest.raises(InvalidInput, match="to: is a str"):
        house.reembed(me.name, "use")
