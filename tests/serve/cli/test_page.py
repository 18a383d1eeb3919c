"""docs/cli.md is made from the commands, and says all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RELIED_ON = [
    "remember", "recall", "context", "list", "show", "why", "history", "forget", "restore", "revise",
    "negate", "affirm", "archive", "attach", "undo", "approve", "reject", "pending", "constitution",
    "capture", "quarantine", "spaces", "profiles", "verify", "doctor", "stats", "ledger", "worker",
    "jobs", "demo", "steward", "forecast", "brief", "promote",
]  # fmt: skip
ROOT = Path(__file__).resolve().parents[3]


def test_the_page_about_the_command_line_is_up_to_date():
    ran = subprocess.run([sys.executable, str(ROOT / "tools" / "cli_page.py"), "--check"], check=False)
    assert ran.returncode == 0, "docs/cli.md is out of date; run `make docs`"


def test_every_command_that_users_rely_on_is_there():
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    for name in RELIED_ON:
        assert f"\n## holdfast {name}\n" in page or f"\n## holdfast {name} " in page, name
    for name in ("store", "retrieve", "list", "conflicts"):
        assert f"\n## holdfast entity {name}\n" in page
