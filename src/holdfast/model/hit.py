"""What recall and context return: hits with their explanation, and a packed text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from holdfast.model.layer import Mode
    from holdfast.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Explain:
    """Why a memory was recalled (B2)."""

    arms: Mapping[str, Mapping[str, float]]  # arm → {"rank": 1, "score": 0.83}
    factors: Mapping[str, float]  # every factor of the score, and the weight's (E17 names)
    trust: Mapping[str, Any]  # source, author, confidence now, verified, marks
    provenance: Mapping[str, Any]  # source_ids, merged_from, compressed_from, supersedes
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory. `hot` says it came from working memory (P6); `label` is for people."""

    memory: Memory
    score: float
    label: str = ""
    hot: bool = False
    _explain: Callable[[], Explain] | None = field(default=None, repr=False, compare=False)

    @property
    def explain(self) -> Explain:
        """Worked out when asked for, so that a plain recall does not pay for it."""
        return self._explain() if self._explain else Explain({}, {}, {}, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What recall found. An empty one says which scope was searched; a degraded one says what was missing."""

    query: str
    space: str
    mode: Mode
    hits: tuple[Hit, ...]
    constitution: tuple[Memory, ...] = ()
    step: str = ""  # which step of the fallback it came from (M11)
    searched: Mapping[str, Any] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    cut: tuple[tuple[str, str], ...] = ()  # (memory id, why it was left out)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a context: its title, the memories in it, its share of the budget and what it used."""

    name: str
    title: str
    memories: tuple[Memory, ...]
    budget: int
    used: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A prompt's worth of memory within a token budget (M12)."""

    text: str
    sections: tuple[Section, ...]
    left_out: tuple[tuple[str, str], ...]  # (memory id, why)
    budget: int
    used: int
    answer: Answer
