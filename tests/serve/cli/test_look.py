"""How output looks: colour only on a terminal, nothing taken for markup, nothing obeyed by the terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

HOLDFAST = str(Path(sys.executable).parent / "holdfast")
ESCAPE = "\x1b"


@pytest.fixture
def home(tmp_path):
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST")},
        "HOLDFAST_HOME": str(tmp_path / "memory"),
        "HOLDFAST_EMBEDDER": "hashing",
        "TERM": "xterm-256color",
        "COLUMNS": "80",
    }


def at_a_terminal(environment: dict[str, str], *arguments: str) -> str:
    """What a real terminal would get."""
    leader, follower = pty.openpty()
    with subprocess.Popen([HOLDFAST, *arguments], env=environment, stdout=follower, stderr=follower):
        os.close(follower)
        parts = []
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # the other end is closed, which is how a terminal says that all is read
                break
            if not part:
                break
            parts.append(part)
    os.close(leader)
    return b"".join(parts).decode()


def test_colour_is_for_terminals_that_want_it(home):
    home["HOLDFAST_SPACE"] = "user:ada"
    assert ESCAPE in at_a_terminal(home, "remember", "我爱喝茶", "--profile", "assistant")
    assert ESCAPE not in at_a_terminal({**home, "NO_COLOR": "1"}, "recall", "茶").replace("\x1b[?25", "")
    piped = subprocess.run([HOLDFAST, "recall", "茶"], env=home, capture_output=True, text=True, check=True)
    assert ESCAPE not in piped.stdout
    assert "我爱喝茶" in piped.stdout
    assert piped.stderr == ""


def test_a_memory_gives_no_orders_to_the_terminal(ada, kept):
    id = kept("before \x1b[2J\x07 after [bold red]not markup[/] :smile:")
    for command in (
        ["show", id],
        ["list"],
        ["recall", "before after"],
        ["history", id],
        ["context", "before"],
    ):
        out = ada(*command).out
        assert ESCAPE not in out
        assert "\x07" not in out
        assert "[bold red]not markup[/] :smile:" in out
    assert ada("show", id, "--json").json["content"].startswith("before \x1b[2J")


def test_help_is_there_for_every_command(cli):
    from typer.main import get_command

    from holdfast.serve.cli.app import app

    def every(group, path):
        for name, command in group.commands.items():
            yield [*path, name]
            if hasattr(command, "commands"):
                yield from every(command, [*path, name])

    for path in every(get_command(app), []):
        ran = cli(*path, "--help")
        assert ran.code == 0, path
        assert "Usage" in ran.out


def test_a_long_memory_is_not_cut_in_a_pipe(ada):
    words = "很长的一句话，" * 60
    ada("remember", words, "--json")
    assert words in ada("context", "很长的一句话", "--text").out
    assert ada("list", "--json").json[0]["content"] == words


def test_no_line_in_a_pipe_ends_in_spaces(ada, kept):
    id = kept("I take my coffee black")
    for command in (
        ["list"],
        ["recall", "coffee", "--explain"],
        ["show", id],
        ["ledger"],
        ["stats"],
        ["why", id],
    ):
        assert [line for line in ada(*command).out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize(
    ("shell", "code"),
    [(">&-", 0), (">/dev/full", 1), ("| cat", 0)],
    ids=["closed", "full", "piped"],
)
def test_an_output_that_cannot_be_written_leaves_no_trace_of_python(home, shell, code):
    script = f"set -o pipefail; {HOLDFAST} spaces create user:ada {shell}"
    ran = subprocess.run(["bash", "-c", script], env=home, capture_output=True, text=True, check=False)
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr


def test_an_output_without_chinese_still_says_something(home):
    ascii_only = {**home, "PYTHONIOENCODING": "ascii", "HOLDFAST_SPACE": "user:ada"}
    command = [HOLDFAST, "remember", "我住在杭州", "--profile", "assistant"]
    ran = subprocess.run(command, env=ascii_only, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("accepted  \\u6211")
