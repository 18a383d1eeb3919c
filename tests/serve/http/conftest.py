"""A real server on loopback, with a house of its own and the quick embedder; it ends with its test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from holdfast import Holdfast

if TYPE_CHECKING:
    from pathlib import Path

STARTS_WITHIN = 60.0


@dataclass
class Running:
    """A server in a process of its own."""

    home: Path
    url: str
    process: subprocess.Popen
    log: list[str] = field(default_factory=list)

    @property
    def admin(self) -> str:
        return (self.home / "admin.key").read_text().strip()

    def asking(self, key: str | None = None, space: str = "", **more: Any) -> httpx.Client:
        """A client that shows a key; the admin's where none is named."""
        headers = {"Authorization": f"Bearer {self.admin if key is None else key}"}
        if space:
            headers["Holdfast-Space"] = space.encode()
        return httpx.Client(base_url=self.url + "/api/v1", headers=headers, timeout=30, **more)

    def key(self, role: str, *spaces: str) -> str:
        """A key, made as an owner of the machine makes it."""
        with Holdfast(self.home) as hf:
            return hf.keys.create(f"{role}-key", role=role, spaces=spaces).token

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(STARTS_WITHIN)
        self.process.stdout.close()
        return code


def start(home: Path, *options: str, settings: str = "guesses = 0") -> Running:
    home.mkdir(parents=True, exist_ok=True)
    (home / "holdfast.toml").write_text(f"[serve]\n{settings}\n")
    env = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST")}
    command = [
        sys.executable,
        "-m",
        "holdfast.serve.cli",
        "serve",
        "--home",
        str(home),
        "--port",
        "0",
        *options,
    ]
    process = subprocess.Popen(
        command,
        env={**env, "HOLDFAST_EMBEDDER": "hashing"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    log: list[str] = []
    threading.Thread(target=_gather, args=(process.stderr, log), daemon=True).start()
    first = process.stdout.readline()
    assert first.startswith("Holdfast listens at http://"), first + "".join(log)
    return Running(home, first.split()[-1], process, log)


def _gather(pipe, log: list[str]) -> None:
    with pipe:
        log.extend(iter(pipe.readline, ""))


@pytest.fixture
def served(tmp_path):
    """Starts servers; all of them end with the test."""
    running: list[Running] = []

    def make(*options: str, settings: str = "") -> Running:
        running.append(start(tmp_path / "memory", *options, settings=settings))
        return running[-1]

    yield make
    for one in running:
        one.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for a whole file."""
    running = start(tmp_path_factory.mktemp("served") / "memory")
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def house(server):
    """As the admin, outside of any space."""
    with server.asking() as client:
        yield client


@pytest.fixture
def ada(server, house):
    """As the admin, in a space of the test's own."""
    name = f"user:{os.urandom(4).hex()}"
    assert house.post("/spaces", json={"name": name}).status_code == 201
    with server.asking(space=name) as client:
        client.space = name
        yield client
