"""The turns of a conversation as they lie in working memory: who said what, what belongs together."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid5

from holdfast.model.actor import Actor, Role
from holdfast.model.layer import Layer
from holdfast.model.plan import Listing
from holdfast.model.status import Status
from holdfast.ports.judge import Turn
from holdfast.remember import whole
from holdfast.remember.admit import SECRET
from holdfast.remember.given_away import secrets_of
from holdfast.remember.lookup import PAGE_MOST
from holdfast.remember.sealing import words_of
from holdfast.remember.working import TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

REPLIES = frozenset({"assistant"})
"""Roles whose turns answer the others."""
NOT_HEARD = REPLIES | {"system", "tool"}
"""Roles from whose turns nothing is extracted (ports/judge.py, extract)."""
LISTENER = Actor(Role.AGENT, "listener")
"""As whom an extraction counts where a profile grades it."""
STAYS_THERE = "a secret (level 3) is not extracted from what was said"
EXCHANGE_MOST = 50
"""Turns that a curation looks back over: more than a working memory holds in any document (P2, C1)."""
_A_MOMENT = timedelta(microseconds=1)  # the least by which "before" reaches this one
_OFFSET = "utc_offset_minutes"
_ANY = frozenset(Status) - {Status.DELETED}
_HERE = frozenset({Status.ACTIVE, Status.REVIEW})


def offset_of(at: datetime | None) -> dict[str, int]:
    """What is noted of the zone a turn was told in, so that an episode shows its own time of day."""
    offset = at.utcoffset() if at is not None else None
    return {_OFFSET: offset // timedelta(minutes=1)} if offset else {}


def local(turn: Memory) -> datetime:
    """When it was said, by the clock of whoever said it."""
    minutes = turn.metadata.get(_OFFSET, 0)
    return turn.created_at.astimezone(timezone(timedelta(minutes=minutes)))


def turns(scope: Scope, session: str = "", *, here: bool = False) -> list[Memory]:
    """The turns of a conversation (or of all), oldest first; `here`: only those that have not left."""
    wanted = Listing(
        layers=frozenset({Layer.SESSION}),
        statuses=_HERE if here else _ANY,
        session=session or None,
        limit=PAGE_MOST,
    )
    found: list[Memory] = []
    while page := scope.store.list(replace(wanted, after=found[-1].id if found else "")):
        found += page
    said = [memory for memory in found if memory.source == TURN and memory.content]
    return sorted(said, key=_when)


def exchange(scope: Scope, reply: Memory) -> list[Memory]:
    """The turns since the reply before, up to this one; of a long silence of replies the last ones."""
    wanted = Listing(
        layers=frozenset({Layer.SESSION}),
        statuses=_ANY,
        session=reply.session,
        until=reply.created_at + _A_MOMENT,
        limit=EXCHANGE_MOST,
        newest_first=True,
    )
    found = [memory for memory in scope.store.list(wanted) if memory.source == TURN and memory.content]
    before = [turn for turn in found if _when(turn) < _when(reply)]
    before.sort(key=_when)
    since = next((p + 1 for p in range(len(before) - 1, -1, -1) if before[p].speaker in REPLIES), 0)
    return [*before[since:], reply]


def newest(scope: Scope, session: str) -> str:
    """What was said last; of what is sealed its label."""
    wanted = Listing(layers=frozenset({Layer.SESSION}), session=session, limit=1, newest_first=True)
    return next((turn.content for turn in scope.store.list(wanted) if turn.source == TURN), "")


def secrets(scope: Scope, session: str) -> frozenset[str]:
    """The codes that were secret in the newest turns, whoever of the callers said them (E14)."""
    wanted = Listing(
        layers=frozenset({Layer.SESSION}),
        statuses=_ANY,
        session=session,
        limit=EXCHANGE_MOST,
        newest_first=True,
    )
    sealed = [turn for turn in scope.store.list(wanted) if turn.source == TURN and turn.sealed]
    return frozenset[str]().union(*(secrets_of(scope.judge, words_of(scope, turn)) for turn in sealed))


def _when(turn: Memory) -> tuple[datetime, str]:
    return (turn.created_at, turn.id)


def told(memories: Sequence[Memory]) -> list[Turn]:
    """The same as a judge reads them."""
    return [Turn(memory.speaker, memory.content) for memory in memories]


def speaker_of(turn: Memory) -> str:
    """Whom a statement from this turn is by: nobody is named where it is the user."""
    return "" if turn.speaker == Role.USER else turn.speaker


def author_of(turn: Memory) -> Actor:
    """As whom the turn was recorded."""
    role, _, name = turn.author.partition(":")
    return Actor(Role(role), name or "local")


def change_of(what: str, turn: str) -> str:
    """The id of the one change that does this with the conversation up to that turn, so that work which is
    done twice is found in the ledger the second time.
    """
    return str(uuid5(NAMESPACE_OID, f"holdfast:{what}:{turn}"))


def guarded(scope: Scope) -> Scope:
    """The same under a profile that guards the constitution, for what was extracted rather than written."""
    admit = replace(scope.profile.admit, guard_constitution=True)
    return replace(scope, profile=replace(scope.profile, admit=admit))


def secret(scope: Scope, words: str) -> bool:
    """Whether words hold a secret: a turn that does is sealed, and what is extracted leaves it there (M8)."""
    return whole.sensitivity(scope.judge.at_once, words).level >= SECRET


def listener(scope: Scope, turn: Memory) -> Actor:
    """Who writes what was extracted from a turn: the speaker, or an agent that is graded."""
    return HEARD_AS[scope.profile.converse.heard_as](turn)


def _listener(turn: Memory) -> Actor:
    del turn
    return LISTENER


HEARD_AS: dict[str, Callable[[Memory], Actor]] = {"speaker": author_of, "agent": _listener}
"""The names of `schema.HEARD_AS`."""
