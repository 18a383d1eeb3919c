"""`holdfast serve`: the memory over a network."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from holdfast.errors import Unavailable
from holdfast.serve.cli import output
from holdfast.serve.cli.options import House, spread

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@spread
def serve(
    house: House,
    *,
    host: Annotated[str | None, typer.Option("--host", help="The address to listen at.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="The port; 0 takes a free one.", min=0)] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes that answer.", min=1)] = None,
    background: Annotated[bool, typer.Option(help="Do what waits in the queues, beside answering.")] = True,
) -> None:
    """Serve the memory over HTTP, on this machine unless told otherwise."""
    from holdfast import settings as settings_file

    where, settings = settings_file.served(house.home)
    given: dict[str, Any] = {
        "host": host,
        "port": port,
        "workers": workers,
        "background": background and settings.background,
    }
    chosen = replace(settings, **{name: value for name, value in given.items() if value is not None})
    try:
        from holdfast.serve.http.run import serve as run
    except ModuleNotFoundError as error:
        raise Unavailable(f"{error.name} is not installed; install holdfast[serve]") from None
    if chosen.host not in LOOPBACK:
        output.print_aside(f"{chosen.host} can be reached by others: put TLS in front of it, and keep keys")
    run(where, chosen, _told)


def _told(address: str, key: str) -> None:
    output.print_text(f"Holdfast listens at {address}")
    if key:
        shown = (
            "an admin's key was made, shown this once:" if key.startswith("hf_") else "an admin's key is in"
        )
        output.print_text(f"{shown} {key}")
    output.flush()
