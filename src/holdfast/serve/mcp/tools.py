"""The tools: each a name, the verb it asks the right for, what it takes, what it answers, and how it is done.

A tool holds no rule. None of them approves, changes the constitution or opens what is sealed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import types

from holdfast.model.layer import Mode
from holdfast.serve.mcp import asked, told

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.space import Space


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `reads`: it changes nothing; `destroys`: it takes something away, if only for a time."""

    name: str
    title: str
    description: str
    verb: str
    takes: type[asked.Asked]
    answers: type[told.Shape]
    run: Callable[[Space, Any], told.Told]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    """Asked twice it does no more than once."""

    def right(self, wanted: Any) -> str:
        """The verb whose right is asked for; everything, deleted memories too, needs one of its own (E13)."""
        return "recall_debug" if getattr(wanted, "mode", None) == Mode.DEBUG else self.verb

    def described(self) -> types.Tool:
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.takes.model_json_schema(),
            output_schema=self.answers.model_json_schema(),
            annotations=types.ToolAnnotations(
                title=self.title,
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.reads or self.repeats,
                open_world_hint=False,
            ),
        )


def search(me: Space, wanted: asked.Search) -> told.Told:
    """The constitution comes with every answer, and alone where that is the layer."""
    alone = wanted.layer == "constitution"
    layers = {} if alone or wanted.layer is None else {"layers": wanted.layer}
    limit = {} if wanted.limit is None else {"limit": wanted.limit}
    return told.answer(me.recall(wanted.query, **layers, **limit), alone=alone)  # type: ignore[arg-type]


def _add(me: Space, wanted: asked.Add) -> told.Told:
    kind = {} if wanted.category is None else {"kind": wanted.category}
    said = {"layer": wanted.layer, "confidence": wanted.confidence, **kind}
    return told.outcome(me.remember(wanted.content, **said))  # type: ignore[arg-type]


def _say(me: Space, wanted: asked.Say) -> told.Told:
    return told.outcome(me.converse(wanted.session).say(**wanted.told("session")))


def _end(me: Space, wanted: asked.End) -> told.Told:
    return told.ended(me.converse(wanted.session).end(**wanted.told("session")))


def _observe(me: Space, wanted: asked.Observe) -> told.Told:
    return told.outcome(me.observe(wanted.told("confidence"), confidence=wanted.confidence))


def _history(me: Space, wanted: asked.History) -> told.Told:
    later = [memory for memory in me.history(wanted.id) if memory.version > wanted.after]
    return told.page(later, wanted.limit, "version")


def _pending(me: Space, wanted: asked.Pending) -> told.Told:
    return told.page(me.pending(after=wanted.after, limit=wanted.limit + 1), wanted.limit, "id")


TOOLS = (
    Tool(
        name="memory_search",
        title="memory://search",
        description="Search the memory. What always holds (the constitution) comes with every answer.",
        verb="recall",
        takes=asked.Search,
        answers=told.Answer,
        run=search,
        reads=True,
    ),
    Tool(
        name="memory_add",
        title="memory://add",
        description="Add a fact, saying how sure you are. The answer says whether it was accepted, waits for "
        "a person, or was refused, and why.",
        verb="remember",
        takes=asked.Add,
        answers=told.Outcome,
        run=_add,
    ),
    Tool(
        name="recall",
        title="Recall",
        description="What is remembered about a question, best first, with filters and as of a past time.",
        verb="recall",
        takes=asked.Recall,
        answers=told.Answer,
        run=lambda me, wanted: told.answer(me.recall(**wanted.told())),
        reads=True,
    ),
    Tool(
        name="context",
        title="Context",
        description="A prompt's worth of memory for what you are about to answer, within a budget of tokens.",
        verb="context",
        takes=asked.Context,
        answers=told.Context,
        run=lambda me, wanted: told.context(me.context(**wanted.told())),
        reads=True,
    ),
    Tool(
        name="remember",
        title="Remember",
        description="Keep a statement with details: a session, an entity, a time, a secret under a label.",
        verb="remember",
        takes=asked.Remember,
        answers=told.Outcome,
        run=lambda me, wanted: told.outcome(me.remember(**wanted.told())),
    ),
    Tool(
        name="revise",
        title="Revise",
        description="Change the words or details of a memory; the old version stays.",
        verb="revise",
        takes=asked.Revise,
        answers=told.Outcome,
        run=lambda me, wanted: told.outcome(me.revise(wanted.id, **wanted.told("id"))),
        destroys=True,
    ),
    Tool(
        name="forget",
        title="Forget",
        description="Hide a memory at once; a person can restore it for 30 days.",
        verb="forget",
        takes=asked.Forget,
        answers=told.Outcome,
        run=lambda me, wanted: told.outcome(me.forget(wanted.id, wanted.reason)),
        destroys=True,
    ),
    Tool(
        name="say",
        title="Say",
        description="Record a turn of a conversation as it is said; what it means is worked out behind it.",
        verb="converse.say",
        takes=asked.Say,
        answers=told.Outcome,
        run=_say,
    ),
    Tool(
        name="end",
        title="End",
        description="End a conversation: its summary, and what was worth keeping; once, however often asked.",
        verb="converse.end",
        takes=asked.End,
        answers=told.Ended,
        run=_end,
        repeats=True,
    ),
    Tool(
        name="observe",
        title="Observe",
        description="Keep an observation of your work: decision, bugfix, refactor, discovery or note.",
        verb="observe",
        takes=asked.Observe,
        answers=told.Outcome,
        run=_observe,
    ),
    Tool(
        name="resolve",
        title="Resolve",
        description="Which entity a reference like 'that part again' means, or several with their scores.",
        verb="resolve",
        takes=asked.Resolve,
        answers=told.Resolved,
        run=lambda me, wanted: told.resolved(me.resolve(**wanted.told())),
        reads=True,
    ),
    Tool(
        name="history",
        title="History",
        description="Every version of a memory, oldest first.",
        verb="history",
        takes=asked.History,
        answers=told.Page,
        run=_history,
        reads=True,
    ),
    Tool(
        name="pending",
        title="Pending",
        description="What waits for a person to approve it, oldest first. Only people approve.",
        verb="pending",
        takes=asked.Pending,
        answers=told.Page,
        run=_pending,
        reads=True,
    ),
)
BY_NAME = {name: tool for tool in TOOLS for name in (tool.name, tool.title)}
"""By the name, and by the document's own (`memory://search`), which few clients can send (M14)."""
