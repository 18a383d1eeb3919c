"""Episodes: what a conversation was about, dated, written before its turns leave working memory (C1, C2).

The newest turns stay (`session.keep`); what is older is told in an episode and leaves in the same commit. An
episode grows while the conversation goes on, so that a long one makes few of them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from holdfast.model.actor import Actor, Role
from holdfast.model.draft import Draft
from holdfast.model.layer import Decision, Layer
from holdfast.model.plan import Listing
from holdfast.model.status import Status, change
from holdfast.remember.change import Editing
from holdfast.remember.known import STANDING, Ruling
from holdfast.remember.lookup import PAGE_MOST, known
from holdfast.remember.store import Also, More, together
from holdfast.remember.turns import NOT_HEARD, change_of, local, turns
from holdfast.remember.words import refused
from holdfast.remember.working import TURN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.model.plan import Job, Outcome
    from holdfast.remember.desk import Desk
    from holdfast.scope import Scope

SCRIBE = Actor(Role.SYSTEM, "conversation")
"""Who writes what a conversation was about: a record, and nobody's claim."""
KIND = "event"
GROWN = 30  # C1: as many messages as a conversation holds make an episode; then the next one begins
LEFT = "told in an episode"


def job(scope: Scope, job: Job) -> None:
    """Work behind the conversation: whatever is too old by now."""
    del job
    tidy(scope)


def tidy(scope: Scope) -> list[Outcome]:
    """Tells what is older than the newest `session.keep` turns, and lets it go; an Outcome an episode. Done
    twice it does nothing the second time.
    """
    scope = scope.seen_by(SCRIBE)
    said = turns(scope, here=True)
    older = said[: max(0, len(said) - scope.profile.session.keep)]
    found: list[Outcome] = []
    older.sort(key=_session)
    for session, group in groupby(older, key=_session):
        leaving = list(group)
        while leaving:
            open_one = _open(scope, session, leaving[0])
            room = GROWN - len(open_one.source_ids) if open_one else GROWN
            day = local(leaving[0]).date()
            part = [turn for turn in leaving[:room] if local(turn).date() == day]
            leaving = leaving[len(part) :]
            found += _grown(scope, open_one, part) if open_one else summed_up(scope, part, leave=True)
    return found


def _session(turn: Memory) -> str:
    return turn.session


def of_session(scope: Scope, session: str) -> list[Memory]:
    """The episodes of a conversation, oldest first."""
    wanted = Listing(layers=frozenset({Layer.EPISODE}), session=session, limit=PAGE_MOST)
    return [episode for episode in scope.store.list(wanted) if episode.source == TURN]


def summed_up(
    scope: Scope, part: Sequence[Memory], *, leave: bool = False, change: str = ""
) -> list[Outcome]:
    """A new episode of these turns, which leave with it where that is asked for."""
    draft = Draft(
        content=_words(scope, part),
        layer=Layer.EPISODE,
        kind=KIND if KIND in scope.profile.kinds else None,
        source=TURN,
        session=part[0].session,
        at=part[0].created_at,
        source_ids=tuple(turn.id for turn in part),
    )

    def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
        if leave and rulings[0].memory:
            _leave(scope, desk, part)
        return More()

    what = change or change_of("episode", part[-1].id)
    plan = Also(verb="summarise", at=_now(scope, part), change=what, decide=also)
    return together(scope.seen_by(SCRIBE), [draft], plan)


def _grown(scope: Scope, episode: Memory, part: Sequence[Memory]) -> list[Outcome]:
    """The episode with these turns in it as well."""
    before = known(scope, episode.source_ids)
    whole = [before[id] for id in episode.source_ids if id in before and before[id].content]
    words = _words(scope, [*whole, *part])
    at = _now(scope, part)

    def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
        del rulings
        now = known(scope, [episode.id])[episode.id]
        desk.take(now)
        ids = tuple(dict.fromkeys((*now.source_ids, *(turn.id for turn in part))))
        new = replace(now, content=words, source_ids=ids)
        turned = refused(Editing(scope, "summarise", at), desk, old=now, new=new)
        if turned:
            return More([turned])
        desk.change(new, at)
        _leave(scope, desk, part)
        told = Ruling(Decision.ACCEPTED, ("the episode goes on",), note="goes on", memory=now.id)
        told.touched = (now.id, *(turn.id for turn in part))
        return More([told])

    what = change_of("episode", part[-1].id)
    return together(scope.seen_by(SCRIBE), [], Also(verb="summarise", at=at, change=what, decide=also))


def _open(scope: Scope, session: str, first: Memory) -> Memory | None:
    """The episode that goes on with this turn: the newest of the conversation and of its day, if not full."""
    newest = next(reversed(of_session(scope, session)), None)
    if newest is None or newest.status not in STANDING or len(newest.source_ids) >= GROWN:
        return None
    before = known(scope, newest.source_ids[:1])
    same = [turn for turn in before.values() if local(turn).date() == local(first).date()]
    return newest if same else None


def _leave(scope: Scope, desk: Desk, part: Sequence[Memory]) -> None:
    now = known(scope, [turn.id for turn in part])
    for memory in now.values():
        if memory.status in STANDING:
            desk.take(memory)
            gone = replace(memory, status=change(memory.status, Status.EXPIRED), reason=LEFT)
            desk.change(gone, desk.standing.now)


def _now(scope: Scope, part: Sequence[Memory]) -> datetime:
    """When it is written: now, and not before it was said."""
    return max(scope.clock.now(), part[-1].created_at)


def _words(scope: Scope, part: Sequence[Memory]) -> str:
    """As "[2026-01-03 18:00] …": what was said, replies only where nothing else was."""
    heard = [turn.content for turn in part if turn.speaker not in NOT_HEARD]
    texts = heard or [turn.content for turn in part]
    summary = scope.judge.summarise(texts, scope.profile.converse.episode_chars)
    return f"[{local(part[0]):%Y-%m-%d %H:%M}] {summary or texts[0]}"[: scope.profile.admit.max_chars]
