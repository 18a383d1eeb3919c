"""The commands about the house itself: spaces, profiles, verify, doctor and repair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.table import Table
from rich.text import Text

from holdfast.serve.cli import complete, draw, output, trace
from holdfast.serve.cli.codes import Code
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from holdfast.model.space import SpaceRecord
    from holdfast.profile.schema import Profile

spaces_app = typer.Typer(help="List the spaces, or make one.")
profiles_app = typer.Typer(help="List the profiles, or show one.")


@spaces_app.callback(invoke_without_command=True)
@spread
def spaces(ctx: typer.Context, house: House) -> None:
    """List the spaces, or make one."""
    if ctx.invoked_subcommand is None:
        with house.opened() as hf:
            house.tell(hf.spaces(), _spaces)


@spaces_app.command()
@spread
def create(
    house: House,
    name: Annotated[str, typer.Argument(help="Its name, as user:alice.", show_default=False)],
    *,
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A preset, or your own.", autocompletion=complete.profiles)
    ] = "assistant",
    user_factor: Annotated[
        float | None, typer.Option("--user-factor", help="How fast this person forgets.")
    ] = None,
) -> None:
    """Make a space; one that is there is left as it is."""
    with house.keeping("create_space") as hf:
        me = hf.space(name, profile=profile, user_factor=user_factor)
        record = next(record for record in hf.spaces() if record.name == me.name)
        house.tell(record, lambda _: draw.words(f"{record.name} is there, with the profile {record.profile}"))


@profiles_app.callback(invoke_without_command=True)
@spread
def profiles(ctx: typer.Context, house: House) -> None:
    """List the profiles, or show one."""
    if ctx.invoked_subcommand is None:
        with house.opened() as hf:
            house.tell(hf.profiles(), _profiles)


@profiles_app.command("show")
@spread
def show_profile(
    house: House,
    name: Annotated[str, typer.Argument(help="Its name or file.", autocompletion=complete.profiles)],
) -> None:
    """Print a whole profile as TOML, to start one of your own from."""
    from holdfast.profile import load

    with house.opened() as hf:
        known = hf.profiles()
    profile = known[name] if name in known else load.load(name)
    if house.as_json:
        output.print_json(profile)
    else:
        output.print_text(load.dump(profile).rstrip("\n"))


@spread
def verify(
    house: House,
    all_spaces: Annotated[bool, typer.Option("--all", help="Every space of the house.")] = False,
) -> None:
    """Recompute the chain of the ledger and compare its head with the catalog."""
    with house.opened() as hf:
        names = [record.name for record in hf.spaces()] if all_spaces else [house.named()]
        reports = {name: hf.space(name).verify() for name in names}
    if all_spaces:
        house.tell(reports, lambda found: Group(*(_chain(name, report) for name, report in found.items())))
    else:
        house.tell(reports[names[0]], trace.chain)
    if not all(report.ok for report in reports.values()):
        raise typer.Exit(Code.STORE)


@spread
def doctor(house: House) -> None:
    """Look for everything that is not as it should be: files, chains, indexes."""
    with house.keeping("doctor") as hf:
        found = hf.doctor()
    house.tell(found, trace.drifts)
    if found:
        raise typer.Exit(Code.STORE)


@spread
def repair(house: House) -> None:
    """Rebuild the indexes of a space from its truth."""
    with house.keeping("repair") as hf:
        name = house.named()
        rows = hf.repair(name)
        house.tell(
            {"space": name, "rows": rows}, lambda _: draw.words(f"{rows} index rows of {name} written anew")
        )


def _spaces(found: Sequence[SpaceRecord]) -> RenderableType:
    if not found:
        return Text("No spaces yet; make one with: holdfast spaces create NAME", style=draw.DIM)
    grid = Table.grid(padding=(0, 2))
    for record in found:
        grid.add_row(
            draw.words(record.name, "bold"),
            draw.words(record.profile, "cyan"),
            draw.words(draw.clock(record.created_at), draw.DIM),
        )
    return grid


def _profiles(found: Mapping[str, Profile]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for name, profile in found.items():
        grid.add_row(draw.words(name, "bold"), draw.words(profile.description))
    return grid


def _chain(name: str, report: object) -> RenderableType:
    return Group(draw.words(name, "bold"), draw.indented(trace.chain(report)))  # type: ignore[arg-type]
