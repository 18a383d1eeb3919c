"""`holdfast mcp install`: what an assistant's file has to say, printed or written beside what is there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from holdfast.serve.mcp.install import ASSISTANTS


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_what_is_printed_starts_a_server_of_that_space(assistant, cli):
    told = cli("mcp", "install", assistant, "--space", "user:ada")
    assert told.code == 0
    ((key, servers),) = json.loads(told.out).items()
    assert key == ASSISTANTS[assistant].key
    command = [servers["holdfast"]["command"], *servers["holdfast"]["args"]]
    assert "mcp" in command
    assert command[command.index("--space") + 1] == "user:ada"
    assert Path(command[command.index("--home") + 1]).is_absolute()


def test_what_is_printed_runs_and_ends_when_the_assistant_does(cli):
    told = json.loads(cli("mcp", "install", "cursor", "--space", "user:ada").out)["mcpServers"]["holdfast"]
    run = subprocess.run(
        [told["command"], *told["args"]], input=b"", capture_output=True, timeout=120, check=False
    )
    assert (run.returncode, run.stdout) == (0, b"")
    assert cli("stats", "--space", "user:ada").code == 0


@pytest.mark.parametrize("assistant", [name for name, one in ASSISTANTS.items() if one.reached])
def test_a_server_that_is_there_is_told_with_its_key(assistant, cli):
    told = cli(
        "mcp",
        "install",
        assistant,
        "--url",
        "http://127.0.0.1:8420/",
        "--key",
        "hf_a_b",
        "--space",
        "用户:小明",
    )
    (servers,) = json.loads(told.out).values()
    assert "http://127.0.0.1:8420/mcp" in servers["holdfast"].values()
    assert servers["holdfast"]["headers"]["Authorization"] == "Bearer hf_a_b"
    assert servers["holdfast"]["headers"]["Holdfast-Space"].isascii()


def test_writing_keeps_what_is_in_the_file_and_twice_changes_nothing(cli, tmp_path):
    path = tmp_path / "deep" / "mcp.json"
    command = ("mcp", "install", "cursor", "--space", "user:ada", "--write", "--file", str(path))
    assert cli(*command).code == 0
    assert path.stat().st_mode & 0o077 == 0
    kept = {"theme": "暗", "mcpServers": {"other": {"command": "other"}}}
    path.write_text(json.dumps(kept))
    assert cli(*command).code == 0
    written = json.loads(path.read_text())
    assert written["theme"] == "暗"
    assert set(written["mcpServers"]) == {"other", "holdfast"}
    before = path.read_bytes()
    assert "already" in cli(*command).out
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["mcp.json"]


@pytest.mark.parametrize("text", ["{ // a comment\n}", "[]", '{"mcpServers": 7}', "\udcff"])
def test_a_file_that_cannot_be_kept_is_left_as_it_is(text, cli, tmp_path):
    path = tmp_path / "mcp.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    ran = cli("mcp", "install", "cursor", "--space", "a", "--write", "--file", str(path), "--json")
    assert (ran.code, ran.error["type"]) == (2, "InvalidInput")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "wrong",
    [
        ("mcp", "install", "nobody", "--space", "a"),
        ("mcp", "install", "cursor"),
        ("mcp", "install", "cursor", "--url", "http://127.0.0.1:1"),
        ("mcp", "install", "claude-desktop", "--url", "http://127.0.0.1:1", "--key", "hf_a_b"),
        ("mcp",),
    ],
)
def test_what_is_missing_is_named_with_a_way_out(wrong, cli):
    ran = cli(*wrong, "--json")
    assert ran.code == 2
    assert ran.error["way_out"]
