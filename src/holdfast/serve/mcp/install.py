"""How the usual assistants are told of an MCP server: which file, under which key, in which words.

Pure but for `write`, which keeps everything else that the file holds.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NAME = "holdfast"
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Started:
    """A server that the assistant starts itself and speaks to over stdio."""

    command: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """A server that is there, over HTTP."""

    url: str
    headers: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Assistant:
    """One assistant. `reached` None: it speaks stdio only. A file without `~` lies in the project."""

    title: str
    file: str
    key: str
    started: Callable[[Started], Entry]
    reached: Callable[[Reached], Entry] | None


def _plain(server: Started) -> Entry:
    return {"command": server.command, "args": list(server.args)}


def _typed(server: Started) -> Entry:
    return {"type": "stdio", **_plain(server)}


def _at(word: str, **more: str) -> Callable[[Reached], Entry]:
    return lambda server: {**more, word: server.url, "headers": dict(server.headers)}


_DESKTOP = {
    "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
    "win32": "~/AppData/Roaming/Claude/claude_desktop_config.json",
}.get(sys.platform, "~/.config/Claude/claude_desktop_config.json")

ASSISTANTS: Mapping[str, Assistant] = {
    "claude-code": Assistant("Claude Code", ".mcp.json", "mcpServers", _typed, _at("url", type="http")),
    "claude-desktop": Assistant("Claude Desktop", _DESKTOP, "mcpServers", _plain, None),
    "cursor": Assistant("Cursor", "~/.cursor/mcp.json", "mcpServers", _plain, _at("url")),
    "vscode": Assistant("VS Code", ".vscode/mcp.json", "servers", _typed, _at("url", type="http")),
    "windsurf": Assistant(
        "Windsurf", "~/.codeium/windsurf/mcp_config.json", "mcpServers", _plain, _at("serverUrl")
    ),
    "gemini": Assistant("Gemini CLI", "~/.gemini/settings.json", "mcpServers", _plain, _at("httpUrl")),
    "zed": Assistant("Zed", "~/.config/zed/settings.json", "context_servers", _plain, _at("url")),
}


def entry(assistant: str, server: Started | Reached) -> Entry:
    """What has to stand in the assistant's file."""
    known = ASSISTANTS[assistant]
    if isinstance(server, Started):
        told = known.started(server)
    elif known.reached is None:
        raise InvalidInput(
            "--url", f"cannot be given to {known.title}", "leave it out: it starts its own server"
        )
    else:
        told = known.reached(server)
    return {known.key: {NAME: told}}


def place(assistant: str) -> Path:
    """The file, in the user's home or in the current directory."""
    return Path(ASSISTANTS[assistant].file).expanduser()


def write(path: Path, wanted: Entry) -> bool:
    """Puts the entry into the file beside what is there, whole or not at all; whether it changed anything.

    A new file is for its owner alone: it may hold a key.
    """
    before = _read(path)
    ((key, servers),) = wanted.items()
    there = before.get(key, {})
    if not isinstance(there, dict):
        raise InvalidInput(
            f"{path}: {key}", "is no object", "mend the file, or paste what is printed without --write"
        )
    after = {**before, key: {**there, **servers}}
    if after == before:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    beside = path.with_name(f"{path.name}.holdfast")
    beside.unlink(missing_ok=True)
    with os.fdopen(
        os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8"
    ) as file:
        file.write(shown(after))
    beside.replace(path)
    return True


def shown(value: Entry) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _read(path: Path) -> Entry:
    if not path.exists():
        return {}
    way_out = "leave --write out and paste what is printed"
    try:
        text = path.read_text(encoding="utf-8")
        found = json.loads(text) if text.strip() else {}
    except (OSError, ValueError) as error:
        raise InvalidInput(str(path), f"cannot be read as JSON ({error})", way_out) from None
    if not isinstance(found, dict):
        raise InvalidInput(str(path), "holds no JSON object", way_out)
    return found
