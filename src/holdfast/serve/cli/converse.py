"""Conversations from the terminal (`holdfast converse say|turns|end`), and what is noted of work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Group
from rich.text import Text

from holdfast.serve.cli import draw, output
from holdfast.serve.cli.options import House, moment, spread
from holdfast.serve.cli.read import At, Id
from holdfast.serve.cli.write import parsed, tell, typed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from holdfast.remember.ending import Ended
    from holdfast.remember.resolve import Resolved
    from holdfast.remember.review import Review

app = typer.Typer(help="Record a conversation, and end it with what it leaves.", no_args_is_help=True)

Session = Annotated[str, typer.Argument(help="The name of the conversation.", show_default=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What can be told of a turn."""

    role: Annotated[str, typer.Option("--role", "-r", help="user, assistant, or a speaker's name.")] = "user"
    confidence: Annotated[float | None, typer.Option("--confidence", "-c", help="How sure, from 0 to 1.")] = (
        None
    )
    recalled: Annotated[
        list[str] | None,
        typer.Option("--recalled", help="Id of a memory that the reply was given (repeatable)."),
    ] = None
    at: At = None


@app.command()
@spread
def say(
    house: House,
    session: Session,
    text: Annotated[str, typer.Argument(help="What was said; - reads standard input.", show_default=False)],
    *,
    said: Said,
) -> None:
    """Record a turn; what it means is worked out by the worker, or at the end."""
    moment("--at", said.at)
    told: dict[str, Any] = {"at": said.at, "confidence": said.confidence, "recalled": said.recalled or None}
    with house.entered() as me:  # the zone of the time is kept, for the clock of an episode
        tell(house, me.converse(session).say(said.role, typed(text), **told))


@app.command()
@spread
def turns(
    house: House,
    session: Session,
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 100,
) -> None:
    """Show the turns that are still in working memory, oldest first."""
    with house.entered() as me:
        house.tell(me.converse(session).turns(limit=limit), draw.memories)


@app.command("end")
@spread
def end_(
    house: House,
    session: Session,
    *,
    later: Annotated[bool, typer.Option("--later", help="Leave it to the worker.")] = False,
    at: At = None,
) -> None:
    """End a conversation: summary, observations, grades. Safe to repeat."""
    with house.entered() as me:
        house.tell(me.converse(session).end(at=moment("--at", at), later=later), _ended)


@spread
def observe(
    house: House,
    observation: Annotated[
        str, typer.Argument(help="A JSON object; - reads standard input.", show_default=False)
    ],
    *,
    confidence: Annotated[
        float | None, typer.Option("--confidence", "-c", help="How sure, from 0 to 1.")
    ] = None,
) -> None:
    """Keep an observation: a decision, bugfix, refactor, discovery or note (`holdfast schemas`)."""
    with house.entered() as me:
        told = parsed("OBSERVATION", typed(observation))
        tell(house, me.observe(told, confidence=confidence))


@spread
def assess(house: House, id: Id, *, at: At = None) -> None:
    """Let the judge look at a memory again: core, kept or let go."""
    with house.entered() as me:
        house.tell(me.review(id, at=moment("--at", at)), _review)


@spread
def resolve(
    house: House,
    reference: Annotated[str, typer.Argument(help='As "that part again".', show_default=False)],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 5,
    at: At = None,
) -> None:
    """Say which entity a reference means, or several with their scores."""
    with house.entered() as me:
        house.tell(me.resolve(reference, at=moment("--at", at), limit=limit), _resolved)


@spread
def schemas(
    house: House,
    profile: Annotated[
        str | None, typer.Option("--profile", "-p", help="With the authors of this profile.")
    ] = None,
) -> None:
    """Print the JSON Schemas of what is taken in a fixed form."""
    with house.keeping("schemas") as hf:
        output.print_json(hf.schemas(profile))


def _ended(ended: Ended) -> RenderableType:
    if ended.later:
        return Text("The worker will end it.", style=draw.DIM)
    head = Text(f"{ended.turns} turns" + (", ended before" if ended.repeated else ""), style=draw.DIM)
    parts = [ended.summary] if ended.summary is not None else []
    return Group(head, *(draw.outcome(outcome) for outcome in (*parts, *ended.observations)))


def _review(review: Review) -> RenderableType:
    steps = [
        draw.words(f"{number}. {step.said}  {'; '.join((step.words, *step.reasons)).strip('; ')}", draw.DIM)
        for number, step in enumerate(review.steps, 1)
    ]
    return Group(*steps, draw.outcome(review.outcome))


def _resolved(resolved: Resolved) -> RenderableType:
    if not resolved.candidates:
        return Text("Nothing known is meant.", style=draw.DIM)
    lines = [
        Group(
            Text(f"{one.score:.2f}  ", style="bold").append_text(draw.one(one.memory)),
            draw.words(f"  {'; '.join(one.reasons)}", draw.DIM),
        )
        for one in resolved.candidates
    ]
    head = [] if resolved.memory is not None else [Text("Which one?", style=draw.MEH)]
    return Group(*head, *lines[: 1 if resolved.memory is not None else None])
