"""What a rule of the steward says: steps, as values. Nothing is done by saying them.

A rule is a pure function of some memories, the profile and the time; the rounds (`holdfast.rounds`) find the
memories, ask the judge beforehand, and carry the steps out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.model.memory import Memory

ASK = "ask"  # a step that changes nothing: a person is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that time does: to which memory, what, and why. `puts` are the memories as they are to be, at
    most one state each; `purge` takes the words of `memory` away for good; `writes` says that something else
    is written. A step with none of these asks a person.
    """

    rule: str
    what: str
    memory: str
    why: str
    puts: tuple[Memory, ...] = field(default=(), repr=False)
    purge: bool = False
    writes: bool = False
    bare: tuple[str, ...] = ()  # of the puts, those that lose their vector and words (cold storage)

    @property
    def asks(self) -> bool:
        return not self.puts and not self.purge and not self.writes

    @property
    def touched(self) -> tuple[str, ...]:
        """The memories that it changes."""
        return tuple(memory.id for memory in self.puts) or ((self.memory,) if self.purge else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the judge said beforehand: the summary of a text for a memory and a length."""

    summaries: Mapping[tuple[str, int], str] = field(default_factory=dict)

    def summary(self, id: str, limit: int, text: str) -> str:
        """The judge's, where it was asked and kept to the length; else the beginning of the text itself."""
        told = self.summaries.get((id, limit), "").strip()
        return told if told and len(told) <= limit else _beginning(text, limit)


def _beginning(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


NO_ANSWERS = Answers()
