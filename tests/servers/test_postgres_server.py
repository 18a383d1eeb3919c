"""The PostgreSQL of the tests: survives a kill with what was committed, and does not outlive its owner."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psycopg

ORPHAN = """
import os, signal
from holdfast.testing.servers.postgres import PostgresServer
server = PostgresServer()
print(server.directory, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_databases_belong_to_an_ordinary_user(postgres):
    first, second = postgres.fresh(), postgres.fresh()
    assert first != second
    with psycopg.connect(second) as db:
        assert db.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone() == (False,)


def test_a_server_ends_with_whoever_started_it_however_that_ends():
    run = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, check=False)
    directory = Path(run.stdout.strip())
    assert directory.name.startswith("holdfast-postgres"), run.stderr
    until = time.monotonic() + 30
    while directory.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not directory.exists()
