"""The judge: what decides what words mean. Two exist: rules (no model) and a language model.

Every answer carries its reasons as short plain phrases that a person can read. A judge is asked
outside any transaction and never writes; the engine records which judge answered by the `name` of a hearing.
Implementations are safe to call from several threads at once and give equal answers to equal questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Relation(StrEnum):
    """What a new statement is to a stored one."""

    DUPLICATE = "duplicate"
    REFINES = "refines"
    NEGATES = "negates"
    CORRECTS = "corrects"
    TIME_CHANGE = "time_change"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; role is `user`, `assistant` or a speaker's name."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Related:
    """How the new statement stands to the old one; `slot` is the single-valued slot both fill, if any."""

    label: Relation
    confidence: float
    reasons: tuple[str, ...] = ()
    slot: str | None = None
    judge: str = ""  # who said so; filled in where the answer is handed out by itself


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth keeping; `quote` is an exact substring of turn number `turn`."""

    type: str  # relation, place, event, habit, medical (row M8)
    quote: str
    turn: int
    confidence: float
    kind: str  # one of the engine's kinds
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Row E14: 0 public, 1 general, 2 sensitive, 3 secret; `spans` are (start, end, what)."""

    level: int
    reasons: tuple[str, ...] = ()
    spans: tuple[tuple[int, int, str], ...] = ()
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A yes or no (poisoned, consistent, shaped the reply) with its strength and reasons."""

    holds: bool
    score: float
    reasons: tuple[str, ...] = ()
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """An entity found in a text: type (part_number, phone, date, person, …), value as written, span."""

    type: str
    value: str
    start: int
    end: int
    intent: str | None = None


@dataclass(frozen=True, slots=True)
class Classified:
    """The kind of a statement and its topic tags (preference, personal, memory, promise)."""

    kind: str
    tags: tuple[str, ...] = ()
    slot: str | None = None
    confidence: float = 0.5
    reasons: tuple[str, ...] = ()
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory as a curator or a reviewer sees it. Only an id that was shown may be named in an answer."""

    id: str
    content: str
    kind: str = ""
    said: str = ""  # the day it was said, as 2026-01-03


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A memory under review (row C6): its importance rose to the upper threshold, or fell below the lower."""

    memory: Shown
    related: tuple[Shown, ...] = ()
    rising: bool = False
    searched: tuple[str, ...] = ()  # what was looked for in earlier rounds; its finds are among `related`
    last: bool = False  # no further search: a decision is due


class Judge(Protocol):
    """The contract. Texts have a few thousand characters; of longer ones the beginning is judged."""

    @property
    def name(self) -> str:
        """What the ledger calls this judge, for example `rules/1`."""
        ...

    @property
    def at_once(self) -> Judge:
        """The judge for what nobody may wait for: itself, or the rules that stand behind a model."""
        ...

    @property
    def patient(self) -> Judge:
        """The judge for what somebody waits to see remembered: itself, or a model for as long as its settings
        are patient, then the rules. Behind the conversation, itself.
        """
        ...

    def hearing(self, *, behind: bool = False) -> Judge:
        """The same judge for one piece of work: its name then says who answered in it. `behind`: the work is
        done behind the conversation, where nobody waits.
        """
        ...

    def relation(self, old: str, new: str, similarity: float | None = None) -> Related:
        """How `new` stands to `old`. Both may be in other languages or scripts, first or third person. The
        calibrated similarity of the two is told where it is known.
        """
        ...

    def extract(self, turns: Sequence[Turn]) -> tuple[Finding, ...]:
        """What of the user's turns is worth keeping, in order; nothing where nothing is (row M8)."""
        ...

    def sensitivity(self, text: str) -> Sensitivity:
        """The highest level of anything told in the text."""
        ...

    def poison(self, text: str) -> Verdict:
        """Whether the text would bend an assistant that trusted it as a memory (row B9)."""
        ...

    def consistent(self, text: str, known: Sequence[str] = ()) -> Verdict:
        """Whether the text contradicts neither itself nor what is known (row P2)."""
        ...

    def classify(self, text: str) -> Classified:
        """Kind, topic tags and single-valued slot of a statement."""
        ...

    def entities(self, text: str) -> tuple[Named, ...]:
        """Names, identifiers, dates, amounts found in the text, in order (row A11)."""
        ...

    def summarise(self, texts: Sequence[str], limit: int = 200) -> str:
        """One text of at most `limit` characters that says what these say, in their language."""
        ...

    def shaped(self, memory: str, reply: str) -> Verdict:
        """Whether the memory shaped the reply, rather than merely having been fetched (row C4)."""
        ...

    def curate(self, turns: Sequence[Turn], memories: Sequence[Shown]) -> str:
        """What the turns change in memory (row C3), a line each: `[ADD] words`, `[UPDATE:id] words`,
        `[BOOST:id]`, `[DELETE:id]`, or `[SKIP]`. Whoever asks trusts no line of it: all are checked.
        """
        ...

    def review(self, case: Case) -> str:
        """One round of a review (row C6): `[SEARCH:words]`, or the decision `[PROMOTE]` (rising only),
        `[KEEP]` or `[DELETE]`; what else is said is taken for reasons.
        """
        ...
