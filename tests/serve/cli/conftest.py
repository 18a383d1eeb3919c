"""A terminal to type at: commands run in this process, with a house of their own and the quick embedder."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from holdfast.serve.cli.main import run


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(self.err)["error"]


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    for name in [name for name in os.environ if name.startswith(("HOLDFAST", "FORCE_COLOR", "_HOLDFAST"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "memory"))
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "hashing")

    def typed(*arguments: str, stdin: str | bytes = "") -> Ran:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        code = run(arguments)
        printed = capsys.readouterr()
        return Ran(int(code), printed.out, printed.err)

    return typed


@pytest.fixture
def ada(cli, monkeypatch):
    """The same, inside a space that is there."""
    assert cli("spaces", "create", "user:ada").code == 0
    monkeypatch.setenv("HOLDFAST_SPACE", "user:ada")
    return cli


@pytest.fixture
def kept(ada):
    """Keeps a statement and says its id."""

    def keep(content: str, *options: str) -> str:
        ran = ada("remember", content, "--json", *options)
        assert ran.code == 0, ran.err or ran.out
        return ran.json["memory"]["id"]

    return keep
