"""`holdfast constitution`: what stands in every context. Each change takes three confirmations (M2).

A person answers three questions. A script (`--json`) gets a token instead, and hands it to `confirm`, which
returns the next one. Nothing confirms by itself.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from holdfast.errors import InvalidInput
from holdfast.serve.cli import complete, draw, output
from holdfast.serve.cli.codes import Code
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At, Id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from holdfast.model.memory import Memory
    from holdfast.remember.constitution import Change
    from holdfast.space import Space

app = typer.Typer(help="What stands in every context; each change takes three confirmations.")

YES = frozenset({"y", "yes", "是", "好", "确认", "確認"})
HAN = range(0x4E00, 0xA000)  # CJK unified ideographs: words with one of them are asked about in Chinese
BETWEEN = "."  # a token of the command line is the id of the change and the token of the library

Words = Annotated[str, typer.Argument(help="The entry, at most 200 characters.", show_default=False)]
Priority = Annotated[
    str | None,
    typer.Option("--priority", help="low, medium or high.", autocompletion=complete.priorities),
]


@app.callback(invoke_without_command=True)
@spread
def constitution(ctx: typer.Context, house: House) -> None:
    """Show what stands in every context; each change takes three confirmations."""
    if ctx.invoked_subcommand is None:
        with house.entered() as me:
            house.tell(me.constitution.entries(), _entries)


@app.command()
@spread
def add(house: House, words: Words, *, priority: Priority = None, at: At = None) -> None:
    """Add an entry."""
    told: dict[str, Any] = {} if priority is None else {"priority": priority}
    with house.entered() as me:
        _confirmed(house, me, me.constitution.propose(words, at=moment("--at", at), **told))


@app.command()
@spread
def change(
    house: House,
    id: Id,
    words: Annotated[str | None, typer.Argument(help="The new words.")] = None,
    *,
    priority: Priority = None,
    at: At = None,
) -> None:
    """Change the words or the priority of an entry."""
    with house.entered() as me:
        now = moment("--at", at)
        _confirmed(house, me, me.constitution.propose_change(id, words, priority=priority, at=now))


@app.command()
@spread
def delete(house: House, id: Id, *, at: At = None) -> None:
    """Take an entry away; it can be restored for a week."""
    with house.entered() as me:
        _confirmed(house, me, me.constitution.propose_delete(id, at=moment("--at", at)))


@app.command()
@spread
def confirm(
    house: House,
    token: Annotated[str, typer.Argument(help="The token that the step before printed.", show_default=False)],
    *,
    at: At = None,
) -> None:
    """Confirm a change once, for scripts: prints the next token, and the outcome after the last."""
    id, between, secret = token.partition(BETWEEN)
    if not between:
        raise InvalidInput("TOKEN", "is not one", "hand on the token that the step before printed")
    with house.entered() as me:
        confirmed = me.constitution.confirm(id, secret, at=moment("--at", at))
        if confirmed.outcome is not None and not house.as_json:
            house.tell(confirmed.outcome, draw.outcome)
        else:
            house.tell(_waiting(confirmed), lambda told: draw.words(told["token"]))


@app.command()
@spread
def waiting(house: House, *, at: At = None) -> None:
    """Show the changes that wait for their confirmations."""
    with house.entered() as me:
        house.tell(me.constitution.waiting(at=moment("--at", at)), draw.memories)


@app.command()
@spread
def withdraw(house: House, id: Id, *, at: At = None) -> None:
    """Drop a change that was not confirmed to the end."""
    with house.entered() as me:
        house.tell(me.constitution.withdraw(id, at=moment("--at", at)), draw.outcome)


@app.command()
@spread
def restore(house: House, id: Id, *, at: At = None) -> None:
    """Bring a deleted entry back, within a week."""
    with house.entered() as me:
        house.tell(me.constitution.restore(id, at=moment("--at", at)), draw.outcome)


@app.command()
@spread
def checked(house: House, id: Id, *, at: At = None) -> None:
    """Say that an entry was checked again and holds."""
    with house.entered() as me:
        house.tell(me.constitution.checked(id, at=moment("--at", at)), draw.outcome)


@app.command()
@spread
def due(house: House, *, at: At = None) -> None:
    """Show the entries whose re-check has come."""
    with house.entered() as me:
        house.tell(me.constitution.due(at=moment("--at", at)), _entries)


def _confirmed(house: House, me: Space, proposed: Change) -> None:
    """Asks the three questions, or prints the first token for a script."""
    if house.as_json:
        output.print_json(_waiting(proposed))
        return
    output.draw(Text("§ ", style="bold magenta").append(output.safe(proposed.content)))
    token = proposed.token
    for number in range(proposed.needed):
        if not _agreed(_question(proposed, number)):
            me.constitution.withdraw(proposed.id)
            output.aside().print("Not confirmed; nothing has changed.", style=draw.MEH)
            raise typer.Exit(Code.NOT_KEPT)
        token = proposed.confirm(token)
    if proposed.outcome is not None:
        output.draw(draw.outcome(proposed.outcome))


def _question(proposed: Change, number: int) -> str:
    """The question of one confirmation, in the language of the entry."""
    from holdfast.remember.constitution import prompts

    chinese = any(ord(letter) in HAN for letter in proposed.content)
    asked = prompts(proposed.action, "zh" if chinese else "en")
    return asked[min(number, len(asked) - 1)]


def _agreed(question: str) -> bool:
    output.aside().print(question, end=" ")
    return sys.stdin.readline().strip().casefold() in YES


def _waiting(proposed: Change) -> dict[str, Any]:
    """A change as scripts see it."""
    waits = proposed.outcome is None
    return {
        "change": proposed.id,
        "action": proposed.action,
        "content": proposed.content,
        "confirmations": proposed.confirmations,
        "needed": proposed.needed,
        "token": f"{proposed.id}{BETWEEN}{proposed.token}" if waits and proposed.token else "",
        "question": _question(proposed, proposed.confirmations) if waits else "",
        "outcome": proposed.outcome,
    }


def _entries(found: Sequence[Memory]) -> RenderableType:
    if not found:
        return Text("No entries.", style=draw.DIM)
    return Group(
        *(
            Group(
                Text("§ ", style="bold magenta").append_text(draw.one(entry)),
                draw.about(
                    entry, str(entry.priority), f"re-check {draw.clock(entry.due_at)}" if entry.due_at else ""
                ),
            )
            for entry in found
        )
    )
