"""What a round did, or would do: values for people, in the order in which it happens."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from holdfast.steward.steps import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One space at one time. `steps` change something, `asked` are questions for a person; `changes` can be
    undone one by one, all of them by the `run`. A plan has neither.
    """

    space: str
    at: datetime
    run: str = ""
    steps: tuple[Step, ...] = ()
    asked: tuple[Step, ...] = ()
    changes: tuple[str, ...] = ()
    embedded: int = 0
    errors: tuple[str, ...] = ()

    @property
    def done(self) -> Mapping[str, int]:
        """How often what: "compress: summary" → 12."""
        return counted(self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What one day of a forecast would bring."""

    at: datetime
    steps: tuple[Step, ...] = ()
    asked: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The days on which something would happen, and how it would add up (B5)."""

    space: str
    since: datetime
    days: int
    calendar: tuple[Day, ...] = field(default=())

    @property
    def done(self) -> Mapping[str, int]:
        """How often what, over all days."""
        return counted(step for day in self.calendar for step in day.steps)

    @property
    def asked(self) -> int:
        """How many memories a person would be asked about."""
        return len({step.memory for day in self.calendar for step in day.asked})


def counted(steps: Iterable[Step]) -> dict[str, int]:
    """Steps by rule and what they do."""
    return dict(Counter(f"{step.rule}: {step.what}" for step in steps))
