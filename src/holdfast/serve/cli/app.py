"""The command line as one Typer app: which command is which function. Loading it loads no engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from holdfast.serve.cli import (
    bench,
    carry,
    constitution,
    converse,
    demo,
    embed,
    entities,
    house,
    jobs,
    judge,
    keys,
    mcp,
    move,
    people,
    quarantine,
    read,
    serve,
    steward,
    write,
)
from holdfast.serve.cli import seal as sealing
from holdfast.serve.cli.options import House, spread

app = typer.Typer(
    help="Long-term memory for agents: keeps, ranks, explains, versions and forgets.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

# Panel of the help → its commands, in the order they are shown.
COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Remember": (
        write.remember,
        write.revise,
        write.negate,
        write.affirm,
        write.attach,
        converse.observe,
        quarantine.capture,
    ),
    "Recall": (read.recall, read.context, read.list_, read.show, read.why, read.history, converse.resolve),
    "Let go, bring back": (write.forget, write.archive, write.restore, write.undo),
    "Decide": (people.pending, people.approve, people.reject, people.review, converse.assess),
    "Secrets": (sealing.open_, sealing.seal, sealing.rotate),
    "Time": (steward.forecast, steward.brief, steward.promote),
    "Work": (serve.serve, jobs.worker),
    "Carry": (carry.export, carry.import_, move.move),
    "The embedder": (embed.reembed, embed.calibrate),
    "The house": (
        converse.schemas,
        house.verify,
        house.doctor,
        house.repair,
        read.stats,
        read.ledger,
        demo.demo,
    ),
}
GROUPS: dict[str, tuple[tuple[str, typer.Typer], ...]] = {
    "Remember": (("converse", converse.app), ("entity", entities.app), ("constitution", constitution.app)),
    "Time": (("steward", steward.app),),
    "Work": (("jobs", jobs.app), ("mcp", mcp.app)),
    "The house": (
        ("quarantine", quarantine.app),
        ("spaces", house.spaces_app),
        ("profiles", house.profiles_app),
        ("keys", keys.app),
        ("judge", judge.app),
        ("bench", bench.app),
    ),
}

for panel, commands in COMMANDS.items():
    for command in commands:
        app.command(command.__name__.rstrip("_"), rich_help_panel=panel)(command)
for panel, groups in GROUPS.items():
    for name, group in groups:
        app.add_typer(group, name=name, rich_help_panel=panel)


def _version(value: Any) -> None:
    if value:
        from holdfast import __version__

        typer.echo(f"holdfast {__version__}")
        raise typer.Exit


@app.callback()
@spread
def holdfast(
    house: House,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Long-term memory for agents: keeps, ranks, explains, versions and forgets."""
