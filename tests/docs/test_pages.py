"""Every example in the papers runs, and prints what the page says it prints.

A ```python block runs in the namespace of its page; a ```text block below it is what it prints. A ```console
block runs in one shell a page: a line with `$ ` is a command, the lines below it are what it prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from holdfast import Holdfast

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, and the line it starts in."""

    page: Path
    language: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, match.group(1), match.group(2), text.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(text)
    ]


def pages_with(language: str) -> list:
    found = [page for page in PAGES if any(block.language == language for block in blocks(page))]
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in found]


def agrees(expected: str, printed: str) -> bool:
    """Whether this is what a page says: … stands for anything in a line, a line of … for any lines."""
    pattern = "" if expected.strip() else r"\n"
    for line in expected.strip("\n").splitlines():
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ ]*\n"
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


@pytest.fixture
def newcomer(tmp_path, monkeypatch):
    """Somebody who has nothing yet: an empty home directory, and no setting."""
    for name in [name for name in os.environ if name.startswith("HOLDFAST")]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path), "NO_COLOR": "1", "COLUMNS": "100", "TZ": "UTC"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", pages_with("python"))
def test_every_python_example_runs_and_prints_what_the_page_says(page, newcomer):
    namespace: dict = {"__name__": "page"}
    printed = ""
    try:
        for block in blocks(page):
            if block.language == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile("\n" * block.line + block.text, str(page), "exec"), namespace)
                printed = out.getvalue()
            elif block.language == "text" and printed:
                assert agrees(block.text, printed), f"{block} says\n{block.text}\nbut it printed\n{printed}"
                printed = ""
    finally:
        for value in [*namespace.values()]:
            if isinstance(value, Holdfast):
                value.close()


@pytest.mark.parametrize("page", pages_with("console"))
def test_every_command_on_a_page_prints_what_the_page_says(page, newcomer):
    steps = [step for block in blocks(page) if block.language == "console" for step in commands(block)]
    ended = "".join(f"{command}\ncode=$?; echo @@; (exit $code)\n" for _, command, _ in steps)
    run = subprocess.run(["bash", "-c", f"exec 2>&1\n{ended}"], capture_output=True, text=True, check=False)
    printed = re.split(r"\n?@@\n", run.stdout)
    assert len(printed) == len(steps) + 1, run.stdout
    for (block, command, expected), output in zip(steps, printed, strict=False):
        assert agrees(expected, output), (
            f"{block}\n$ {command}\nshould print\n{expected}\nbut printed\n{output}"
        )


def commands(block: Block) -> list[tuple[Block, str, str]]:
    """The commands of a block, each with what should come below it."""
    steps = []
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        end = next((at for at, line in enumerate(lines) if not line.endswith("\\")), 0)
        steps.append((block, "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])))
    return steps


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_every_link_leads_somewhere(page):
    broken = [
        link for link in _LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()
    ]
    assert not broken


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_every_make_target_on_a_page_is_there(page):
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = page.read_text(encoding="utf-8")
    code = "\n".join([*re.findall(r"`([^`\n]+)`", text), *re.findall(r"^ {4}(.*)", text, re.MULTILINE)])
    code += "".join(f"\n{block.text}" for block in blocks(page) if block.language == "sh")
    named = set(re.findall(r"^make (\w+)\b(?!=)", code, re.MULTILINE))
    assert named <= targets


def test_a_page_in_chinese_has_as_many_examples_as_the_one_in_english():
    for page in PAGES:
        chinese = page.with_suffix(".zh-CN.md")
        if chinese.exists():
            languages = [[block.language for block in blocks(one)] for one in (page, chinese)]
            assert languages[0] == languages[1], chinese.name


def test_the_dots_on_a_page_stand_for_anything():
    assert agrees("a…c\n…\nz", "abbc\n1\n2\nz\n")
    assert agrees("…", "whatever\nit is")
    assert not agrees("a…c", "abd")
