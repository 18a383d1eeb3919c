"""Other processes that write: started, killed, and what they promised."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.sqlite import SqliteStore

WRITER = Path(__file__).with_name("writer.py")


class Writers:
    """Started processes by what they do; none outlives its test."""

    def __init__(self):
        self.running = []

    def start(self, house, mode, *, name="家", count=1_000_000, **how):
        command = [sys.executable, str(WRITER), str(house), mode, name, str(count)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
        self.running.append(process)
        return process

    @staticmethod
    def ended(process):
        """What it said, line by line; an error of its own fails the test."""
        out, err = process.communicate(timeout=120)
        assert not err, err
        return [line.split() for line in out.splitlines() if line.count(" ") == 1]


@pytest.fixture
def writers():
    started = Writers()
    yield started
    for process in started.running:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def opened(tmp_path):
    """Stores that are closed after the test."""
    stores = []

    def open_store(house=tmp_path / "house", *options):
        stores.append(SqliteStore(house, *options))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()
