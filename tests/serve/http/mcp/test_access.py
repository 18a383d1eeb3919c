"""Who gets in by MCP, and to what: every cell of the table, and the same limits as REST."""

from __future__ import annotations

import subprocess

import httpx
import pytest

from holdfast import Holdfast
from holdfast.model.access import ADMIN, KEY_ROLES, allowed
from holdfast.serve.cli.codes import Code
from holdfast.serve.mcp.tools import TOOLS

from .conftest import over_http, stdio_command

ID = "01900000-0000-7000-8000-000000000000"
OBSERVED = {
    "type": "note",
    "summary": "The kiln is fired on Mondays",
    "layer": "session",
    "created_at": "2026-01-31T12:00:00Z",
    "author": "caregiver",
}
# Tool → what it is asked with. What it is asked about need not be there: the right comes first.
ASKED = {
    "memory_search": {"query": "coffee"},
    "memory_add": {"content": "Ada bought a waffle iron", "confidence": 0.9},
    "recall": {"query": "coffee"},
    "context": {"query": "coffee"},
    "remember": {"content": "Ada sold her old toaster"},
    "revise": {"id": ID, "content": "x"},
    "forget": {"id": ID},
    "say": {"session": "sunday", "role": "user", "text": "Ada went to the market"},
    "end": {"session": "sunday", "later": True},
    "observe": OBSERVED,
    "resolve": {"reference": "that part again"},
    "history": {"id": ID},
    "pending": {},
}
DEBUG = ("recall", {"query": "coffee", "mode": "debug"}, "recall_debug")
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def keys(server):
    with Holdfast(server.home) as hf:
        hf.space("user:ada", profile="assistant")
        hf.space("user:bea", profile="assistant").remember("Bea keeps bees behind the barn")
    return {role: server.admin if role == ADMIN else server.key(role, "user:ada") for role in KEY_ROLES}


@pytest.mark.row("E13")
@pytest.mark.parametrize("role", KEY_ROLES)
def test_mcp_keeps_to_every_cell_and_records_what_it_refuses(server, keys, role):
    assert set(ASKED) == {tool.name for tool in TOOLS}
    cells = [(tool.name, ASKED[tool.name], tool.verb) for tool in TOOLS] + [DEBUG]

    async def work(client):
        return [await client.call_tool(name, given) for name, given, _ in cells]

    with Holdfast(server.home) as hf:
        before = hf.space("user:ada").events()[0]
        answers = over_http(server, keys[role], "user:ada").does(work)
        refused = [
            bool(answer.is_error and answer.structured_content["error"] == "Forbidden") for answer in answers
        ]
        assert refused == [not allowed(role, verb) for _, _, verb in cells]
        noted = [entry for entry in hf.space("user:ada").ledger(after=before) if entry.verb == "forbidden"]
    assert len(noted) == sum(refused)
    assert {entry.actor.split(":")[0] for entry in noted} <= {str(role)}


@pytest.mark.row("A1")
@pytest.mark.row("P7")
def test_a_space_that_a_key_does_not_open_looks_like_one_that_is_not_there(server, keys):
    told = set()
    for name in ("user:bea", "user:nobody", "用户:小明"):
        answer = over_http(server, keys["agent"], name).call("recall", query="bees")
        assert answer.is_error
        assert answer.structured_content["error"] == "UnknownSpace"
        told.add(answer.model_dump_json().replace(name, "NAME"))
    assert len(told) == 1
    assert (
        "barn"
        not in over_http(server, keys["agent"], "user:ada").call("recall", query="bees").model_dump_json()
    )


@pytest.mark.row("A1")
def test_without_a_space_there_is_an_error_over_http_and_over_stdio(server, keys):
    answer = over_http(server, server.admin, "", name=False).call("recall", query="x")
    assert (answer.is_error, answer.structured_content["field"]) == (True, "Holdfast-Space")
    lost = subprocess.run(
        stdio_command(server.home, "user:nobody"), capture_output=True, text=True, check=False, input=""
    )
    assert (lost.returncode, lost.stdout) == (Code.NOT_FOUND, "")
    assert "there is no space named 'user:nobody'" in lost.stderr


def test_nobody_gets_in_without_a_key_nor_learns_anything(server, keys):
    with httpx.Client(base_url=server.url, headers=ACCEPT, timeout=60) as client:
        shown = ["", "Bearer", "Bearer hf_x_y", "Basic aGY6eA=="]
        answers = [client.post("/mcp", json=HELLO, headers={"Authorization": one}) for one in shown]
        answers.append(client.post("/mcp", content=b"nonsense"))
        assert {answer.status_code for answer in answers} == {401}
        assert len({answer.text for answer in answers}) == 1
        right = {"Authorization": f"Bearer {keys['agent']}"}
        assert (
            client.post("/mcp", json=HELLO, headers=right).json()["result"]["serverInfo"]["name"]
            == "holdfast"
        )
        assert client.get("/mcp", headers=right).status_code == 405


def test_a_page_of_another_origin_or_under_a_bent_name_may_not_ask(server, keys):
    right = {**ACCEPT, "Authorization": f"Bearer {keys['agent']}"}
    with httpx.Client(base_url=server.url, headers=right, timeout=60) as client:
        for wrong in (
            {"Host": "elsewhere.example"},
            {"Origin": "http://elsewhere.example"},
            {"Origin": "null"},
        ):
            answer = client.post("/mcp", json=HELLO, headers=wrong)
            assert (answer.status_code, answer.json()["error"]) == (403, "Forbidden")
        for fine in ({"Host": "localhost:1"}, {"Origin": server.url}):
            assert client.post("/mcp", json=HELLO, headers=fine).status_code == 200


def test_the_limits_are_those_of_rest(served):
    running = served(settings="rate = 1.0\nbody_mib = 0.001")
    key = running.key("agent", "user:ada")
    right = {**ACCEPT, "Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=running.url, headers=right, timeout=60) as client:
        large = client.post("/mcp", json={**HELLO, "more": "x" * 2000})
        assert (large.status_code, large.json()["error"]) == (413, "TooLarge")
        answers = [client.post("/mcp", json=HELLO) for _ in range(12)]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert all("retry-after" in one.headers for one in answers if one.status_code == 429)


def test_nonsense_is_an_error_and_never_a_fault_of_the_server(server, keys):
    right = {**ACCEPT, "Authorization": f"Bearer {keys['agent']}", "Content-Type": "application/json"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    bodies = [
        b"", b"[]", b"null", b"{", b"\xff\xfe", b'{"jsonrpc":"2.0"}', b"[" * 5000,
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"\\ud800"}}}',
    ]  # fmt: skip
    calls = [
        {**call, "params": params}
        for params in (
            None, {}, {"name": None}, {"name": "recall", "arguments": []},
            {"name": "recall", "arguments": {}},
            {"name": "recall", "arguments": {"query": "x", "limit": -1}}, {"name": "x" * 500},
            {"name": "history", "arguments": {"id": "\x00"}}, {"name": "recall", "arguments": {"query": " "}},
            {"name": "recall", "arguments": {"query": "x", "at": "yesterday"}},
        )
    ]  # fmt: skip
    with httpx.Client(base_url=server.url, headers=right, timeout=60) as client:
        answers = [client.post("/mcp", content=body) for body in bodies]
        answers += [client.post("/mcp", json=body) for body in calls]
    assert [answer.text for answer in answers if answer.status_code >= 500] == []
    assert not [answer.text for answer in answers if "Traceback" in answer.text or 'File "' in answer.text]
    assert not [line for line in server.log if '"unexpected"' in line]
