"""The scenes of `holdfast demo`, in the order they are played. Every name in them is made up."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from holdfast.errors import Forbidden
from holdfast.model.actor import Actor, Role
from holdfast.serve.cli import draw, trace

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from holdfast.serve.cli.demo import Stage
    from holdfast.space import Space

ALLERGY, CONTRARY = "林秋兰对青霉素过敏", "林秋兰对青霉素不过敏"
COFFEE, NO_COFFEE, TEA = "我喜欢喝咖啡", "我不喜欢喝咖啡了", "我早上改喝龙井茶"
KEY = "The spare key is with Mrs Thistlewood next door"
PEANUTS = "My sister Juniper is allergic to peanuts"
HORIZON = 180  # days of the curve
LIFE = (  # what was said, so many days ago
    (COFFEE, 90),
    ("周末常去湖边散步，走到枫桥再回来", 75),
    (PEANUTS, 60),
    (KEY, 45),
    ("I am learning to play the accordion, badly", HORIZON),
)


def constitution(stage: Stage) -> None:
    """What always stands."""
    stage.scene(
        "What always stands  常在之言", "A few statements stand in every context. Three confirmations each."
    )
    lin = _lin(stage)
    stage.code(f'lin.constitution.propose("{ALLERGY}")')
    from holdfast.remember.constitution import prompts

    change = lin.constitution.propose(ALLERGY)
    token = change.token
    for question in prompts(change.action, "zh"):
        stage.show(
            Text(question).append(" y", style="bold green").append("  (the demo answers)", style=draw.DIM)
        )
        token = change.confirm(token)
    stage.code(f'lin.as_actor(Actor("agent", "ear")).constitution.propose("{CONTRARY}")')
    try:
        _agent(lin).constitution.propose(CONTRARY)
    except Forbidden as error:
        stage.show(draw.words(f"Forbidden: {error}", draw.BAD))


def two_languages(stage: Stage) -> None:
    """Remembering and recalling."""
    stage.scene("Two languages  两种语言", "Said over half a year, asked today, in either language.")
    mei = _mei(stage)
    for words, days in LIFE:
        stage.code(f'mei.remember("{words}")')
        stage.outcome(mei.remember(words, at=stage.today - timedelta(days=days)))
    for question in ("what must I not cook for Juniper?", "周末去哪里走走？", "谁有备用钥匙？"):
        stage.code(f'mei.recall("{question}")')
        for hit in mei.recall(question, limit=1, at=stage.today):
            stage.show(Text(f"{hit.score:.2f}  ", style="bold").append_text(draw.one(hit.memory)))


def taken_back(stage: Stage) -> None:
    """A negation."""
    stage.scene("Taken back  收回前言", "What is taken back leaves recall at once. Its history stays.")
    mei = _mei(stage)
    for words in (NO_COFFEE, TEA):
        stage.code(f'mei.remember("{words}")')
        stage.outcome(mei.remember(words, at=stage.today))
    for mode in ("normal", "review"):
        stage.code(f'mei.recall("早上喝什么", mode="{mode}")')
        stage.show(_lines(mei, "早上喝什么", mode))


def conflict(stage: Stage) -> None:
    """Conflicts, and a person who decides."""
    stage.scene(
        "A conflict  冲突",
        "The newer phone number wins; what an agent hears about medicine waits for a person.",
    )
    mei, lin = _mei(stage), _lin(stage)
    for words in ("My phone number is 555-0142", "My phone number is 555-0199"):
        stage.code(f'mei.remember("{words}")')
        stage.outcome(mei.remember(words, at=stage.today))
    ear = _agent(lin)
    for words in ("医生让她每天吃两片降压药", CONTRARY):
        stage.code(f'ear.remember("{words}", confidence=0.95)')
        stage.outcome(ear.remember(words, confidence=0.95, at=stage.today))
    stage.code("lin.approve(*[memory.id for memory in lin.pending()])")
    for result in lin.approve(*[memory.id for memory in lin.pending()], at=stage.today):
        stage.outcome(result)


def explained(stage: Stage) -> None:
    """Why something was recalled."""
    stage.scene(
        "Why  为什么",
        "Every hit says which arms found it, what its score is made of, and how far to trust it.",
    )
    stage.code('mei.recall("is anybody allergic to nuts?", limit=1).hits[0].explain')
    stage.show(
        draw.reasons(_mei(stage).recall("is anybody allergic to nuts?", limit=1, at=stage.today).hits[0])
    )


def fading(stage: Stage) -> None:
    """A weight over half a year, with a mention half way."""
    stage.scene(
        "Fading  淡忘", "A weight falls as time goes by, and a mention lifts it again. Here: the accordion."
    )
    from holdfast.steward.salience import weight

    mei = _mei(stage)
    memory = mei.recall("accordion", limit=1, at=stage.today).hits[0].memory
    mention = memory.created_at + timedelta(days=HORIZON // 2)
    stage.code(f'mei.affirm(accordion.id, at="{mention:%Y-%m-%d}")')
    mei.affirm(memory.id, at=mention)
    before, after = mei.history(memory.id)[-2:]
    days = [memory.created_at + timedelta(days=day) for day in range(0, HORIZON, 3)]
    curve = [weight(before if day < mention else after, day, mei.profile)[0] for day in days]
    stage.show(trace.curve(curve, top=max(curve)))
    stage.show(draw.words(f"      day 0{' ' * 21}a mention{' ' * 21}day {HORIZON}", draw.DIM))


def undone(stage: Stage) -> None:
    """A change taken back."""
    stage.scene("Undo  撤销", "Every change can be taken back. The history keeps both.")
    mei = _mei(stage)
    key = mei.recall("spare key", limit=1, at=stage.today).hits[0].memory
    stage.code("gone = mei.forget(key.id)")
    gone = mei.forget(key.id, at=stage.today)
    stage.show(_lines(mei, "spare key", "normal"))
    stage.code("mei.undo(gone.change)")
    mei.undo(gone.change, at=stage.today)
    stage.show(_lines(mei, "spare key", "normal"))


def packed(stage: Stage) -> None:
    """A prompt's worth."""
    stage.scene(
        "A prompt's worth  上下文", "The constitution whole, then what matters, within a budget of tokens."
    )
    stage.code('lin.context("今天要注意什么药？", budget=400)')
    found = _lin(stage).context("今天要注意什么药？", budget=400, at=stage.today)
    stage.show(draw.context(found))


def verified(stage: Stage) -> None:
    """The chain."""
    stage.scene("The ledger  账本", "Who did what, when and why, in a chain that shows any later change.")
    mei = _mei(stage)
    stage.show(trace.entries(mei.ledger(after=6, limit=3)))
    stage.code(f'hf.verify("{mei.name}")')
    stage.show(trace.chain(stage.hf.verify(mei.name)))


SCENES: tuple[Callable[[Stage], None], ...] = (
    constitution, two_languages, taken_back, conflict, explained, fading, undone, packed, verified,
)  # fmt: skip


def _lin(stage: Stage) -> Space:
    return stage.hf.space("patient:林秋兰", profile="care")


def _mei(stage: Stage) -> Space:
    return stage.hf.space("user:枫小满", profile="assistant")


def _agent(space: Space) -> Space:
    return space.as_actor(Actor(Role.AGENT, "ear"))


def _lines(space: Space, question: str, mode: str) -> RenderableType:
    hits = space.recall(question, mode=mode, limit=3).hits
    if not hits:
        return Text("nothing", style=draw.DIM)
    return Group(
        *(Text(f"{hit.score:.2f}  ", style="bold").append_text(draw.one(hit.memory)) for hit in hits)
    )
