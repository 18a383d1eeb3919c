"""What it costs to start: importing Holdfast, and the command line's help, against an empty Python."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 25
MOST = 3.0  # importing may take so many times an empty start

PROGRAMS = {
    "python -c pass": "pass",
    "import holdfast": "import holdfast",
    "import Holdfast, opened on nothing": "from holdfast import Holdfast",
    "holdfast --help": "from holdfast.serve.cli.main import run; run(['--help'])",
}


def seconds(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(ROUNDS):  # in turn, so that a busy moment hits them all
        for name, program in PROGRAMS.items():
            times[name].append(seconds(program))
    empty = statistics.median(times["python -c pass"])
    print(f"{'':36} {'median ms':>10} {'× empty':>8}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:36} {median * 1000:10.1f} {median / empty:8.2f}")
    ratio = statistics.median(times["import holdfast"]) / empty
    print(f"\nimport holdfast: {ratio:.2f} × an empty start, at most {MOST:g}")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
