"""A prompt's worth of memory (M12): what recall found, and what is recent, packed into a budget of tokens."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.hit import Context
from holdfast.model.layer import Layer, Mode
from holdfast.recall import fence, hits, record
from holdfast.recall.answer import Recalled, answered, looked_at
from holdfast.recall.choose import newest_rows
from holdfast.recall.frame import layer_flags
from holdfast.recall.gather import sieve
from holdfast.recall.hits import Setting
from holdfast.recall.pack import Parts, Piece, pack
from holdfast.recall.tokens import estimated
from holdfast.recall.view import fetched

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.recall.question import Question
    from holdfast.recall.view import View
    from holdfast.scope import Scope

WIDELY = 4
"""A prompt is looked up for so many times the profile's limit: the budget, not a number, says what fits."""
RECENT = 20
"""Summaries of the last days, at most, that are offered to a prompt unasked (M11, layer 3)."""
MOST_TOKENS = 10_000_000
_RECENT = layer_flags([Layer.SESSION, Layer.EPISODE])


def context(
    scope: Scope, asked: Question, budget: int | None, *, count: Callable[[str], int] | None = None
) -> Context:
    """The constitution whole, facts and recent things that bear on the question, the question; within the
    budget.

    `count` says how many tokens a text has; unsaid, they are estimated, rather too many than too few.
    """
    scope.require("context", asked.at)
    if count is not None and not callable(count):
        raise InvalidInput("count", f"is a {type(count).__name__}", "give a function: a text, its tokens")
    profile = scope.profile
    most = profile.context.budget if budget is None else budget
    budget = check.whole("budget", most, low=1, high=MOST_TOKENS)
    if not asked.limited:
        asked = replace(asked, limit=min(asked.limit * WIDELY, 1000))
    view, now = looked_at(scope, asked)
    recalled = answered(scope, view, asked, now=now)
    setting = Setting(profile, now, asked.mode, asked.language)
    parts, rows = _parts(scope, view, recalled, asked=asked, setting=setting)
    packed = pack(parts, budget, profile.context, count=_asked(count) if count else estimated)
    inside = {memory.id for section in packed.sections for memory in section.memories}
    recalled.count([row for id, row in rows.items() if id in inside])
    return Context(
        text=packed.text,
        sections=packed.sections,
        left_out=packed.left_out,
        budget=budget,
        used=packed.used,
        answer=recalled.answer,
    )


def _asked(count: Callable[[str], int]) -> Callable[[str], int]:
    """The caller's counter, held to its promise."""

    def counted(text: str) -> int:
        return check.whole("count's answer", count(text), low=0, high=MOST_TOKENS)

    return counted


def _parts(
    scope: Scope, view: View, recalled: Recalled, *, asked: Question, setting: Setting
) -> tuple[Parts, dict[str, int]]:
    """What there is to pack, and the rows behind the memories."""
    answer, rows = recalled.answer, dict(recalled.rows)
    facts: list[Piece] = []
    lately: list[Piece] = []
    for hit in answer.hits:
        section = facts if hit.memory.layer is Layer.FACT else lately
        section.append(Piece(hit.memory, fence.line(hit.memory, hit.label)))
    recent = _recent(view, asked, setting)
    for row, memory in fetched(scope, view, [row for row in recent if row not in rows.values()]).items():
        if hits.visible(memory, asked.mode):
            rows[memory.id] = row
            lately.append(Piece(memory, fence.line(memory, hits.label(memory, setting))))
    language = asked.language
    parts = Parts(
        preface=fence.PREFACE[language],
        titles={name: titles[language] for name, titles in fence.TITLES.items()},
        constitution=[Piece(memory, fence.article(memory)) for memory in answer.constitution],
        fact=facts,
        session=lately,
        question=asked.query,
    )
    return parts, rows


def _recent(view: View, asked: Question, setting: Setting) -> tuple[int, ...]:
    """The newest working memory and summaries of the profile's days, whatever the question is."""
    frame, profile = view.frame, setting.profile
    layers = asked.layers & {Layer.SESSION, Layer.EPISODE}
    if frame is None or asked.mode is not Mode.NORMAL or not layers:
        return ()
    seen = frame.allowed(replace(sieve(asked, setting.now, profile), layers=layers))
    seen &= (frame.flags & _RECENT) != 0
    seen &= frame.columns.at >= record.seconds(setting.now - timedelta(days=profile.recall.session_days))
    return newest_rows(frame, seen, by="created", most=RECENT)
