"""The entry of the command line. Every error ends here, as one or two lines and an exit code of `codes`.

Nothing stands behind this file to catch what it lets through, so it catches everything.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.serve.cli.codes import Code, code_of


def main() -> None:
    """What the `holdfast` script runs."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (open until the end)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an ASCII terminal still gets something to read
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the pipe has left, which is no mistake; Python would complain once more at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit code."""
    as_json = _asked("--json", arguments)
    try:
        from holdfast.serve.cli.app import app

        ended = app(args=list(arguments), prog_name="holdfast", standalone_mode=False)
    except HoldfastError as error:
        return _report(_told(error), code_of(error), as_json=as_json)
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the last stop before the terminal)
        if _asked("--debug", arguments):
            traceback.print_exc()
        return _unexpected(error, as_json=as_json)
    return ended if isinstance(ended, int) else Code.OK


def _asked(option: str, arguments: Sequence[str]) -> bool:
    """Whether an option is there, before any `--`."""
    words = list(arguments)
    return option in (words[: words.index("--")] if "--" in words else words)


def _told(error: HoldfastError) -> dict[str, Any]:
    told: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    for name in ("field", "problem", "way_out", "near"):
        if hasattr(error, name):
            told[name] = getattr(error, name)
    return told


def _unexpected(error: Exception, *, as_json: bool) -> int:
    """A mistake on the command line, which Typer reports by exceptions of its own, or one of ours."""
    if hasattr(error, "format_message") and not error.format_message():
        return Code.USAGE  # no command was named; the help is printed already
    if hasattr(error, "format_message"):
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "holdfast"
        wrong = InvalidInput(path, error.format_message().rstrip("."), f"`{path} --help` shows how")
        return _report({**_told(wrong), "type": "Usage"}, Code.USAGE, as_json=as_json)
    if isinstance(error, OSError):
        told = {"type": type(error).__name__, "message": f"the machine refused: {error}"}
        return _report(told, Code.INTERNAL, as_json=as_json)
    told = {
        "type": type(error).__name__,
        "message": f"{type(error).__name__}: {error}; this is a mistake in Holdfast, --debug shows where",
    }
    return _report(told, Code.INTERNAL, as_json=as_json)


def _report(told: dict[str, Any], code: Code, *, as_json: bool) -> int:
    from rich.text import Text

    from holdfast.serve.cli import output

    if as_json:
        sys.stderr.write(output.as_json({"error": {**told, "code": int(code)}}) + "\n")
        return code
    line = Text("✗ ", style="bold red")
    if told.get("way_out"):
        line.append(output.safe(f"{told['field']}: {told['problem']}")).append("\n  → ", style="dim")
        line.append(output.safe(told["way_out"]))
    else:
        line.append(output.safe(told["message"]))
    output.aside().print(line)
    return code
