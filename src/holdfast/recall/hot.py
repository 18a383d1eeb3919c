"""Working memory beside the truth: told of every write, and asked for the newest entries (P3, P6).

The truth holds working memory; the other is a copy of its newest entries. It is told right after a write, and
again by the `feed` job of the same commit; an answer takes from it only where it knows the last write, else
from the truth, which is the same.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from holdfast.errors import Unavailable
from holdfast.model.layer import Layer, Mode
from holdfast.model.plan import Listing
from holdfast.model.status import RECALLED
from holdfast.ports.working import Entry
from holdfast.recall.record import SECRET

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.ports.store import SpaceStore
    from holdfast.ports.working import Working
    from holdfast.profile.schema import Session
    from holdfast.recall.question import Question
    from holdfast.recall.view import View
    from holdfast.scope import Scope

MOST = 50
"""Entries kept beside the truth (P2); five times what an answer shows (P6). A space may have more."""


def told(store: SpaceStore, working: Working, session: Session) -> None:
    """Tells it what the truth holds now: the newest entries, and until which write."""
    sequence = store.sequence()
    listing = Listing(
        layers=frozenset({Layer.SESSION}),
        statuses=frozenset(RECALLED[Mode.NORMAL]),
        limit=min(session.keep, MOST),
        newest_first=True,
    )
    found = sorted(store.list(listing), key=lambda memory: memory.created_at, reverse=True)
    entries = [
        Entry(
            memory.id,
            memory.created_at,
            None if memory.sensitivity >= SECRET else replace(memory, access_count=0, accessed_at=None),
        )
        for memory in found
    ]
    working.keep(store.id, entries, sequence=sequence, seconds=session.hours * 3600)


def shown(scope: Scope, view: View, asked: Question, *, now: datetime) -> View:
    """The view with the newest entries of working memory, where it knows them and no less is asked."""
    narrow = asked.kinds or asked.session or asked.entity_type or asked.min_confidence or asked.entities
    if scope.working is None or view.image is None or not asked.hot or asked.hot > MOST or narrow:
        return view
    since = now.astimezone(UTC) - timedelta(hours=scope.profile.session.hours)
    try:
        with scope.servers.asking(scope.working.name, scope.clock.now()):
            sequence, entries = scope.working.newest(scope.store.id, asked.hot, since)
    except Unavailable as error:
        note = f"working memory is the truth's own: {error}"
        return replace(view, missing=(*view.missing, note))
    if sequence != view.image.sequence:
        return view
    view.image.hand({entry.id: entry.memory for entry in entries if entry.memory is not None})
    return replace(view, hot=tuple(entry.id for entry in entries))
