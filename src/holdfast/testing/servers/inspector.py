"""The MCP inspector's command line, from npm (`@modelcontextprotocol/inspector`): fetched once a user.

What `inspector --cli` runs is asked without the starter around it.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE, VERSION = "@modelcontextprotocol/inspector", "1.0.3"
"""The newest one that runs on Node.js 20."""


def inspect(server: Sequence[str], *wanted: str) -> Any:
    """Asks a server (`URL --transport http`, or a command to start) for one thing."""
    node = shutil.which("node")
    if node is None:
        raise RuntimeError("node is not there, which runs the MCP inspector: install Node.js with npm")
    command = [node, str(installed()), *server, *wanted]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    if run.returncode:
        raise RuntimeError(f"the inspector ended with {run.returncode}: {run.stderr[-2000:]}")
    return json.loads(run.stdout)


def installed() -> Path:
    """The program; fetched where it is not there, by one process at a time."""
    place = Path(os.path.expanduser("~")) / ".cache" / "holdfast-tests" / f"mcp-inspector-{VERSION}"  # noqa: PTH111
    program = place / "node_modules" / PACKAGE / "cli" / "build" / "index.js"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.is_file():
            npm = shutil.which("npm")
            if npm is None:
                raise RuntimeError(f"npm is not there, which fetches {PACKAGE}: install Node.js with npm")
            wanted = [npm, "install", "--prefix", str(place), "--no-audit", "--no-fund", "--silent"]
            subprocess.run([*wanted, f"{PACKAGE}@{VERSION}"], check=True, capture_output=True)  # noqa: S603
    return program
