"""A year of somebody's life in a minute: what is said by day, the steward by night, and what must hold.

A `Life` is a script; `lived` plays it in a space whose clock is ours and raises AssertionError on the day on
which a promise breaks. What is left is a table of how the memory grew and shrank.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.errors import IllegalChange
from holdfast.model.layer import Layer, Level
from holdfast.model.status import Mark, Status
from holdfast.steward.weighing import is_protected, weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.model.memory import Memory
    from holdfast.rounds.report import Round
    from holdfast.space import Space
    from holdfast.testing.clock import ManualClock

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
DAYS = 365
WEEK = 7
KEPT_DAYS = 30  # E16
STATUSES = tuple(Status)
NEW = frozenset({"merge", "brief"})  # rules that make something, whose id no plan knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Something said on a day. `again`: a question asked of memory on these days, which counts as use."""

    day: int
    words: str
    kind: str | None = None
    layer: str | None = None
    importance: float | None = None
    until: int | None = None
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """A script: what is said, what is taken back or forgotten (by its words), what an agent puts out."""

    name: str
    said: tuple[Said, ...]
    forgotten: Mapping[str, int] = field(default_factory=dict)
    captured: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class Month:
    """How a memory stood at the end of a month, and what the steward did in it."""

    month: int
    memories: int = 0
    alive: int = 0
    shortened: int = 0
    archived: int = 0
    deleted: int = 0
    gone: int = 0
    asked: int = 0
    steps: int = 0


@dataclass(slots=True)
class Year:
    """A life being lived."""

    space: Space
    life: Life
    clock: ManualClock
    days: int = DAYS
    looked: int = 5  # living memories asked for a week, in turn
    nights: int = 1  # from one run of the steward to the next
    ids: dict[str, str] = field(default_factory=dict)  # words → id, where they became a memory of their own
    months: list[Month] = field(default_factory=lambda: [Month(1)])

    def live(self) -> list[Month]:
        """Every day of it."""
        by_day: dict[int, list[Said]] = {}
        asked: dict[int, list[Said]] = {}
        for said in self.life.said:
            by_day.setdefault(said.day, []).append(said)
            for day in said.asked:
                asked.setdefault(day, []).append(said)
        for day in range(self.days):
            self.clock.set(START + timedelta(days=day))
            self._speak(by_day.get(day, []), day)
            for said in asked.get(day, []):
                self.space.recall(said.words, at=self.clock.now())
            self.clock.advance(hours=14)
            if day % self.nights == 0:
                self._night(day)
        return self.months

    def _speak(self, said: Sequence[Said], day: int) -> None:
        now = self.clock.now()
        for one in said:
            told: dict[str, Any] = {
                "kind": one.kind,
                "layer": one.layer,
                "importance": one.importance,
                "at": now,
            }
            if one.until is not None:
                told["expires_at"] = START + timedelta(days=one.until)
            outcome = self.space.remember(one.words, **{key: value for key, value in told.items() if value})
            if outcome.memory is not None and outcome.memory.content == one.words:
                self.ids[one.words] = outcome.memory.id
        for words, when in self.life.forgotten.items():
            if when == day and words in self.ids:
                try:
                    self.space.forget(self.ids[words], at=now)
                except IllegalChange:
                    continue  # time was faster
        for when, words in self.life.captured:
            if when == day:
                self.space.capture(words, at=now)

    # --- what must hold -------------------------------------------------------------------------
    def _night(self, day: int) -> None:
        now = self.clock.now()
        before = self.space.steward.plan(at=now) if day % WEEK == 0 else None
        done = self.space.steward.run(at=now)
        self._month(day).asked += len(done.asked)
        self._month(day).steps += len(done.steps)
        for step in done.steps:
            self._nothing_protected_is_lost([memory for memory in step.puts if memory.version > 1], day)
            if step.purge:
                self._nothing_goes_before_its_time(step.memory, day)
        if before is not None:
            self._as_planned(before, done, day)
            self._week(day)

    def _nothing_protected_is_lost(self, puts: Sequence[Memory], day: int) -> None:
        lost = [memory.id for memory in puts if is_protected(memory) or memory.layer is Layer.CONSTITUTION]
        assert not lost, f"day {day}: the steward took {lost}"

    def _nothing_goes_before_its_time(self, id: str, day: int) -> None:
        versions = self.space.history(id)
        deleted = versions[-1].deleted_at
        assert deleted is not None, f"day {day}: {id} was purged and never deleted"
        assert self.clock.now() - deleted > timedelta(days=KEPT_DAYS), f"day {day}: {id} went too early"

    def _as_planned(self, planned: Round, done: Round, day: int) -> None:
        told = [(step.rule, step.memory) for step in planned.steps if step.rule not in NEW]
        did = [(step.rule, step.memory) for step in done.steps if step.rule not in NEW]
        assert told == did, f"day {day}: not as planned"
        again = self.space.steward.run(at=done.at)
        assert not again.steps, f"day {day}: the second run did {again.done}"

    def _week(self, day: int) -> None:
        every = self.space.list(status=list(STATUSES), limit=10_000)
        assert self.space.verify().ok, f"day {day}: the chain broke"
        living = [memory for memory in every if self._lives(memory)]
        first = (day // WEEK * self.looked) % max(len(living), 1)
        living = (living + living)[first : first + min(self.looked, len(living))]
        missing = [memory.content for memory in living if not self._found(memory)]
        assert not missing, f"day {day}: alive, and not found: {missing}"
        for memory in every[:: max(1, len(every) // 20)]:
            words = self.space.why(memory.id).first_words
            assert memory.content == "" or any(words), f"day {day}: {memory.id} has lost its first words"
        self._count(self._month(day), every)

    def _lives(self, memory: Memory) -> bool:
        """Whether normal recall owes it to whoever asks in its own words."""
        profile, now = self.space.profile, self.clock.now()
        return (
            memory.layer is Layer.FACT
            and memory.status in (Status.ACTIVE, Status.REVIEW)
            and memory.level in (Level.FULL, Level.SUMMARY)
            and Mark.NEGATED not in memory.marks
            and memory.content in self.ids
            and memory.confidence >= profile.recall.min_confidence
            and weight(memory, now, profile)[0] >= max(profile.recall.normal_weight, 0.01)
        )

    def _found(self, memory: Memory) -> bool:
        """Looking at the machinery does not count as use."""
        hits = self.space.recall(memory.content, limit=10, mode="debug", at=self.clock.now()).hits
        return any(hit.memory.id == memory.id for hit in hits)

    def _month(self, day: int) -> Month:
        number = day * 12 // self.days + 1
        while len(self.months) < number:
            self.months.append(Month(len(self.months) + 1))
        return self.months[-1]

    def _count(self, month: Month, every: Sequence[Memory]) -> None:
        tally: Callable[[Callable[[Memory], bool]], int] = lambda holds: sum(map(holds, every))
        month.memories = len(every)
        month.alive = tally(lambda one: one.status in (Status.ACTIVE, Status.REVIEW))
        month.shortened = tally(lambda one: one.level is not Level.FULL)
        month.archived = tally(lambda one: one.status in (Status.ARCHIVED, Status.MERGED, Status.EXPIRED))
        month.deleted = tally(lambda one: one.status is Status.DELETED and one.content != "")
        month.gone = tally(lambda one: one.content == "")


def table(name: str, months: Sequence[Month]) -> str:
    """How a memory grew and shrank, a line a month."""
    titles = ("month", "memories", "alive", "shortened", "archived", "deleted", "gone", "asked", "steps")
    rows = [[str(getattr(month, title)) for title in titles] for month in months]
    lines = [name, "  ".join(titles)]
    lines += [
        "  ".join(cell.rjust(len(title)) for cell, title in zip(row, titles, strict=True)) for row in rows
    ]
    return "\n".join(lines)
