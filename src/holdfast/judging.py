"""`hf.judge`: what the judge of a house thinks of words, asked for itself. It reads no space and writes none.

Every answer says which judge gave it (`judge`) and why (`reasons`). A long text is asked about piece by piece
where a level or an attack is looked for; of the others the beginning is judged.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.ports.judge import Classified, Finding, Named, Related, Sensitivity, Turn, Verdict
from holdfast.remember import whole

if TYPE_CHECKING:
    from holdfast.ports.judge import Judge

TEXT_MOST = 1_000_000  # characters, as of what may be remembered
TURNS_MOST, TEXTS_MOST = 10_000, 1000
SUMMARY_MOST = 4000

Item = TypeVar("Item")
Said = TypeVar("Said", Related, Sensitivity, Verdict, Classified)


class Found(tuple[Item, ...]):  # noqa: SLOT001 (a tuple with slots cannot have any more)
    """What was found in a text, in order, and which judge found it."""

    judge: str
    reasons: tuple[str, ...]


class Summary(str):
    """A text that says what others say, and which judge wrote it."""

    __slots__ = ("judge", "reasons")
    judge: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a judge answers by itself, how fast, and what is wrong where it does not."""

    judge: str
    answers: bool
    seconds: float
    detail: str = ""


class Judging:
    """The judge of one house."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        """What the ledger calls it."""
        return self._judge.name

    def relation(self, old: str, new: str, *, similarity: float | None = None) -> Related:
        """How `new` stands to `old`: duplicate, refines, negates, corrects, time_change or distinct."""
        near = None if similarity is None else check.share("similarity", similarity)
        judge = self._judge.hearing()
        return _signed(judge.relation(_text("old", old), _text("new", new), near), judge)

    def extract(self, turns: str | Iterable[Turn | Mapping[str, str]]) -> Found[Finding]:
        """What of a conversation is worth keeping: turns with `role` and `text`, or a user's one text."""
        judge = self._judge.hearing()
        found = Found(judge.extract(_turns(turns)))
        found.judge, found.reasons = judge.name, _reasons(finding.reasons for finding in found)
        return found

    def sensitivity(self, text: str) -> Sensitivity:
        """0 public, 1 general, 2 sensitive, 3 secret, with the spans that make it so."""
        judge = self._judge.hearing()
        return _signed(whole.sensitivity(judge, _text("text", text)), judge)

    def poison(self, text: str) -> Verdict:
        """Whether the text would bend an assistant that trusted it as a memory."""
        judge = self._judge.hearing()
        return _signed(whole.poison(judge, _text("text", text)), judge)

    def consistent(self, text: str, known: Iterable[str] = ()) -> Verdict:
        """Whether the text contradicts neither itself nor what is known."""
        judge = self._judge.hearing()
        return _signed(judge.consistent(_text("text", text), _texts("known", known)), judge)

    def classify(self, text: str) -> Classified:
        """Kind, topic tags and single-valued slot of a statement."""
        judge = self._judge.hearing()
        return _signed(judge.classify(_text("text", text)), judge)

    def entities(self, text: str) -> Found[Named]:
        """Names, identifiers, dates and amounts, in order."""
        judge = self._judge.hearing()
        found = Found(judge.entities(_text("text", text)))
        found.judge, found.reasons = judge.name, _reasons((one.type,) for one in found)
        return found

    def summarise(self, texts: Iterable[str], *, limit: int = 200) -> Summary:
        """One text of at most `limit` characters that says what these say, in their language."""
        told = _texts("texts", texts)
        judge = self._judge.hearing()
        words = judge.summarise(told, check.whole("limit", limit, low=1, high=SUMMARY_MOST))
        summary = Summary(words)
        summary.judge, summary.reasons = judge.name, (f"of {len(told)} texts",)
        return summary

    def shaped(self, memory: str, reply: str) -> Verdict:
        """Whether the memory shaped the reply, rather than merely having been fetched."""
        judge = self._judge.hearing()
        return _signed(judge.shaped(_text("memory", memory), _text("reply", reply)), judge)

    def check(self) -> Health:
        """Asks one small question: does this judge answer, or do the rules in its place?"""
        judge, began = self._judge.hearing(), time.perf_counter()
        asked = judge.shaped("I like tea.", f"Tea then. ({uuid.uuid4().hex[:8]})")  # not from a cache
        took = round(time.perf_counter() - began, 3)
        answers = judge.name == self.name
        return Health(self.name, answers, took, "" if answers else "; ".join(asked.reasons[-1:]))


def _signed(answer: Said, judge: Judge) -> Said:
    return replace(answer, judge=judge.name)


def _reasons(each: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason for reasons in each for reason in reasons))


def _text(field: str, value: object) -> str:
    return check.text(field, value, most=TEXT_MOST)


def _texts(field: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInput(field, f"is a {type(values).__name__}", "give a list of texts")
    told = tuple(_text(f"{field}[{place}]", value) for place, value in enumerate(values))
    if len(told) > TEXTS_MOST:
        raise InvalidInput(field, f"has {len(told):,} texts", f"give at most {TEXTS_MOST:,}")
    return told


def _turns(turns: object) -> tuple[Turn, ...]:
    if isinstance(turns, str):
        return (Turn("user", _text("turns", turns)),)
    if isinstance(turns, Mapping) or not isinstance(turns, Iterable):
        raise InvalidInput("turns", f"is a {type(turns).__name__}", "give a list of turns")
    told = tuple(_turn(f"turns[{place}]", turn) for place, turn in enumerate(turns))
    if len(told) > TURNS_MOST:
        raise InvalidInput("turns", f"has {len(told):,} turns", f"give at most {TURNS_MOST:,}")
    return told


def _turn(field: str, turn: object) -> Turn:
    if isinstance(turn, Mapping):
        unknown = turn.keys() - {"role", "text"}
        if unknown:
            key = min(map(str, unknown))
            raise InvalidInput(f"{field}.{key:.80}", "says nothing of a turn", "give role and text")
        turn = Turn(turn.get("role", "user"), turn.get("text", ""))
    if not isinstance(turn, Turn):
        raise InvalidInput(field, f"is a {type(turn).__name__}", "give a mapping with role and text")
    check.text(f"{field}.role", turn.role)
    check.text(f"{field}.text", turn.text, most=TEXT_MOST, empty=True)
    return turn
