"""Second half of the way out: of what was gathered, who is in the answer, in which order, what was cut and
why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer, Mode
from holdfast.recall import record
from holdfast.recall.frame import layer_flags
from holdfast.recall.gather import candidates, sieve
from holdfast.recall.rank import Ranked, best_first, ranked
from holdfast.recall.steps import Step, step

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.recall.frame import Frame
    from holdfast.recall.gather import Gathered
    from holdfast.recall.question import Question
    from holdfast.recall.view import View
    from holdfast.scope import Scope

CLOSELY = 128
"""So many of the most relevant are weighed and ranked: far more than any limit in use, and still cheap.
Where the thresholds leave too few of them, all are.
"""
NEXT = 10
"""Of what was cut, the nearest to the border are named (B2)."""
_FACTS = layer_flags([Layer.FACT])


@dataclass(frozen=True, slots=True)
class Chosen:
    """Who is in the answer: `winners` in order, then `latest`; `hot` comes before them, beside the limit."""

    ranked: Ranked
    winners: tuple[int, ...]
    """Places in `ranked`."""
    latest: tuple[int, ...]
    hot: tuple[int, ...]
    step: str
    cut: tuple[tuple[str, str], ...]

    @property
    def rows(self) -> list[int]:
        """All rows that are handed out, in order."""
        return [*self.hot, *self.ranked.found.rows.take(self.winners).tolist(), *self.latest]


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision: what was gathered for which question, when."""

    scope: Scope
    view: View
    gathered: Gathered
    asked: Question
    now: datetime

    def chosen(self) -> Chosen:
        """By the profile's ranking, thresholds and fallback."""
        asked, hot = self.asked, self.working_memory()
        most = max(CLOSELY, 8 * asked.limit)
        every, taken = self._weighed(most, hot)
        if np.count_nonzero(taken.kept) < asked.limit and most < self.gathered.found:
            every, taken = self._weighed(self.gathered.found, hot)
        order = self._last_talks_first(every, best_first(every, self.gathered.frame.ids))
        winners = order[self._fetched(every, taken)[order]][: max(asked.limit - taken.latest, 1)]
        latest = self._latest(every.found.rows[winners], taken) if taken.latest else ()
        shown = np.isin(every.found.rows, latest)  # what comes as one of the newest is not left out
        cut = self._cut(every, order[~shown[order]], taken, winners=winners)
        return Chosen(every, tuple(winners.tolist()), latest, hot, taken.name, cut)

    def working_memory(self) -> tuple[int, ...]:
        """The newest rows of what is hot (P6), under the same filters as everything else."""
        if not self.asked.hot:
            return ()
        frame = self.gathered.frame
        seen = replace(sieve(self.asked, self.now, self.scope.profile), layers=frozenset({Layer.SESSION}))
        allowed = frame.allowed(seen)
        if self.view.hot is not None:
            rows = {frame.ids[row]: row for row in np.flatnonzero(allowed).tolist()}
            return tuple(rows[id] for id in self.view.hot if id in rows)
        return newest_rows(frame, allowed, by="created", most=self.asked.hot)

    def _last_talks_first(self, every: Ranked, order: NDArray[np.intp]) -> NDArray[np.intp]:
        """C2: where the last talk is asked for, the newest comes first, however much weight another has."""
        leads = self.gathered.last.tolist()
        if not leads:
            return order
        places = [
            leads.index(row) if row in leads else len(leads) for row in every.found.rows[order].tolist()
        ]
        return order[np.argsort(places, kind="stable")]

    def _weighed(self, most: int, hot: tuple[int, ...]) -> tuple[Ranked, Step]:
        """The candidates with their scores, and those of them that every threshold lets through."""
        profile = self.scope.profile
        found = candidates(self.gathered, self.view, self.scope, most=most)
        if hot:
            found = found.some(np.flatnonzero(~np.isin(found.rows, hot)))
        every = ranked(found, record.seconds(self.now), profile, ranking=self.asked.ranking)
        return every, step(found, every.weight >= self._floor(), profile.recall)

    def _floor(self) -> float:
        """The least weight that the mode sees (E13); where nothing is weighed there is none."""
        profile, mode = self.scope.profile, self.asked.mode
        if profile.salience.formula == "none" or mode is Mode.DEBUG:
            return 0.0
        return profile.recall.normal_weight if mode is Mode.NORMAL else profile.recall.review_weight

    def _fetched(self, every: Ranked, taken: Step) -> NDArray[np.bool_]:
        """A4: heat orders twice as many as are wanted, the most relevant of all; other rankings order all."""
        if self.asked.ranking != "heat":
            return taken.kept
        passed = np.flatnonzero(taken.kept)
        most = self.scope.profile.recall.overfetch * self.asked.limit
        nearest = passed[np.argsort(-every.found.relevance[passed], kind="stable")[:most]]
        fetched = np.zeros(len(taken.kept), np.bool_)
        fetched[nearest] = True
        return np.asarray(fetched | (taken.kept & np.isin(every.found.rows, self.gathered.last)))

    def _latest(self, winners: NDArray[np.intp], taken: Step) -> tuple[int, ...]:
        """The facts changed last, behind what was found (M11)."""
        frame = self.gathered.frame
        facts = self.gathered.allowed & ((frame.flags & np.uint16(_FACTS)) != 0)
        facts[winners] = False
        return newest_rows(
            frame, facts, by="updated", most=min(taken.latest, self.asked.limit - len(winners))
        )

    def _cut(
        self, every: Ranked, order: NDArray[np.intp], taken: Step, *, winners: NDArray[np.intp]
    ) -> tuple[tuple[str, str], ...]:
        """The best of those left out, each with the reason."""
        inside = set(winners.tolist())
        left = [place for place in order[: len(inside) + NEXT].tolist() if place not in inside][:NEXT]
        rows = every.found.rows[left].tolist()
        ids = [self.gathered.frame.ids[row] for row in rows]
        return tuple((id, self._reason(every, place, taken)) for id, place in zip(ids, left, strict=True))

    def _reason(self, every: Ranked, place: int, taken: Step) -> str:
        floor = self._floor()
        if every.weight[place] < floor:
            weight = every.weight[place]
            return f"its weight {weight:.3f} is under the {floor:g} that mode {self.asked.mode} asks"
        near = self.scope.profile.recall.min_similarity
        if not taken.kept[place]:
            alike = max(0.0, float(every.found.similarity[place]))
            words = ", no word found it, nor does it stand out" if not every.found.told[place] else ""
            return f"its similarity {alike:.2f} is under {near:g}{words} (step {taken.name})"
        return f"beyond the limit of {self.asked.limit}, with a score of {every.score[place]:.3f}"


def newest_rows(frame: Frame, mask: NDArray[np.bool_], *, by: str, most: int) -> tuple[int, ...]:
    """The rows of a mask with the latest of a time, newest first; of equal ones the last written."""
    rows = np.flatnonzero(mask)
    if not len(rows) or most <= 0:
        return ()
    order = np.lexsort((-rows, -frame.packed(rows)[by]))[:most]
    return tuple(rows[order].tolist())
