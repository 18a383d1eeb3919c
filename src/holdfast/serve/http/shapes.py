"""What answers look like, for the OpenAPI page: models made of the library's own dataclasses.

Nothing is checked by them; an answer is what the library returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

from holdfast.keyring import NewKey as _NewKey
from holdfast.model import conflict, hit, key, ledger, memory, plan, space
from holdfast.model.layer import Decision, Layer, Level, Mode, Priority
from holdfast.model.status import Mark, Status
from holdfast.ports.store import Drift as _Drift
from holdfast.recall import reading, why
from holdfast.remember import ending, resolve, review
from holdfast.remember.jobs import WorkReport as _WorkReport
from holdfast.remember.sealing import Opened as _Opened
from holdfast.rounds import report
from holdfast.rounds.forecast import Point as _Point
from holdfast.rounds.log import Run as _Run
from holdfast.serve import told
from holdfast.steward import brief
from holdfast.steward.metrics import Metrics as _Metrics
from holdfast.steward.steps import Step as _Step

__all__ = ["Decision", "Layer", "Level", "Mapping", "Mark", "Mode", "Priority", "Status", "datetime"]

CLOSED = ConfigDict(extra="forbid")
_ALSO: Mapping[str, Any] = {"verified": bool, "delta": float}


def _shape(kind: type, **more: Any) -> Any:
    """A model of a dataclass; the names in its annotations are those of this module."""
    types = {f.name: f.type for f in fields(kind)}
    columns: dict[str, Any] = {name: (types.get(name, _ALSO.get(name)), ...) for name in told.names(kind)}
    name = (
        "".join(part.capitalize() for part in kind.__module__.split(".")[-1:])
        if kind.__name__ == "Step"
        else ""
    )
    return create_model(name + kind.__name__, __module__=__name__, __config__=CLOSED, **{**columns, **more})


def _many(item: Any) -> Any:
    return list[item]


def page_of(item: Any) -> Any:
    """Some of a list, and where the rest begins."""
    return create_model(
        f"PageOf{item.__name__}", __config__=CLOSED, items=(list[item], ...), next=(str | int | None, ...)
    )


Correction = _shape(memory.Correction)
Attachment = _shape(memory.Attachment)
Said = _shape(memory.Said)
Memory = _shape(memory.Memory)
Capture = _shape(memory.Capture)
Outcome = _shape(plan.Outcome)
Touched = _shape(plan.Touched)
Entry = _shape(plan.Entry)
Job = _shape(plan.Job)
WeightChange = _shape(plan.WeightChange)
MemoryConflict = _shape(conflict.MemoryConflict)
Explain = _shape(hit.Explain)
Hit = _shape(hit.Hit, explain=(Explain | None, None))
Answer = _shape(hit.Answer)
Section = _shape(hit.Section)
Context = _shape(hit.Context)
Origin = _shape(why.Origin)
WhyStep = _shape(why.Step)
Why = _shape(why.Why, steps=(_many(WhyStep), ...))
Stats = _shape(reading.Stats)
ChainReport = _shape(ledger.ChainReport)
Drift = _shape(_Drift)
WorkReport = _shape(_WorkReport)
SpaceRecord = _shape(space.SpaceRecord)
Key = _shape(key.Key)
NewKey = _shape(_NewKey)
Ended = _shape(ending.Ended)
Candidate = _shape(resolve.Candidate)
Resolved = _shape(resolve.Resolved)
ReviewStep = _shape(review.Step)
Review = _shape(review.Review, steps=(_many(ReviewStep), ...))
Opened = _shape(_Opened)
Step = _shape(_Step)
Insight = _shape(brief.Insight)
Brief = _shape(brief.Brief)
Metrics = _shape(_Metrics)
Point = _shape(_Point)
Run = _shape(_Run)
Day = _shape(report.Day)
Round = _shape(report.Round, done=(dict[str, int], ...))
Forecast = _shape(report.Forecast, done=(dict[str, int], ...), asked=(int, ...))


class Change(BaseModel):
    """A change of the constitution that waits for its confirmations; `token` is what the next one needs."""

    id: str
    action: str
    content: str
    token: str
    needed: int
    confirmations: int
    outcome: Outcome | None  # type: ignore[valid-type]
    prompts: list[str]


class Added(BaseModel):
    """What became of an added memory. `change` waits for confirmations where it is for the constitution."""

    id: str
    decision: str
    status: str
    reasons: list[str]
    memory: Memory | None  # type: ignore[valid-type]
    change: Change | None


class Problem(BaseModel):
    """An error, by RFC 9457, with the field and the way out where there is one."""

    type: str
    title: str
    status: int
    detail: str
    error: str
    field: str | None = None
    problem: str | None = None
    way_out: str | None = None


PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"description": "a problem", "content": {"application/problem+json": {}}, "model": Problem}
}
