"""`holdfast keys`: who may come in by a server's doors, and as what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from holdfast.model.access import KEY_ROLES
from holdfast.model.actor import Role
from holdfast.serve.cli import draw, output
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from holdfast.keyring import NewKey
    from holdfast.model.key import Key

app = typer.Typer(help="List the keys of a server, make one, or revoke one.")


@app.callback(invoke_without_command=True)
@spread
def keys(ctx: typer.Context, house: House) -> None:
    """List the keys of a server, make one, or revoke one."""
    if ctx.invoked_subcommand is None:
        _listed(house)


@app.command("list")
@spread
def list_(house: House) -> None:
    """List the keys, those that ended too; none of them can be shown again."""
    _listed(house)


@app.command()
@spread
def create(
    house: House,
    name: Annotated[str, typer.Argument(help="Who holds it; the ledger names it.", show_default=False)],
    *,
    role: Annotated[
        str, typer.Option("--role", help=f"One of {', '.join(KEY_ROLES)}.", show_default=True)
    ] = Role.AGENT.value,
    opens: Annotated[
        list[str] | None,
        typer.Option("--opens", help="A space it opens (repeatable); * for every one. Else --space."),
    ] = None,
    days: Annotated[float | None, typer.Option("--days", help="How long it holds; else for good.")] = None,
) -> None:
    """Make a key and show it, once."""
    spaces = opens or ([house.space] if house.space else [])
    with house.keeping("keys.create") as hf:
        house.tell(hf.keys.create(name, role=role, spaces=spaces, days=days), _made)


@app.command()
@spread
def revoke(
    house: House, id: Annotated[str, typer.Argument(help="The id of a key.", show_default=False)]
) -> None:
    """End a key for good, at once."""
    with house.keeping("keys.revoke") as hf:
        house.tell(
            hf.keys.revoke(id), lambda key: draw.words(f"{key.name} ({key.id}) opens nothing any more")
        )


def _listed(house: House) -> None:
    with house.keeping("keys.list") as hf:
        house.tell(hf.keys.list(), _drawn)


def _made(new: NewKey) -> RenderableType:
    spaces = ", ".join(new.key.spaces)
    told = f"{new.key.role} {new.key.name}, for {spaces}; it is shown this once"
    return Group(draw.words(new.token, "bold"), draw.words(told, draw.DIM))


def _drawn(found: Sequence[Key]) -> RenderableType:
    if not found:
        return Text("No keys yet; make one with: holdfast keys create NAME --opens SPACE", style=draw.DIM)
    grid = Table.grid(padding=(0, 2))
    for key in found:
        ends = f"until {draw.clock(key.expires_at)}" if key.expires_at else ""
        if key.revoked_at:
            ends = f"revoked {draw.clock(key.revoked_at)}"
        grid.add_row(
            draw.words(key.id),
            draw.words(key.name, "bold"),
            draw.words(key.role, "cyan"),
            draw.words(output.safe(", ".join(key.spaces))),
            draw.words(ends, draw.DIM),
        )
    return grid
