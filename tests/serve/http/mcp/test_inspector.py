"""Another client than the SDK's: the MCP inspector's command line."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.serve.mcp.tools import TOOLS
from holdfast.testing.servers.inspector import inspect

from .conftest import stdio_command


@pytest.fixture(params=["http", "stdio"])
def target(request, server):
    name = f"user:inspected-{request.param}"
    with Holdfast(server.home) as hf:
        hf.space(name, profile="assistant")
    if request.param == "stdio":
        return stdio_command(server.home, name)
    key = server.key("agent", name)
    return [f"{server.url}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {key}"]


@pytest.mark.row("M14")
def test_the_inspector_lists_adds_and_searches(target):
    assert {tool["name"] for tool in inspect(target, "--method", "tools/list")["tools"]} == {
        tool.name for tool in TOOLS
    }
    call = ("--method", "tools/call", "--tool-name")
    words = "content=Ada keeps the spare key under the blue flowerpot"
    added = inspect(target, *call, "memory_add", "--tool-arg", words, "confidence=0.9")
    assert added["structuredContent"]["decision"] == "accepted"
    uri = "memory://search?query=spare%20key"
    assert "flowerpot" in inspect(target, "--method", "resources/read", "--uri", uri)["contents"][0]["text"]
