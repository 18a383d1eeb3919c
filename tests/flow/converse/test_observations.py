"""Observations in the document's form, and the topics of what is remembered."""

from __future__ import annotations

import pytest

from holdfast import Actor, Forbidden, InvalidInput

NOTE = {
    "type": "decision",
    "summary": "选择 Qdrant 作为向量数据库，因为支持本地部署",
    "details": "对比了三个，最终选它",
    "files": ["backend/services/search_service.py"],
    "layer": "fact",
    "tags": ["architecture", "database"],
    "created_at": "2025-12-11T10:30:00Z",
    "author": "claude-code",
}
FOUND = {
    "type": "discovery",
    "summary": "患者提到女儿下周要出差，可能需要其他家人协助照护",
    "details": None,
    "files": [],
    "layer": "session",
    "tags": ["family"],
    "created_at": "2026-01-03T16:00:00Z",
    "author": "claude-code",
}


@pytest.fixture
def me(hf):
    return hf.space("patient:lin", profile="care")


@pytest.mark.row("M10")
def test_the_schema_is_published_with_the_authors_of_the_profile(hf):
    schema = hf.schemas("care")["observation"]
    assert schema["required"] == ["type", "summary", "layer", "created_at", "author"]
    assert schema["properties"]["type"]["enum"] == ["decision", "bugfix", "refactor", "discovery", "note"]
    assert schema["properties"]["summary"]["maxLength"] == 200
    assert schema["properties"]["details"]["type"] == ["string", "null"]
    assert schema["properties"]["author"]["enum"] == ["claude-code", "user"]
    assert "enum" not in hf.schemas()["observation"]["properties"]["author"]


@pytest.mark.row("M10")
@pytest.mark.parametrize("type", ["decision", "bugfix", "refactor"])
def test_decisions_bugfixes_and_refactorings_are_facts(me, type):
    fact = me.observe({**NOTE, "type": type}).memory
    assert (fact.layer, fact.kind, fact.source, fact.tags) == (
        "fact",
        type,
        "claude-code",
        ("architecture", "database"),
    )
    assert fact.content == f"{NOTE['summary']}\n{NOTE['details']}"
    assert fact.metadata["files"] == NOTE["files"]
    assert fact.created_at.isoformat() == "2025-12-11T10:30:00+00:00"


@pytest.mark.row("M10")
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"type": "idea"}, "type"),
        ({"summary": "长" * 201}, "summary"),
        ({"summary": ""}, "summary"),
        ({"layer": "constitution"}, "layer"),
        ({"type": "discovery"}, "layer"),
        ({"author": "somebody"}, "author"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": "2026-01-03T16:00:00"}, "created_at"),
        ({"details": 3}, "details"),
        ({"files": "a.py"}, "files"),
        ({"files": [1]}, r"files\[0\]"),
        ({"tags": None}, "tags"),
    ],
)
def test_what_does_not_fit_the_schema_is_refused_by_name(me, wrong, field):
    with pytest.raises(InvalidInput, match=field):
        me.observe({**NOTE, **wrong})
    for missing in ("type", "summary", "layer", "created_at", "author"):
        with pytest.raises(InvalidInput, match=missing):
            me.observe({key: value for key, value in NOTE.items() if key != missing})
    with pytest.raises(InvalidInput, match="observation"):
        me.observe("a decision")
    assert me.list() == []


@pytest.mark.row("M10")
def test_a_discovery_is_working_memory_until_a_person_promotes_it(me):
    agent = me.as_actor(Actor("agent", "claude-code"))
    found = agent.observe(FOUND).memory
    assert (found.layer, found.kind) == ("session", "discovery")
    assert me.observe({**FOUND, "type": "note"}).memory.layer == "session"
    with pytest.raises(Forbidden):
        agent.promote(found.id)
    (out,) = me.promote(found.id, kind="discovery")
    fact = me.get(out.memory.id)
    assert (fact.layer, fact.kind, fact.verified) == ("fact", "discovery", True)
    assert fact.promoted_at == fact.verified_at
    assert fact.source_ids == (found.id,)


@pytest.mark.row("M3")
@pytest.mark.row("M10")
def test_what_an_agent_observes_is_graded_like_all_it_writes(me):
    agent = me.as_actor(Actor("agent", "claude-code"))
    sure = [agent.observe({**NOTE, "summary": f"决定 {n}"}, confidence=n).decision for n in (0.95, 0.8, 0.5)]
    assert [str(decision) for decision in sure] == ["accepted", "pending", "logged"]


@pytest.mark.row("C8")
@pytest.mark.parametrize(
    ("preference", "personal", "promise"),
    [
        ("我喜欢吃拉面", "我叫林小满", "我们约好周六一起去看海"),
        ("我喜歡吃拉麵", "我叫林小滿", "我們約好週六一起去看海"),
        ("I love ramen", "My name is Wren", "We promised to go to the sea together on Saturday"),
    ],
)
def test_topics_are_set_on_the_way_in_and_listed_by(hf, say, preference, personal, promise):
    me = hf.space("user:wren", profile="companion")
    me.remember(preference)
    talk = me.converse("evening")
    say(talk, personal, "> 你好")
    hf.work()
    me.remember(promise, kind="event")
    for tag, words in (("preference", preference), ("personal", personal), ("promise", promise)):
        listed = me.list(tags=tag, layer="fact")
        assert words in [memory.content for memory in listed]
        assert all(tag in memory.tags for memory in listed)
    assert me.list(tags=["preference", "promise"]) == []
    assert len(me.list(tags=["preference"], limit=1)) == 1
    with pytest.raises(InvalidInput, match="tags"):
        me.list(tags=3)
