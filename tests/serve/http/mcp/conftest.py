"""Agents as they come: the SDK's own client over HTTP and over stdio, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from holdfast import Holdfast

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 120.0
ERAS = {"now": "auto", "before": "legacy"}
WAYS = [f"{way}-{era}" for way in ("http", "stdio") for era in ERAS]


@dataclass(frozen=True)
class Agent:
    """A client of one space. Each call connects, does what it is for, and ends."""

    connect: Callable[[], Any]
    space: str

    def does(self, work: Callable[[Client], Any]) -> Any:
        async def main():
            async with self.connect() as client:
                try:
                    return await work(client)
                except MCPError as refused:
                    return refused

        found = asyncio.run(main())
        if isinstance(found, MCPError):
            raise found
        return found

    def call(self, tool: str, **given: Any) -> Any:
        return self.does(lambda client: client.call_tool(tool, given))

    def read(self, uri: str) -> str:
        return self.does(lambda client: client.read_resource(uri)).contents[0].text


def over_http(server, key: str, space: str, *, era: str = "now", name: bool = True) -> Agent:
    headers = {"Authorization": f"Bearer {key}", **({"Holdfast-Space": space.encode()} if name else {})}

    @asynccontextmanager
    async def connect():
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            reached = streamable_http_client(f"{server.url}/mcp", http_client=http)
            async with Client(reached, mode=ERAS[era]) as client:
                yield client

    return Agent(connect, space)


def stdio_command(home, space: str, *more: str) -> list[str]:
    told = ["-m", "holdfast.serve.cli", "mcp", "--home", str(home), "--space", space, *more]
    return [sys.executable, *told]


def over_stdio(home, space: str, *more: str, era: str = "now") -> Agent:
    command, *arguments = stdio_command(home, space, *more)
    env = {**os.environ, "HOLDFAST_EMBEDDER": "hashing"}
    started = StdioServerParameters(command=command, args=arguments, env=env)
    return Agent(lambda: Client(started, mode=ERAS[era]), space)


@pytest.fixture
def agent_of(server):
    """Makes an agent of a space with a profile; the way is `http-now`, `http-before`, `stdio-now` …"""

    def make(way: str = "http-now", profile: str = "assistant") -> Agent:
        name = f"user:{os.urandom(4).hex()}"
        with Holdfast(server.home) as hf:
            hf.space(name, profile=profile)
        kind, era = way.split("-")
        if kind == "stdio":
            return over_stdio(server.home, name, era=era)
        return over_http(server, server.key("agent", name), name, era=era, name=False)

    return make


@pytest.fixture
def owner(server):
    """The owner of a space, in this process."""
    with Holdfast(server.home) as hf:
        yield hf.space
