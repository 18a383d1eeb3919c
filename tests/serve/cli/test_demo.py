"""`holdfast demo`: plays to the end, shows what it says, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOLDFAST = str(Path(sys.executable).parent / "holdfast")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The demo as a newcomer runs it: the default embedder, an empty home, nothing on standard input."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST")}
    environment = {**kept, "HOME": str(home), "TMPDIR": str(home), "COLUMNS": "100"}
    ran = subprocess.run(
        [HOLDFAST, "demo"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran, sorted(path.name for path in home.rglob("*"))


@pytest.mark.row("B1")
def test_the_demo_plays_to_its_end_and_leaves_nothing_behind(played):
    ran, left = played
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.rstrip().endswith("lists the commands.")
    assert left == []


@pytest.mark.parametrize(
    "said",
    [
        "确认 3/3: 最终确认，此操作不可轻易撤销 (y/n) y  (the demo answers)",
        "Forbidden: agent:ear has no right",
        "My sister Juniper is allergic to peanuts",
        "我喜欢喝咖啡",
        "superseded  My phone number is 555-0199",
        "pending  医生让她每天吃两片降压药",
        "refused",
        "a mention",
        "mei.undo(gone.change)",
        "tokens",
        "The chain holds",
    ],
)
def test_the_demo_shows_what_it_says(played, said):
    assert said in played[0].stdout


def test_what_was_taken_back_is_gone_from_normal_recall_in_the_demo(played):
    after = played[0].stdout.split('mode="normal"')[1]
    normal, review = after.split('mode="review"')[:2]
    assert "我喜欢喝咖啡" not in normal
    assert "我喜欢喝咖啡" in review
