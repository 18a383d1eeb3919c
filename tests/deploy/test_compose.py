"""The compose file passes its linter, and names nothing that Holdfast does not know."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from holdfast import settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "deploy" / "compose.yaml"


def test_the_compose_file_passes_its_linter():
    linter = Path(sys.executable).with_name("compose-lint")
    told = subprocess.run([linter, COMPOSE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_compose_file_sets_only_what_is_read(tmp_path):
    text = COMPOSE.read_text(encoding="utf-8")
    told = dict(re.findall(r"^\s+(HOLDFAST_\w+): (.+)$", text, re.MULTILINE))
    assert settings.home(told) == told.pop("HOLDFAST_HOME")
    for name, value in told.items():
        changed = settings.load(None, {name: value})
        assert changed != settings.load(None, {}), f"{name} changes nothing"
    beside = settings.load(None, told)
    assert (beside.index.name, beside.working.name) == ("qdrant", "redis")
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    named = re.findall(
        r"^(\w+)=", (ROOT / "deploy" / "example.env").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert asked == set(named)
