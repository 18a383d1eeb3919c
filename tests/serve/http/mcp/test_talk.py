"""What agents say, note and mean by MCP, and what stays apart from them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mcp import MCPError

from holdfast.serve.mcp.tools import TOOLS


@pytest.mark.row("A11")
@pytest.mark.parametrize(
    ("said", "reference"),
    [
        ("I need part RM05-008 again", "that part again"),
        ("这次还要料号RM05-008", "上次那个料号"),
        ("這次還要料號RM05-008", "上次那個料號"),
    ],
)
def test_an_agent_is_told_which_entity_a_reference_means(said, reference, agent_of, owner):
    agent = agent_of(profile="entities")
    owner(agent.space).note_entities(said)
    meant = agent.call("resolve", reference=reference)
    assert meant.structured_content["memory"]["entity_value"] == "RM05-008"
    assert "RM05-008" in meant.content[0].text


@pytest.mark.row("M7")
def test_an_agent_records_a_conversation_and_ends_it_once(agent_of, owner):
    agent = agent_of(profile="care")
    at = "2026-01-03T20:00:00+08:00"

    async def work(client):
        said = {"session": "sunday", "role": "user", "text": "今天女儿小红来看我了", "at": at}
        turn = await client.call_tool("say", said)
        return turn, *[await client.call_tool("end", {"session": "sunday"}) for _ in range(2)]

    turn, ended, again = [answer.structured_content for answer in agent.does(work)]
    assert (turn["decision"], turn["memory"]["layer"]) == ("accepted", "session")
    assert (ended["turns"], ended["repeated"], again["repeated"]) == (1, False, True)
    kept = {memory.id for memory in owner(agent.space).list(limit=100)}
    assert ended["summary"]["id"] in kept


@pytest.mark.row("M10")
def test_an_observation_of_an_agent_has_the_published_form(agent_of):
    agent = agent_of()
    told = {
        "type": "decision",
        "summary": "The kiln is fired on Mondays",
        "layer": "fact",
        "created_at": "2026-01-31T12:00:00Z",
        "author": "caregiver",
        "confidence": 0.95,
    }
    kept = agent.call("observe", **told).structured_content
    assert (kept["decision"], kept["memory"]["kind"], kept["memory"]["layer"]) == (
        "accepted",
        "decision",
        "fact",
    )
    for field, wrong in (("type", "gossip"), ("created_at", "yesterday"), ("layer", "constitution")):
        answer = agent.call("observe", **{**told, field: wrong})
        assert (answer.is_error, answer.structured_content["field"]) == (True, field)


@pytest.mark.row("P1")
@pytest.mark.parametrize(
    ("asked", "raw", "hidden"),
    [
        ("where does the blue heron nest?", "The blue heron nests by the old sluice", "sluice"),
        ("蓝鹭在哪里筑巢？", "蓝鹭在旧水闸边筑巢", "水闸"),
        ("藍鷺在哪裡築巢？", "藍鷺在舊水閘邊築巢", "水閘"),
    ],
)
def test_nothing_that_an_agent_can_ask_reaches_quarantine(asked, raw, hidden, agent_of, owner):
    agent = agent_of()
    me = owner(agent.space)
    apart = me.capture(raw, metadata={"run": 7})
    kept = me.remember("Ada plays the cello").memory.id
    calls = (
        ("memory_search", {"query": asked}),
        *(("recall", {"query": asked, "mode": mode}) for mode in ("normal", "review", "debug")),
        ("context", {"query": asked}),
        ("resolve", {"reference": asked}),
        ("history", {"id": apart.id}),
        ("revise", {"id": apart.id, "tags": ["mine"]}),
        ("forget", {"id": apart.id}),
        ("pending", {}),
    )

    async def work(client):
        told = [(await client.call_tool(tool, given)).model_dump() for tool, given in calls]
        told.append((await client.list_resources()).model_dump())
        told.append((await client.read_resource(f"memory://memories/{kept}")).model_dump())
        with pytest.raises(MCPError, match="NotFound"):
            await client.read_resource(f"memory://memories/{apart.id}")
        return [str(one) for one in told]

    told = agent.does(work)
    assert any("cello" in one for one in told)
    assert not [one for one in told if hidden in one]
    assert [one.content for one in me.captures()] == [raw]


def test_the_page_names_every_tool_and_says_which_of_them_change_something():
    page = (Path(__file__).parents[4] / "docs" / "mcp.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \|$", page, re.MULTILINE)
    assert dict(rows) == {tool.name: "no" if tool.reads else "yes" for tool in TOOLS}
