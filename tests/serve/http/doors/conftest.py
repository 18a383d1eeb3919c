"""The same house by four doors: the library, the client over REST, MCP, and the command line."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client as Mcp
from mcp.client.streamable_http import streamable_http_client

from holdfast import Holdfast, errors
from holdfast.client import Client
from holdfast.serve.cli.main import run

DOORS = ("library", "client", "mcp", "cli")


@dataclass(frozen=True)
class Became:
    """What every door tells of a write."""

    decision: str
    id: str
    status: str


@dataclass(frozen=True)
class Direct:
    """The library, or the client with the same verbs."""

    me: Any

    def remember(self, content: str, **said: Any) -> Became:
        return _became(self.me.remember(content, **said))

    def recall(self, query: str, **asked: Any) -> list[str]:
        return [hit.memory.content for hit in self.me.recall(query, **asked)]

    def context(self, query: str) -> str:
        return self.me.context(query).text

    def revise(self, id: str, content: str) -> Became:
        return _became(self.me.revise(id, content=content))

    def forget(self, id: str) -> Became:
        return _became(self.me.forget(id))

    def history(self, id: str) -> list[str]:
        return [memory.content for memory in self.me.history(id)]

    def pending(self) -> list[str]:
        return [memory.id for memory in self.me.pending()]


@dataclass(frozen=True)
class ByMcp:
    url: str
    key: str
    space: str

    def remember(self, content: str, **said: Any) -> Became:
        return self._write("remember", content=content, **said)

    def recall(self, query: str, **asked: Any) -> list[str]:
        return [hit["memory"]["content"] for hit in self._call("recall", query=query, **asked)["hits"]]

    def context(self, query: str) -> str:
        return self._call("context", query=query)["text"]

    def revise(self, id: str, content: str) -> Became:
        return self._write("revise", id=id, content=content)

    def forget(self, id: str) -> Became:
        return self._write("forget", id=id)

    def history(self, id: str) -> list[str]:
        return [memory["content"] for memory in self._call("history", id=id)["items"]]

    def pending(self) -> list[str]:
        return [memory["id"] for memory in self._call("pending")["items"]]

    def _write(self, tool: str, **given: Any) -> Became:
        told = self._call(tool, **given)
        return Became(told["decision"], told["id"], told["status"])

    def _call(self, tool: str, **given: Any) -> Any:
        async def main():
            headers = {"Authorization": f"Bearer {self.key}", "Holdfast-Space": self.space.encode()}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=120) as http,
                Mcp(streamable_http_client(f"{self.url}/mcp", http_client=http)) as client,
            ):
                return await client.call_tool(tool, given)

        answer = asyncio.run(main())
        if answer.is_error:
            raise_named(answer.structured_content["error"], answer.content[0].text)
        return answer.structured_content


@dataclass(frozen=True)
class ByCli:
    options: tuple[str, ...]
    capsys: Any

    def remember(self, content: str, **said: Any) -> Became:
        told = [f"--{name}={value}" for name, value in said.items()]
        return self._write("remember", content, *told)

    def recall(self, query: str, **asked: Any) -> list[str]:
        told = [f"--{name}={value}" for name, value in asked.items()]
        return [hit["memory"]["content"] for hit in self._run("recall", query, *told)["hits"]]

    def context(self, query: str) -> str:
        return self._run("context", query)["text"]

    def revise(self, id: str, content: str) -> Became:
        return self._write("revise", id, content)

    def forget(self, id: str) -> Became:
        return self._write("forget", id)

    def history(self, id: str) -> list[str]:
        return [memory["content"] for memory in self._run("history", id)]

    def pending(self) -> list[str]:
        return [memory["id"] for memory in self._run("pending")]

    def _write(self, *words: str) -> Became:
        told = self._run(*words)
        told = told[0] if isinstance(told, list) else told
        memory = told["memory"] or {"id": "", "status": ""}
        return Became(told["decision"], memory["id"], memory["status"])

    def _run(self, *words: str) -> Any:
        self.capsys.readouterr()
        run([*words, *self.options, "--json"])
        printed = self.capsys.readouterr()
        if printed.err:
            told = json.loads(printed.err)["error"]
            raise_named(told["type"], told["message"])
        return json.loads(printed.out)


def _became(outcome: Any) -> Became:
    memory = outcome.memory
    return Became(outcome.decision, memory.id if memory else "", memory.status if memory else "")


def raise_named(name: str, message: str) -> None:
    error = getattr(errors, name)
    raise error("it", message) if issubclass(error, errors.InvalidInput) else error(message)


@pytest.fixture(params=DOORS)
def enter(request, server, monkeypatch, capsys):
    """Enters a new space by the door, in a role."""
    opened: list[Any] = []
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "hashing")
    spaces: dict[str, str] = {}

    def entered(role: str = "owner", profile: str = "assistant") -> Any:
        if profile not in spaces:
            spaces[profile] = f"user:{os.urandom(4).hex()}"
            with Holdfast(server.home) as hf:
                hf.space(spaces[profile], profile=profile)
        name = spaces[profile]
        if request.param == "cli":
            return ByCli(("--home", str(server.home), "--space", name, "--as", f"{role}:tester"), capsys)
        if request.param == "library":
            from holdfast import Actor

            opened.append(Holdfast(server.home, actor=Actor(role, "tester")))
            return Direct(opened[-1].space(name))
        key = server.key(role, name)
        if request.param == "mcp":
            return ByMcp(server.url, key, name)
        opened.append(Client(server.url, key))
        return Direct(opened[-1].space(name))

    yield entered
    for one in opened:
        one.close()
