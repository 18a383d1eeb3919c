"""The steward of a space, and of the house: plan first, then run; forecast, log, metrics, undo.

What it decides lies in `holdfast.steward`; `at` is the time to act as of; unsaid, it is now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.model import check
from holdfast.recall import record
from holdfast.recall.reading import found
from holdfast.recall.weights import weights
from holdfast.rounds import due, log, run
from holdfast.rounds import forecast as rehearse
from holdfast.rounds.held import held
from holdfast.rounds.report import Round
from holdfast.rounds.schedule import Schedule
from holdfast.steward import metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from holdfast.model.plan import Outcome
    from holdfast.rounds.forecast import Point
    from holdfast.rounds.report import Forecast
    from holdfast.scope import Scope
    from holdfast.settings import StewardSettings
    from holdfast.steward.metrics import Metrics

FORECAST_MOST = 3660  # days; ten years of a small space take seconds
LOG_MOST = 10_000


def quiet(_rule: str, _done: int, _of: int) -> None:
    """Nobody is told how far it is."""


class Steward:
    """What time does to one space."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def plan(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> Round:
        """What a run would do now, and why; touches nothing."""
        moment = self._at("stats", at)
        return rehearse.plan(self._scope, moment, run.chosen(rules))

    def run(
        self,
        *,
        at: datetime | None = None,
        rules: Iterable[str] | None = None,
        told: Callable[[str, int, int], None] = quiet,
    ) -> Round:
        """Does what is due, under the steward's own name. Unavailable where another runner is at work. `told`
        hears how far which rule is.
        """
        moment = self._at("manage", at)
        return run.run(self._scope, moment, run.chosen(rules), told=told)

    def forecast(self, days: int = 180, *, at: datetime | None = None) -> Forecast:
        """Plays the profile forward, day by day, as if nobody said anything more; touches nothing (B5)."""
        moment = self._at("stats", at)
        days = check.whole("days", days, low=1, high=FORECAST_MOST)
        return rehearse.forecast(self._scope, moment, days, rules=run.chosen(None))

    def curve(self, id: str, *, days: int = 180, at: datetime | None = None) -> tuple[Point, ...]:
        """The weight of a memory on every day to come (B5)."""
        moment = self._at("get", at)
        days = check.whole("days", days, low=1, high=FORECAST_MOST)
        return rehearse.curve(self._scope, found(self._scope, id), moment, days=days)

    def log(self, *, limit: int = 100) -> list[log.Run]:
        """What the runs did, newest first."""
        self._scope.require("history")
        limit = check.whole("limit", limit, low=1, high=LOG_MOST)
        return log.runs(self._scope)[::-1][:limit]

    def undo(self, run: str, *, at: datetime | None = None) -> list[Outcome]:
        """Takes a whole run back, an outcome for every change of it. `undo` of the space takes one back."""
        return log.undo(self._scope, check.text("run", run), at=at)

    def metrics(self, *, at: datetime | None = None) -> Metrics:
        """Counts of all time, and the weights of what is alive now (E19)."""
        moment = self._at("stats", at)
        counts = metrics.counts(log.entries(self._scope))
        columns = held(self._scope)
        all_weights = weights(columns, record.seconds(moment), self._scope.profile)[0]
        alive = all_weights[due.standing(columns, due.LONG_TERM, due.STANDING)]
        return metrics.Metrics(
            **{name: counts[name] for name in metrics.COUNTS},
            avg_weight=round(float(np.mean(alive)), 4) if len(alive) else 0.0,
            weight_distribution=metrics.distribution(alive.tolist()),
        )

    def _at(self, right: str, at: datetime | None) -> datetime:
        moment = check.moment("at", at) if at is not None else self._scope.clock.now()
        self._scope.require(right, moment)
        return moment


class Stewards:
    """What time does to every space of a house."""

    def __init__(self, scopes: Callable[[], Iterator[Scope]], settings: StewardSettings) -> None:
        self._scopes = scopes
        self._settings = settings
        self._schedule: Schedule | None = None

    def plan(self, *, at: datetime | None = None, rules: Iterable[str] | None = None) -> list[Round]:
        """What a run would do now, space by space."""
        return list(self._each(lambda steward: steward.plan(at=at, rules=rules), at))

    def run(
        self,
        *,
        at: datetime | None = None,
        rules: Iterable[str] | None = None,
        told: Callable[[str, int, int], None] = quiet,
        until: Callable[[], bool] = lambda: False,
    ) -> list[Round]:
        """Space by space, until it is told to end; a space that cannot be tended now says why and keeps no
        other waiting.
        """
        found: list[Round] = []
        for done in self._each(lambda steward: steward.run(at=at, rules=rules, told=told), at):
            found.append(done)
            if until():
                break
        return found

    def keep(self, *, at: datetime | None = None, until: Callable[[], bool] = lambda: False) -> list[Round]:
        """Does what the calendar asks for now, in every space (A7): every day, and the review once a week. A
        turn that was missed is caught up once; `Worker` and `Keeper` call this for good.
        """
        moment = check.moment("at", at) if at is not None else None
        if self._schedule is None:
            self._schedule = Schedule(self._settings)
        return list(self._schedule.keep(self._scopes(), moment, until=until))

    def _each(self, tend: Callable[[Steward], Round], at: datetime | None) -> Iterator[Round]:
        for scope in self._scopes():
            try:
                yield tend(Steward(scope))
            except InvalidInput:
                raise
            except HoldfastError as error:
                moment = at or scope.clock.now()
                yield Round(space=scope.space, at=moment, errors=(str(error),))
