"""What the shell completes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOLDFAST = str(Path(sys.executable).parent / "holdfast")


@pytest.fixture
def complete(ada, tmp_path):
    """What bash would offer for the last word of a command line."""
    ada("spaces", "create", "user:ali", "--profile", "care")
    ada("spaces", "create", "project:kiln", "--profile", "team")

    def offered(line: str) -> list[str]:
        words = line.split(" ")
        environment = {
            **os.environ,
            "_HOLDFAST_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        }
        ran = subprocess.run([HOLDFAST], env=environment, capture_output=True, text=True, check=False)
        assert ran.stderr == ""
        return sorted(ran.stdout.split())

    return offered


def test_names_of_spaces_are_completed(complete, tmp_path):
    assert complete("holdfast recall tea --space user:a") == ["user:ada", "user:ali"]
    assert complete("holdfast recall tea -s pro") == ["project:kiln"]
    assert complete(f"holdfast recall tea --home {tmp_path / 'elsewhere'} --space user:a") == []


def test_profiles_kinds_and_closed_lists_are_completed(complete):
    assert complete("holdfast spaces create x --profile c") == ["care", "companion"]
    assert complete("holdfast remember tea --kind me") == ["medical"]
    assert complete("holdfast list --status re") == ["rejected", "review"]
    assert complete("holdfast list --layer s") == ["session"]
    assert complete("holdfast recall tea --mode ") == ["debug", "normal", "review"]
    assert complete("holdfast recall tea --as a") == ["agent", "auditor"]


def test_commands_are_completed(complete):
    assert complete("holdfast rec") == ["recall"]
    assert complete("holdfast spaces c") == ["create"]
