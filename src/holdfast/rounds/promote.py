"""Promotion (P4): an insight, a capture or an entry of working memory becomes long-term memory by a person.

Its words come in like anything new, in pieces that overlap, and are marked as verified and promoted; each
piece names the fragments it comes from and keeps their words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.errors import IllegalChange, NotFound
from holdfast.model import check
from holdfast.model.layer import Layer
from holdfast.model.status import Mark, Status
from holdfast.remember import check as incoming
from holdfast.remember import store
from holdfast.remember.change import change, editing
from holdfast.remember.check import CONTENT_MOST
from holdfast.rounds.briefs import KEY, fragments_of
from holdfast.steward.split import pieces

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Outcome
    from holdfast.remember.change import Editing
    from holdfast.remember.desk import Desk
    from holdfast.remember.known import Ruling
    from holdfast.scope import Scope

KEPT = 500  # characters of a fragment that its promotion keeps, should it be deleted
PROMOTED_FROM = frozenset({Layer.SESSION, Layer.EPISODE})
_SHARED = 32  # ids that differ in their last figure only


@dataclass(frozen=True, slots=True)
class Source:
    """What is promoted: its words, and where they come from."""

    content: str
    session: str
    fragments: dict[str, str]


def promote(
    scope: Scope, id: str, *, content: str | None, kind: str | None, at: datetime | None
) -> list[Outcome]:
    """An outcome for every piece. What is turned away (it gives orders, it holds a secret) says why; what was
    promoted before is said again.
    """
    edit = editing(scope, "promote", right="promote", at=at)
    source = _source(scope, check.text("id", id))
    words = source.content if content is None else check.text("content", content, most=CONTENT_MOST)
    rules = scope.profile.brief
    told = {
        "layer": "fact",
        "kind": kind,
        "confidence": 1.0,
        "session": source.session,
        "source_ids": tuple(source.fragments),
        "at": edit.at,
    }
    drafts = [incoming.draft(piece, told) for piece in pieces(words, rules.piece, rules.overlap)]
    outcomes = store.remember(scope, drafts, verb="promote")
    return [_marked(edit, outcome, source) for outcome in outcomes]


def _marked(edit: Editing, outcome: Outcome, source: Source) -> Outcome:
    """The piece as a person vouches for it; what did not become a memory stays as it is."""
    memory = outcome.memory
    if memory is None or memory.status not in (Status.ACTIVE, Status.PENDING):
        return outcome

    def decide(desk: Desk, memory: Memory) -> Ruling:
        vouched = replace(
            memory,
            marks=memory.marks - {Mark.AUTO_APPROVED, Mark.NEEDS_VERIFICATION},
            confidence=1.0,
            verified_at=edit.at,
            promoted_at=edit.at,
            source_ids=tuple(dict.fromkeys((*memory.source_ids, *source.fragments))),
            originals={**source.fragments, **memory.originals},
        )
        return edit.put(desk, vouched, "promoted by a person: verified now")

    marked = change(edit, [memory.id], decide)[0]
    return replace(outcome, memory=marked.memory)


def _source(scope: Scope, id: str) -> Source:
    """By its id: a capture (an insight is one), or a memory of the session or an episode."""
    capture = _capture(scope, id)
    if capture is not None:
        fragments = {one: _words(scope, one) for one in fragments_of(capture)}
        own = {} if KEY in capture.metadata else {capture.id: capture.content[:KEPT]}
        return Source(capture.content, capture.session, {**fragments, **own})
    memory = scope.store.get([id]).get(id)
    if memory is None:
        raise NotFound(
            f"there is neither a capture nor a memory {id!r} in {scope.space!r}; `brief` shows them"
        )
    if memory.layer not in PROMOTED_FROM or not memory.content:
        raise IllegalChange(f"{id} is in the {memory.layer} layer; working memory and episodes are promoted")
    if memory.sealed:
        raise IllegalChange(f"{id} is sealed; remember it as a fact, which seals it too")
    return Source(memory.content, memory.session, {memory.id: memory.content[:KEPT]})


def _words(scope: Scope, id: str) -> str:
    found = _capture(scope, id)
    return "" if found is None else found.content[:KEPT]


def _capture(scope: Scope, id: str) -> Capture | None:
    """By its id, which the page from just before it begins with."""
    page = scope.store.captures(after=id[:-1], limit=_SHARED)
    return next((capture for capture in page if capture.id == id), None)
