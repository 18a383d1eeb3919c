"""The weight of many memories at once: the traces of `steward.weighing` as columns, from packed records.
Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from holdfast.model.layer import Layer
from holdfast.model.status import Mark
from holdfast.recall import record
from holdfast.steward import formulas
from holdfast.steward.weighing import Traces, weigh

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from holdfast.profile.schema import Profile, Salience

_PROTECTED = record.marks_of([Mark.CORE, Mark.SYSTEM])
_NEGATED = record.MARK_BIT[Mark.NEGATED]
_EPISODE = record.layer_code(Layer.EPISODE)


class Weighable(Protocol):
    """Memories as columns: their records, when each was last handed out, and the importance I of its kind."""

    @property
    def records(self) -> NDArray[np.void]: ...

    @property
    def accessed(self) -> NDArray[np.float64]: ...

    @property
    def kind(self) -> NDArray[np.float64]: ...


def weights(
    found: Weighable, now: float, profile: Profile
) -> tuple[NDArray[np.float64], Mapping[str, NDArray[np.float64]]]:
    """The weight of each candidate, and its factors under the names of E17."""
    with np.errstate(over="ignore", under="ignore"):
        weight, factors = weigh(traces(found, now, profile.salience), profile.salience)
    return np.asarray(weight, np.float64), factors


def traces(found: Weighable, now: float, salience: Salience) -> Traces:
    """What there is to weigh of each candidate: `weighing.traces`, column by column."""
    records = found.records
    marks = records["marks"]
    touched = np.where(np.isnan(found.accessed), records["created"], found.accessed)
    since = now - salience.recent_days * formulas.SECONDS_A_DAY
    return Traces(
        kind=found.kind,
        active_days=formulas.days_since(records["activated"], now),
        boost=records["boost"],
        mention_days=formulas.days_since(records["mentioned"], now),
        recent=(records["recent"] >= since).sum(axis=1),
        momentum=np.where(now <= records["momentum_until"], records["momentum"], 0.0),
        negated=(marks & _NEGATED) != 0,
        reaffirmed_days=formulas.days_since(records["reaffirmed"], now),
        uncertain_days=formulas.days_since(records["uncertain"], now),
        cap=records["weight_cap"],
        importance=records["importance"],
        access_days=formulas.days_since(np.fmax(touched, records["activated"]), now),
        episode=records["layer"] == _EPISODE,
        protected=((marks & _PROTECTED) != 0) | ~np.isnan(records["promoted"]),
    )
