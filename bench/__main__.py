"""`make bench`, or `python -m bench PART [--data FOLDER]`; the parts are those of `main`, or `all`.

Each part runs in a process of its own, one after the other, and prints its table; .bench/results.json keeps
everything with the machine it was measured on. Without data only what needs none is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from bench import machine, tables
from bench.cost import BARS, MEASURES

DATA = Path("../shared/bench")
RESULTS = machine.PLACE / "results.json"
# Name → file under the data folder, format, further options.
SETS = {
    "locomo": ("retrieval/locomo.jsonl", "locomo", ()),
    "memdaily": ("retrieval/memdaily.jsonl", "memdaily", ("--pool",)),
    "memdaily, per trajectory": ("retrieval/memdaily.jsonl", "memdaily", ()),
    "households": ("judgement/households.jsonl", "households", ()),
}
DATALESS = ("startup", "cost", "serve", "postgres", "beside", "steward", "year")
AGAINST_PEERS = ("locomo", "memdaily")
PYTHON = Path(sys.executable)


class Bench:
    """One run: what is measured, where it is kept."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.screen = Console(width=None if sys.stdout.isatty() else 160)
        known = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
        self.kept = {**known, "machine": machine.described(), "at": datetime.now(UTC).isoformat()}

    def cost(self) -> None:
        measured = {}
        for name in self.options.only.split(",") if self.options.only else MEASURES:
            size = ["--spaces", str(self.options.crowd)] if name == "crowd" else []
            told = machine.ran([str(PYTHON), "-m", "bench.cost", name, *size])
            measured[name] = {"measured": json.loads(told)[name], "bars": BARS.get(name, {})}
        self.keep("cost", {**self.kept.get("cost", {}), **measured})
        self.screen.print(tables.cost(measured))

    def peers(self) -> None:
        python = machine.peers_python()
        self.kept["peers_packages"] = machine.versions(python)
        for name in AGAINST_PEERS:
            file, form, more = self.set(name)
            command = [str(python), str(machine.ROOT / "bench" / "side_by_side.py"), file, form, *more]
            report = json.loads(machine.ran(command))
            self.keep("peers", {**self.kept.get("peers", {}), name: report})
            self.screen.print(tables.peers(name, report))

    def retrieval(self) -> None:
        reports = {}
        for name in SETS:
            file, form, more = self.set(name)
            program = ["bench", "retrieval", "--data", file, "--format", form, *more, "--json"]
            reports[name] = json.loads(self.holdfast(program))
        self.keep("retrieval", reports)
        self.screen.print(tables.retrieval(reports))

    def judgement(self) -> None:
        report = json.loads(
            self.holdfast(["bench", "judgement", "--data", self.under("judgement"), "--json"])
        )
        self.keep("judgement", report)
        self.screen.print(tables.judgement(report))

    def beside(self) -> None:
        for name in ("outbox", "outage"):
            told = json.loads(machine.ran([str(PYTHON), "-m", "bench.beside", name]))
            self.keep("beside", {**self.kept.get("beside", {}), **told})
            self.screen.print(name, told[name])

    def postgres(self) -> None:
        data = ["--data", str(self.options.data)] if self.options.data.is_dir() else []
        told = machine.ran([str(PYTHON), "-m", "bench.postgres", "--spaces", str(self.options.crowd), *data])
        self.keep("postgres", json.loads(told.splitlines()[-1]))
        self.screen.print_json(data=self.kept["postgres"])

    def startup(self) -> None:
        from bench import startup

        startup.main()

    def steward(self) -> None:
        program = [str(PYTHON), "-m", "bench.steward", "--spaces", str(self.options.crowd)]
        report = json.loads(machine.ran(program))
        self.keep("steward", report)
        self.screen.print_json(data=report)

    def serve(self) -> None:
        told = machine.ran([str(PYTHON), "-m", "bench.serve", "--requests", str(self.options.requests)])
        self.keep("serve", json.loads(told))
        self.screen.print_json(told)

    def year(self) -> None:
        """Its tables go to the screen as they are made, on standard error."""
        program = [str(PYTHON), "-m", "bench.year", str(self.options.data.resolve())]
        self.keep("year", json.loads(machine.ran(program)))

    def set(self, name: str) -> tuple[str, str, tuple[str, ...]]:
        file, form, more = SETS[name]
        return self.under(file), form, more

    def under(self, name: str) -> str:
        return str((self.options.data / name).resolve())

    def holdfast(self, arguments: list[str]) -> str:
        """The command's JSON, as one line."""
        code = (
            "import contextlib, io, json, sys; from holdfast.serve.cli.main import run\n"
            "out = io.StringIO()\n"
            "with contextlib.redirect_stdout(out): code = run(sys.argv[1:])\n"
            "print(json.dumps(json.loads(out.getvalue())))"
        )
        return machine.ran([str(PYTHON), "-c", code, *arguments])

    def keep(self, part: str, value: dict) -> None:
        self.kept[part] = value
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(self.kept, ensure_ascii=False, indent=2), encoding="utf-8")


def main() -> int:
    parts = {
        name: getattr(Bench, name)
        for name in (
            "startup",
            "cost",
            "serve",
            "postgres",
            "beside",
            "steward",
            "year",
            "retrieval",
            "judgement",
            "peers",
        )
    }
    asking = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    asking.add_argument("part", nargs="?", default="all", choices=(*parts, "all"))
    asking.add_argument("--data", type=Path, default=DATA, help="a folder with retrieval/ and judgement/")
    asking.add_argument("--crowd", type=int, default=1000, help="spaces in the crowd, of 1,000 memories each")
    asking.add_argument("--only", default="", help="of the costs only these, by name and comma")
    asking.add_argument("--requests", type=int, default=100_000, help="of the server's loads")
    options = asking.parse_args()
    chosen = list(parts) if options.part == "all" else [options.part]
    if not options.data.is_dir() and set(chosen) - set(DATALESS):
        print(f"{options.data} is not there: only what needs no data is measured", file=sys.stderr)
        chosen = [part for part in chosen if part in DATALESS]
    run = Bench(options)
    told = run.kept["machine"]
    run.screen.print(", ".join(f"{key} {value}" for key, value in told.items()), style="dim")
    for part in chosen:
        parts[part](run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
