"""The judge by a language model behind any OpenAI-compatible endpoint, with the rules behind it.

Every answer is asked of the model, held to its form, guarded (`guards`), and taken from the rules wherever
the model is late, down, spent, wrong in form, or may not see the words. A hearing knows who answered in it.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.errors import Unavailable
from holdfast.judge.model import guards, prompts, schemas
from holdfast.judge.model.dialect import Question
from holdfast.judge.model.shown import MOST, NotShown, shown
from holdfast.judge.rules.text import fold
from holdfast.ports.judge import Classified, Finding, Named, Related, Sensitivity, Turn, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.judge.model.asking import Asker
    from holdfast.judge.model.schemas import Schema
    from holdfast.ports.judge import Case, Judge, Shown

Answer = TypeVar("Answer")

# Tokens of an answer: a verdict, a list. A model that thinks aloud needs most of them before it answers.
SHORT, LONG = 1000, 2500
TALK_MOST = 12_000  # characters of all texts of a question together; a longer one is left to the rules


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """`holdfast.ports.judge.Judge` by a model; views of it share the model, its limits and its cache."""

    asker: Asker
    rules: Judge
    patience: float = 0.0
    shows: int = 2
    until: float = math.inf  # monotonic: when nobody waits for the model any more
    behind: bool = False
    began: float | None = None
    answered: set[str] | None = field(default=None, compare=False)

    @property
    def own_name(self) -> str:
        return f"model/{self.asker.model}"

    @property
    def name(self) -> str:
        """Who answered so far, in a hearing; else its own."""
        return self.own_name if self.answered is None else "+".join(sorted(self.answered))

    @property
    def at_once(self) -> ModelJudge:
        """A view in which the rules answer."""
        return replace(self, until=-math.inf)

    @property
    def patient(self) -> ModelJudge:
        """A view in which the model answers until the patience of the settings is at its end."""
        began = time.monotonic() if self.began is None else self.began
        return self if self.behind else replace(self, until=min(self.until, began + self.patience))

    def hearing(self, *, behind: bool = False) -> ModelJudge:
        """A view that takes note of who answers."""
        return replace(self, behind=behind, began=time.monotonic(), answered=set())

    # --- the answers ---------------------------------------------------------------------------
    def relation(self, old: str, new: str, similarity: float | None = None) -> Related:
        by_rules = self.rules.relation(old, new, similarity)
        if fold(old) == fold(new):
            return self._ruled(by_rules)
        return self._judged(
            _Asked("relation", schemas.RELATION, (("old", old), ("new", new))),
            by_rules,
            lambda said: guards.relation(said, by_rules, (old, new)),
        )

    def extract(self, turns: Sequence[Turn]) -> tuple[Finding, ...]:
        if len(turns) > 1 and sum(min(len(turn.text), MOST) for turn in turns) > TALK_MOST:
            half = len(turns) // 2
            later = (replace(one, turn=one.turn + half) for one in self.extract(turns[half:]))
            return (*self.extract(turns[:half]), *later)
        asked = _Asked("extract", schemas.EXTRACT, _turns(turns), tokens=LONG)
        return self._judged(asked, self.rules.extract(turns), lambda said: guards.extract(said, turns))

    def sensitivity(self, text: str) -> Sensitivity:
        by_rules = self.rules.sensitivity(text)
        if by_rules.level >= guards.SECRET:  # there is no higher level
            return self._ruled(by_rules)
        asked = _Asked("sensitivity", schemas.SENSITIVITY, (("text", text),))
        return self._judged(asked, by_rules, lambda said: guards.sensitivity(said, by_rules, text))

    def poison(self, text: str) -> Verdict:
        by_rules = self.rules.poison(text)
        if by_rules.holds:
            return self._ruled(by_rules)
        asked = _Asked("poison", schemas.VERDICT, (("text", text),))
        return self._judged(asked, by_rules, lambda said: guards.poison(said, by_rules))

    def consistent(self, text: str, known: Sequence[str] = ()) -> Verdict:
        lines = (("text", text), *(("known", each) for each in known))
        asked = _Asked("consistent", schemas.VERDICT, lines)
        return self._judged(asked, self.rules.consistent(text, known), guards.consistent)

    def classify(self, text: str) -> Classified:
        by_rules = self.rules.classify(text)
        asked = _Asked("classify", schemas.CLASSIFY, (("text", text),))
        return self._judged(asked, by_rules, lambda said: guards.classify(said, by_rules))

    def entities(self, text: str) -> tuple[Named, ...]:
        by_rules = self.rules.entities(text)
        asked = _Asked("entities", schemas.ENTITIES, (("text", text),), tokens=LONG)
        return self._judged(asked, by_rules, lambda said: guards.entities(said, by_rules, text))

    def summarise(self, texts: Sequence[str], limit: int = 200) -> str:
        by_rules = self.rules.summarise(texts, limit)
        if not by_rules:
            return self._ruled(by_rules)
        lines = tuple(("text", text) for text in texts)
        asked = _Asked("summarise", schemas.SUMMARISE, lines, tokens=SHORT + 2 * limit, told={"limit": limit})
        return self._judged(asked, by_rules, lambda said: guards.summary(said, texts, limit))

    def shaped(self, memory: str, reply: str) -> Verdict:
        asked = _Asked("shaped", schemas.VERDICT, (("memory", memory), ("reply", reply)))
        return self._judged(asked, self.rules.shaped(memory, reply), guards.shaped)

    def curate(self, turns: Sequence[Turn], memories: Sequence[Shown]) -> str:
        lines = _turns(turns) + tuple(
            (f"memory m{n}", memory.content) for n, memory in enumerate(memories, 1)
        )
        sources = [text for _, text in lines]
        asked = _Asked("curate", schemas.CURATE, lines, tokens=LONG)
        return self._judged(
            asked,
            self.rules.curate(turns, memories),
            lambda said: guards.operations(said, [memory.id for memory in memories], sources),
        )

    def review(self, case: Case) -> str:
        lines = [(f"memory {case.memory.said}".strip(), case.memory.content)]
        lines += [(f"related {one.said}".strip(), one.content) for one in case.related]
        lines += [("searched before", words) for words in case.searched]
        schema = schemas.review(rising=case.rising, last=case.last)
        asked = _Asked(
            "review", schema, tuple(lines), told={"why_now": "rising" if case.rising else "falling"}
        )
        return self._judged(asked, self.rules.review(case), guards.decision)

    # --- how an answer is come by --------------------------------------------------------------
    def _judged(self, asked: _Asked, by_rules: Answer, guarded: Callable[[dict[str, Any]], Answer]) -> Answer:
        if time.monotonic() >= self.until:
            return self._ruled(by_rules)
        try:
            answer = guarded(self.asker.ask(asked.question(self), self.until))
        except (Unavailable, ValueError) as error:
            return self._ruled(_noted(by_rules, f"by rules: {error}"))
        self._note(self.own_name)
        return answer

    def _ruled(self, by_rules: Answer) -> Answer:
        self._note(self.rules.name)
        return by_rules

    def _note(self, name: str) -> None:
        if self.answered is not None:
            self.answered.add(name)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A verb and what it is asked about, by name."""

    verb: str
    schema: Schema
    lines: tuple[tuple[str, str], ...]
    tokens: int = SHORT
    told: dict[str, Any] = field(default_factory=dict)

    def question(self, judge: ModelJudge) -> Question:
        """As it is put to the model: in its language, secrets covered, every text fenced."""
        lines = [(name, shown(text, judge.rules, judge.shows)) for name, text in self.lines]
        if sum(len(text) for _, text in lines) > TALK_MOST:
            raise NotShown("there is more of it than a model is shown at once")
        language = prompts.language_of(text for _, text in lines)
        told = {
            key: prompts.book(language)[value] if key == "why_now" else value
            for key, value in self.told.items()
        }
        return Question(
            verb=self.verb,
            task=prompts.task(self.verb, language, **told),
            data="\n".join(prompts.line(*each) for each in lines),
            schema=self.schema,
            tokens=self.tokens,
        )


def _turns(turns: Sequence[Turn]) -> tuple[tuple[str, str], ...]:
    return tuple((prompts.speaker(turn.role), turn.text) for turn in turns)


def _noted(answer: Answer, why: str) -> Answer:
    """An answer of the rules says why it is one of theirs, where it has room for reasons."""
    if isinstance(answer, Related | Sensitivity | Verdict | Classified):
        return replace(answer, reasons=(*answer.reasons, why))
    return answer
