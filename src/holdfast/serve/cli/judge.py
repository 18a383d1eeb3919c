"""`holdfast judge`: asks the judge of the house what it thinks of words, and whether it answers at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdfast.serve.cli import draw
from holdfast.serve.cli.codes import Code
from holdfast.serve.cli.options import House, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

app = typer.Typer(help="Ask the judge what it thinks of words; nothing is kept.", no_args_is_help=True)

Text = Annotated[str, typer.Argument(help="What to judge.", show_default=False)]


@app.command()
@spread
def relation(
    house: House,
    old: Annotated[str, typer.Argument(help="What is remembered.", show_default=False)],
    new: Annotated[str, typer.Argument(help="What is said now.", show_default=False)],
) -> None:
    """How a new statement stands to an old one."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.relation(old, new), draw.record)


@app.command()
@spread
def extract(house: House, text: Text) -> None:
    """What of a user's turn is worth keeping."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.extract(text), _listed)


@app.command()
@spread
def sensitivity(house: House, text: Text) -> None:
    """How sensitive a text is: 0 public, 1 general, 2 sensitive, 3 secret."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.sensitivity(text), draw.record)


@app.command()
@spread
def poison(house: House, text: Text) -> None:
    """Whether a text would bend an assistant that trusted it."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.poison(text), draw.record)


@app.command()
@spread
def consistent(
    house: House,
    text: Text,
    known: Annotated[list[str] | None, typer.Option("--known", help="What is known; any number.")] = None,
) -> None:
    """Whether a text contradicts neither itself nor what is known."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.consistent(text, known or ()), draw.record)


@app.command()
@spread
def classify(house: House, text: Text) -> None:
    """Kind, tags and slot of a statement."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.classify(text), draw.record)


@app.command()
@spread
def entities(house: House, text: Text) -> None:
    """Names, identifiers, dates and amounts in a text."""
    with house.keeping("judge") as hf:
        house.tell(hf.judge.entities(text), _listed)


@app.command()
@spread
def summarise(
    house: House,
    texts: Annotated[list[str], typer.Argument(help="What to sum up.", show_default=False)],
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most so many characters.")] = 200,
) -> None:
    """One text that says what several say, in their language."""
    with house.keeping("judge") as hf:
        summary = hf.judge.summarise(texts, limit=limit)
        told = {"summary": str(summary), "judge": summary.judge, "reasons": summary.reasons}
        house.tell(told, lambda _: draw.words(summary))


@app.command()
@spread
def check(house: House) -> None:
    """Whether the judge answers: a model that does not leaves everything to the rules."""
    with house.keeping("judge") as hf:
        health = hf.judge.check()
        house.tell(health, draw.record)
    if not health.answers:
        raise typer.Exit(Code.UNAVAILABLE)


def _listed(found: Sequence[Any]) -> RenderableType:
    from rich.console import Group

    return Group(*(draw.record(one) for one in found)) if found else draw.words("Nothing.", draw.DIM)
