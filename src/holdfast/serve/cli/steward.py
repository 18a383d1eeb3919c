"""`holdfast steward` does what time asks for, `forecast` shows it before, `brief` and `promote` purify."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from holdfast.serve.cli import draw, output, rounds
from holdfast.serve.cli.codes import Code
from holdfast.serve.cli.jobs import until_told
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.rounds.report import Round

app = typer.Typer(help="Do what time asks for, see what was done, take it back.", no_args_is_help=True)

Rules = Annotated[
    list[str] | None, typer.Option("--rule", help="Only this rule, or daily, or weekly (repeatable).")
]


@app.command()
@spread
def run(
    house: House,
    *,
    rule: Rules = None,
    all_spaces: Annotated[bool, typer.Option("--all", help="Every space of the house.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and why.")] = False,
    at: At = None,
) -> None:
    """Do everything that is due in a space, or in all of them; twice gives what once gives."""
    when = moment("--at", at)
    if all_spaces:
        with house.keeping("steward.plan_all" if dry_run else "steward.run_all") as hf:
            tended = hf.steward
            done = (
                tended.plan(at=when, rules=rule) if dry_run else tended.run(at=when, rules=rule, told=_told)
            )
            _tell(house, list(done), all_spaces=True, dry=dry_run)
        return
    with house.entered() as me:
        tend = me.steward
        one = tend.plan(at=when, rules=rule) if dry_run else tend.run(at=when, rules=rule, told=_told)
    _tell(house, [one], all_spaces=False, dry=dry_run)


def _told(rule: str, done: int, of: int) -> None:
    """How far it is, where somebody watches."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{rule} {done}/{of}" if done < of else "\r\x1b[K")


def _tell(house: House, rounds_done: Sequence[Round], *, all_spaces: bool, dry: bool) -> None:
    """A space that could not be tended is an error of the whole."""
    value = list(rounds_done) if all_spaces else rounds_done[0]
    house.tell(value, lambda _: rounds.drawn(rounds_done, dry=dry))
    if any(one.errors and not one.steps and not one.changes for one in rounds_done):
        raise typer.Exit(Code.INTERNAL)


@app.command()
@spread
def log(
    house: House, *, limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 20
) -> None:
    """Show what the runs did in a space, newest first."""
    with house.entered() as me:
        house.tell(me.steward.log(limit=limit), rounds.log)


@app.command()
@spread
def undo(
    house: House,
    run: Annotated[str, typer.Argument(help="The id of a run, as the log shows it.", show_default=False)],
    *,
    at: At = None,
) -> None:
    """Take a whole run back; `holdfast undo CHANGE` takes one step back."""
    with house.entered() as me:
        house.tell(me.steward.undo(run, at=moment("--at", at)), draw.outcomes)


@app.command()
@spread
def metrics(house: House, *, at: At = None) -> None:
    """Show how often what was done in a space, and how its weights lie."""
    with house.entered() as me:
        house.tell(me.steward.metrics(at=moment("--at", at)), draw.record)


@app.command()
@spread
def serve(
    house: House,
    *,
    every: Annotated[
        float, typer.Option("--every", help="Seconds between looks at the calendar.", min=0.1)
    ] = 60.0,
) -> None:
    """Keep the calendar of all spaces until told to stop: every day, and the review once a week."""
    from holdfast.worker import Keeper

    with house.keeping("steward.run_all") as hf:
        keeping = Keeper(hf, every=every, idle=every, told=lambda report: house.tell(report, draw.record))
        until_told(keeping)
        if house.as_json:
            house.tell({"working": True, "spaces": len(hf.spaces())}, draw.record)
            output.flush()
        keeping.run()


@spread
def forecast(
    house: House,
    *,
    days: Annotated[int, typer.Option("--days", help="How many days ahead.", min=1)] = 180,
    memory: Annotated[
        list[str] | None, typer.Option("--memory", help="Draw the weight of this memory (repeatable).")
    ] = None,
    at: At = None,
) -> None:
    """Play the profile forward: what will be shortened, archived, asked and deleted, touching nothing."""
    when = moment("--at", at)
    with house.entered() as me:
        told = me.steward.forecast(days, at=when)
        curves = {id: me.steward.curve(id, days=days, at=when) for id in _chosen(memory)}
    if house.as_json:
        output.print_json({"forecast": told, "curves": curves} if curves else told)
        return
    output.draw(rounds.forecast(told))
    for id, curve in curves.items():
        output.draw(rounds.curve(id, curve))


def _chosen(memory: Iterable[str] | None) -> list[str]:
    return list(dict.fromkeys(memory or ()))


@spread
def brief(house: House, *, at: At = None) -> None:
    """Show the week's quarantine as a few insights; `holdfast promote` makes facts of them."""
    with house.entered() as me:
        house.tell(me.brief(at=moment("--at", at)), rounds.brief)


@spread
def promote(
    house: House,
    id: Annotated[
        str,
        typer.Argument(help="An insight, a capture, or an entry of working memory.", show_default=False),
    ],
    *,
    content: Annotated[str | None, typer.Option("--content", help="In these words instead.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="What it is about.")] = None,
    at: At = None,
) -> None:
    """Make an insight, a capture or an entry of working memory a verified fact."""
    with house.entered() as me:
        house.tell(me.promote(id, content=content, kind=kind, at=moment("--at", at)), draw.outcomes)
