"""Writes docs/cli.md from the commands themselves. `--check` only says whether the page is up to date."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from holdfast.serve.cli.app import app
from holdfast.serve.cli.codes import MEANING
from holdfast.serve.cli.options import House

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
HEAD = """# The command line

This page is made from the commands themselves by `make docs`.

    holdfast COMMAND [WORDS] [OPTIONS]

A value that begins with a dash goes after `--`. A text given as `-` is read from standard input. Text
output is for people; `--json` prints what the library returns, under its own names, with times in ISO 8601.
Errors go to standard error, with the field and the way out; with `--json` as
`{"error": {"type", "message", "field", "problem", "way_out", "code"}}`. `holdfast --install-completion`
teaches your shell the commands, and the names of spaces, profiles and kinds.
"""
CODES = """
## Exit codes

| Code | Meaning |
|---|---|
"""
EVERYWHERE = """
## Options of every command

They may stand before the name of the command too.

| Option | |
|---|---|
"""


def page() -> str:
    """The whole page."""
    root: Any = typer.main.get_command(app)
    shared = {f.name for f in fields(House)}
    lines = [HEAD, CODES.rstrip("\n")]
    lines += [f"| {int(code)} | {meaning} |" for code, meaning in MEANING.items()]
    lines.append(EVERYWHERE.rstrip("\n"))
    lines += [_option(param) for param in root.params if param.name in shared]
    for path, command in sorted(_commands(root, ()), key=lambda found: found[0]):
        lines += ["", f"## holdfast {' '.join(path)}", "", _help(command), "", f"    {_usage(path, command)}"]
        rows = [_row(param) for param in command.params if param.name not in shared and param.name != "help"]
        if rows:
            lines += ["", "| | |", "|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _commands(group: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    found = []
    for name, command in group.commands.items():
        here = (*path, name)
        if hasattr(command, "commands"):
            if command.callback is not None and getattr(command, "invoke_without_command", False):
                found.append((here, command))
            found += _commands(command, here)
        elif not command.hidden:
            found.append((here, command))
    return found


def _help(command: Any) -> str:
    return " ".join((command.help or "").split())


def _is_argument(param: Any) -> bool:
    return param.param_type_name == "argument"


def _usage(path: tuple[str, ...], command: Any) -> str:
    words = ["holdfast", *path]
    for param in command.params:
        if _is_argument(param):
            name = param.name.upper() + ("..." if param.nargs == -1 else "")
            words.append(name if param.required else f"[{name}]")
    return " ".join([*words, "[OPTIONS]"])


def _row(param: Any) -> str:
    return f"| `{param.name.upper()}` | {param.help or ''} |" if _is_argument(param) else _option(param)


def _option(param: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(param.opts, key=len, reverse=True))
    notes = (
        "" if param.default in (None, False, "", []) or callable(param.default) else f" Else {param.default}."
    )
    needed = " Needed." if param.required else ""
    return f"| {names} | {param.help or ''}{needed}{notes} |"


def main() -> int:
    """Writes the page, or with --check compares it."""
    made = page()
    if "--check" in sys.argv[1:]:
        return 0 if PAGE.read_text(encoding="utf-8") == made else 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
