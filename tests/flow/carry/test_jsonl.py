"""A whole space out and in as lines of JSON: lossless, proved, whole or not at all."""

from __future__ import annotations

import json

import pytest

from holdfast import Actor, EmbedderSettings, Forbidden, Holdfast, InvalidInput, Settings
from holdfast.errors import Damaged
from holdfast.wire import Own

QUICK = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")))


@pytest.fixture
def lived(tmp_path):
    """A house with a space in which a few things happened."""
    with Holdfast(tmp_path / "old", QUICK) as hf:
        me = hf.space("user:ada", profile="assistant")
        me.remember_many(["I take my coffee black", "我住在杭州，周末常去西湖边散步", "我喜歡喝烏龍茶"])
        key = me.remember("The spare key is with Mrs Thistlewood").memory
        me.revise(key.id, content="The spare key is with Mr Larkspur")
        me.capture("the raw answer of a model", metadata={"tool": "shell"})
        me.forget(me.remember("The kiln stands in the shed").memory.id)
        me.recall("coffee")
        yield hf


def other(tmp_path):
    return Holdfast(tmp_path / "new", QUICK)


@pytest.mark.row("B8")
def test_a_space_comes_back_as_it_was_and_goes_on(lived, tmp_path):
    me = lived.space("user:ada")
    lines = list(lived.export("user:ada"))
    with other(tmp_path) as hf:
        record = hf.import_space(lines)
        assert [json.loads(line) for line in hf.export("user:ada")][1:-1] == [
            json.loads(line) for line in lines
        ][1:-1]
        copy = hf.space("user:ada")
        assert copy.verify() == me.verify()
        assert copy.list(limit=100) == me.list(limit=100)
        assert copy.captures() == me.captures()
        assert copy.ledger() == me.ledger()
        for words in ("how do I take my coffee?", "周末去哪里散步", "喝什麼茶"):
            here, there = copy.recall(words).hits, me.recall(words).hits
            assert here[0].memory.content == there[0].memory.content
            assert {hit.memory.id for hit in here} == {hit.memory.id for hit in there}
        key = copy.recall("spare key").hits[0].memory
        assert copy.history(key.id)[0].content == "The spare key is with Mrs Thistlewood"
        assert record.origin
        copy.remember("Ada bought a waffle iron")
        assert copy.verify().ok


@pytest.mark.row("B8")
def test_it_lives_beside_the_first_under_another_name(lived):
    lived.import_space(lived.export("user:ada"), name="user:copy")
    assert len(lived.space("user:copy").list()) == len(lived.space("user:ada").list())
    with pytest.raises(InvalidInput, match="already"):
        lived.import_space(lived.export("user:ada"))


@pytest.mark.row("B8")
def test_what_is_cut_changed_mixed_or_no_export_leaves_nothing_behind(lived, tmp_path):
    lines = list(lived.export("user:ada"))
    changed = [line.replace("Larkspur", "Someone") for line in lines]
    wrong = [
        [], lines[:-1], lines[:1], lines[1:], lines[:3] + lines[4:], lines + lines[-1:], changed,
        ["{}"], ["[]"], ["no"], [lines[0], '{"memory": 3}', lines[-1]], [*lines[:-1], '{"end": 1}'],
        [lines[0], '{"memory": {"id": 1}}'], [lines[0], '{"tune": 1}'], ["[" * 100_000],
        ['{"holdfast": 1, "space": {"name": 3}}'], ['{"holdfast": 2, "space": {}}'],
    ]  # fmt: skip
    with other(tmp_path) as hf:
        for given in wrong:
            with pytest.raises((InvalidInput, Damaged)):
                hf.import_space(given)
        assert hf.spaces() == []
        assert hf.doctor() == []
        hf.import_space(lines)


def test_only_an_owner_takes_a_space_out(lived):
    for role in ("user", "agent", "auditor"):
        with pytest.raises(Forbidden):
            lived.space("user:ada").as_actor(Actor(role, "x")).require("export")
