"""`holdfast mcp`: the memory for an assistant over stdio, and what the assistant's file has to say."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.errors import InvalidInput, Unavailable
from holdfast.model import check
from holdfast.model.actor import Actor, Role
from holdfast.serve.cli import complete, output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from holdfast.engine import Holdfast
    from holdfast.serve.mcp.install import Reached, Started

app = typer.Typer(help="Serve the memory to an assistant by MCP, or tell the assistant of it.")
AGENT = Actor(Role.AGENT, "assistant")
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", "-p", help="Make the space with this profile if it is not there.",
        autocompletion=complete.profiles,
    ),
]  # fmt: skip


@app.callback(invoke_without_command=True)
@spread
def mcp(ctx: typer.Context, house: House, profile: Profile = None) -> None:
    """Serve a space over standard input and output, as an agent unless told otherwise."""
    if ctx.invoked_subcommand is not None:
        return
    try:
        from holdfast.serve.mcp.stdio import serve
    except ModuleNotFoundError as error:
        raise Unavailable(f"{error.name} is not installed; install holdfast[serve]") from None
    name = house.named()
    speaking = house if house.actor else replace(house, actor=str(AGENT))
    with speaking.opened() as hf:
        hf.space(name, profile=profile if _missing(hf, name) else None)
        serve(hf, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """The server to tell the assistant of: one that is there, or one that it starts itself."""

    url: Annotated[
        str | None, typer.Option("--url", help="A server that is there, as http://127.0.0.1:8420.")
    ] = None
    key: Annotated[str | None, typer.Option("--key", help="The key to show that server.")] = None
    profile: Profile = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where it is told."""

    write: Annotated[bool, typer.Option("--write", help="Write it into the assistant's file.")] = False
    file: Annotated[Path | None, typer.Option("--file", help="Another file than the usual one.")] = None


@app.command()
@spread
def install(
    house: House,
    assistant: Annotated[
        str,
        typer.Argument(help="claude-code, claude-desktop, cursor, vscode, windsurf, gemini or zed."),
    ],
    *,
    server: Server,
    place: Place,
) -> None:
    """Print what an assistant's file has to say of this memory, or write it there."""
    from holdfast.serve.mcp import install as files

    check.choice("assistant", assistant, files.ASSISTANTS)
    wanted = files.entry(
        assistant, _reached(house, server) if server.url else _started(house, server.profile)
    )
    path = place.file or files.place(assistant)
    title = files.ASSISTANTS[assistant].title
    if not place.write:
        output.print_text(files.shown(wanted).rstrip("\n"))
        output.print_aside(f"for {title}, in {path}; --write puts it there")
    elif files.write(path, wanted):
        output.print_text(f"{path} tells {title} of this memory; start it anew")
    else:
        output.print_text(f"{path} says so already")


def _missing(hf: Holdfast, name: str) -> bool:
    return all(record.name != name for record in hf.spaces())


def _started(house: House, profile: str | None) -> Started:
    from holdfast.serve.mcp.install import Started
    from holdfast.settings import home

    where = house.home or home()
    script = Path(sys.executable).with_name("holdfast")
    command, first = (str(script), []) if script.exists() else (sys.executable, ["-m", "holdfast.serve.cli"])
    told = ["mcp", "--home", where if "://" in where else str(Path(where).expanduser().absolute())]
    told += ["--space", house.named(), *(["--profile", profile] if profile else [])]
    told += ["--as", house.actor] if house.actor else []
    return Started(command, (*first, *told))


def _reached(house: House, server: Server) -> Reached:
    from urllib.parse import quote

    from holdfast.serve.mcp.install import Reached

    if not server.key:
        raise InvalidInput("--key", "is missing", "`holdfast keys create` makes one for the role agent")
    headers = {"Authorization": f"Bearer {server.key}"}
    if house.space:
        headers["Holdfast-Space"] = quote(house.space, safe=":")
    return Reached(f"{(server.url or '').rstrip('/').removesuffix('/mcp')}/mcp", headers)
