"""Something said again: a mention of what is known instead of a second entry (A2, E7). Pure.

Nothing of the repetition is lost: other wordings go to `said`, details are joined, and what each source was
sure of is kept by source, so that one that repeats itself does not become two witnesses.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from holdfast.model.layer import Level, Priority
from holdfast.model.memory import Said
from holdfast.model.status import Status, change
from holdfast.steward import salience
from holdfast.steward.compress import whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.remember.admit import Admission
    from holdfast.remember.known import Standing

# A memory repeated every day for years keeps its newest other wordings; the versions keep all of them (M5).
WORDINGS_KEPT = 50


def source_of(admission: Admission, standing: Standing) -> str:
    """Who vouches for it: the source named, else the actor."""
    return admission.draft.source or str(standing.actor)


def believed(sources: Mapping[str, float], cap: float) -> float:
    """Noisy-or of independent sources, at most `cap` (A2); one alone counts as it is."""
    highest = max(sources.values())
    if len(sources) == 1:
        return highest
    return max(highest, min(cap, 1.0 - prod(1.0 - sure for sure in sources.values())))


def mentioned(memory: Memory, admission: Admission, standing: Standing) -> Memory:
    """The memory with one mention more, whole again where time had shortened it. Who may not replace it may
    repeat it, but not change its details.
    """
    again = salience.mentioned(whole(memory), admission.at, standing.profile)
    return _told_again(again, admission, standing)


def _told_again(memory: Memory, admission: Admission, standing: Standing) -> Memory:
    changes = _belief(memory, admission, standing) | _wording(memory, admission)
    if standing.actor.is_person or memory.author == str(standing.actor):
        changes |= _details(memory, admission)
    if memory.status is Status.REVIEW and standing.actor.is_person:
        changes |= {"status": Status.ACTIVE, "reason": ""}
    return replace(memory, **changes)


def _belief(memory: Memory, admission: Admission, standing: Standing) -> dict[str, Any]:
    source = source_of(admission, standing)
    known = memory.sources or {memory.source or memory.author: memory.confidence}
    sources = {**known, source: max(admission.confidence, known.get(source, 0.0))}
    belief = believed(sources, standing.profile.reconcile.source_cap)
    return {"sources": sources, "confidence": max(belief, memory.confidence)}


def _wording(memory: Memory, admission: Admission) -> dict[str, Any]:
    draft = admission.draft
    if draft.content == memory.content or any(said.content == draft.content for said in memory.said):
        return {}
    said = Said(admission.at, draft.content, draft.source)
    return {"said": (*memory.said, said)[-WORDINGS_KEPT:]}


def _details(memory: Memory, admission: Admission) -> dict[str, Any]:
    """What was told of it this time: lists are joined, single values told now stand in place of older
    ones.
    """
    draft = admission.draft
    changes: dict[str, Any] = {
        "tags": tuple(dict.fromkeys((*memory.tags, *admission.tags))),
        "source_ids": tuple(dict.fromkeys((*memory.source_ids, *draft.source_ids))),
        "sensitivity": max(memory.sensitivity, admission.sensitivity),
    }
    if draft.metadata:
        changes["metadata"] = {**memory.metadata, **draft.metadata}
    if draft.priority is not None:
        changes["priority"] = Priority(draft.priority)
    if draft.importance is not None:
        changes["importance"] = max(memory.importance, draft.importance)
    if draft.expires_at is not None:
        changes["expires_at"] = draft.expires_at
    if draft.label and not memory.label:
        changes["label"] = draft.label
    return changes


def revived(memory: Memory, admission: Admission, standing: Standing) -> Memory:
    """A memory that was taken back, replaced or put away, and is now said again (E3)."""
    again = _told_again(salience.reaffirm(memory, admission.at, standing.profile), admission, standing)
    back = awake(again, admission.at)
    return replace(back, expires_at=admission.expires_at or back.expires_at)


def awake(memory: Memory, at: datetime) -> Memory:
    """Back among what is recalled, whole, and no longer followed by another."""
    memory = whole(memory)
    return replace(
        memory,
        status=change(memory.status, Status.ACTIVE),
        level=memory.level if memory.level is Level.SUMMARY else Level.FULL,
        superseded_by="",
        valid_to=None,
        weight_cap=None,
        uncertain_since=None,
        expires_at=memory.expires_at if memory.expires_at is not None and memory.expires_at > at else None,
        deleted_at=None,
        deletion="",
        reason="",
    )
