"""A conversation: turns are recorded at once, what they mean is worked out behind it (C1, C3, M7, M17).

`say` asks no slow judge and waits for nobody: what is slow becomes a job of the same commit. `end` does the
rest in one call, and may be called again.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Unpack

from holdfast.model import check
from holdfast.model.layer import Layer
from holdfast.model.memory import Capture, Memory
from holdfast.model.plan import Job
from holdfast.recall import answer, context
from holdfast.recall.question import Asked, question, zoned
from holdfast.remember import check as incoming
from holdfast.remember import ending, turns
from holdfast.remember.admit import SECRET
from holdfast.remember.given_away import codes_in, secrets_in
from holdfast.remember.known import STANDING
from holdfast.remember.redact import WHOLE, blacked_out
from holdfast.remember.store import Also, More, together
from holdfast.remember.turns import NOT_HEARD, REPLIES, change_of
from holdfast.remember.working import TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from holdfast.model.draft import Draft
    from holdfast.model.hit import Answer, Context
    from holdfast.model.plan import Outcome
    from holdfast.remember.desk import Desk
    from holdfast.remember.ending import Ended
    from holdfast.remember.known import Ruling
    from holdfast.scope import Scope

EPISODES, CURATE, ENTITIES, END = "episodes", "curate", "entities", "end"
"""The kinds of jobs a conversation leaves behind."""
SHOWN_MOST = 50  # ids of memories that a reply was given, at most: a prompt holds fewer


class Conversation:
    """One conversation, by the name of its session; several objects may speak of the same one."""

    def __init__(self, scope: Scope, session: str) -> None:
        self._known = scope
        self.session = check.text("session", session)
        self._shown: dict[str, None] = {}
        self._secrets: frozenset[str] = frozenset()
        self._before = ""

    @property
    def _scope(self) -> Scope:
        self._known = self._known.current()
        return self._known.hearing()

    def say(
        self,
        role: str,
        text: str,
        *,
        at: datetime | None = None,
        confidence: float | None = None,
        recalled: Iterable[str] | None = None,
    ) -> Outcome:
        """Records a turn of `user`, `assistant` or a speaker by name. `recalled` are the ids of the memories
        that the turn was given; unsaid, those which `recall` and `context` of this object handed out.
        """
        scope = self._scope
        scope.require("session")
        scope = replace(scope, judge=scope.judge.at_once)
        told: dict[str, Any] = {"layer": Layer.SESSION, "source": TURN, "session": self.session, "at": at}
        told |= {"speaker": check.text("role", role), "confidence": confidence}
        told["metadata"] = turns.offset_of(zoned("at", at)) or None
        draft = self._guarded(scope, incoming.draft(text, told))
        shown = check.names("recalled", self._shown if recalled is None else recalled)[:SHOWN_MOST]

        def also(desk: Desk, rulings: Sequence[Ruling]) -> More:
            _captured(scope, desk, draft, ruling=rulings[0])
            return More(jobs=_work(scope, rulings[0], draft, shown=shown))

        moment = draft.at or scope.clock.now()
        outcome = together(scope, [draft], Also(verb="say", at=moment, decide=also))[0]
        if role in REPLIES:
            self._shown.clear()
        return outcome

    def _guarded(self, scope: Scope, draft: Draft) -> Draft:
        """A secret that only the turns before tell is one (E14); it is known again where it is repeated."""
        before, self._before = self._before, draft.content
        if not codes_in(draft.content):
            return draft
        before = before or turns.newest(scope, self.session)
        self._secrets |= turns.secrets(scope, self.session)
        secrets = secrets_in(scope.judge, draft.content, before, known=self._secrets)
        self._secrets |= secrets
        secret = bool(secrets) and not turns.secret(scope, draft.content)
        return replace(draft, sensitivity=SECRET) if secret else draft

    def turns(self, *, limit: int = 100) -> list[Memory]:
        """The newest turns that have not left working memory, oldest first."""
        self._scope.require("list")
        most = check.whole("limit", limit, low=1, high=10_000)
        return turns.turns(self._scope, self.session, here=True)[-most:]

    def recall(self, query: str, **asked: Unpack[Asked]) -> Answer:
        """As `Space.recall`; what it hands out is known to the curator of the next reply."""
        scope = self._known.reading().hearing()
        found = answer.recall(scope, question(query, asked, scope.profile))
        self._show(hit.memory for hit in found)
        return found

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        count: Callable[[str], int] | None = None,
        **asked: Unpack[Asked],
    ) -> Context:
        """As `Space.context`, likewise."""
        scope = self._known.reading().hearing()
        packed = context.context(scope, question(query, asked, scope.profile), budget, count=count)
        self._show(memory for section in packed.sections for memory in section.memories)
        return packed

    def end(self, *, at: datetime | None = None, later: bool = False) -> Ended:
        """Summary, observations, grades: an Outcome each (M7). Called again it answers the same and does
        nothing twice. `later` leaves it to the worker.
        """
        scope = self._scope
        scope.require("session")
        moment = check.moment("at", at) if at is not None else scope.clock.now()
        if not check.flag("later", later):
            return ending.end(scope, self.session, moment)
        said = turns.turns(scope, self.session)
        if said:
            scope.store.enqueue([_job(scope, END, said[-1].id)])
        return ending.Ended(session=self.session, at=moment, turns=len(said), later=True)

    def _show(self, memories: Iterable[Memory]) -> None:
        told = (m.id for m in memories if m.layer in (Layer.FACT, Layer.EPISODE))
        self._shown |= dict.fromkeys(told)


def _captured(scope: Scope, desk: Desk, draft: Draft, *, ruling: Ruling) -> None:
    """P1: everything goes to quarantine where the profile says so; what was turned away is there already."""
    if not scope.profile.converse.capture or ruling.capture:
        return
    at = draft.at or scope.clock.now()
    told: dict[str, Any] = {"role": draft.speaker}
    if draft.confidence is not None:
        told["confidence"] = draft.confidence
    secret = draft.sensitivity == SECRET
    kept = Capture(
        id=scope.clock.new_id(),
        content=WHOLE if secret else blacked_out(draft.content, scope.judge),
        at=at,
        author=str(scope.actor),
        session=draft.session,
        metadata=told,
    )
    desk.captures.append(kept)


def _work(scope: Scope, ruling: Ruling, draft: Draft, *, shown: Sequence[str]) -> list[Job]:
    """What is to be done behind the conversation, once the turn is there."""
    if not ruling.memory:
        return []
    policy, jobs = scope.profile.converse, [_end_by_itself(scope, ruling.memory, draft.session)]
    role = draft.speaker
    if policy.curate and role in REPLIES:
        jobs.append(_job(scope, CURATE, ruling.memory, shown=list(shown)))
    if policy.entities and role not in NOT_HEARD:
        jobs.append(_job(scope, ENTITIES, ruling.memory))
    if policy.episodes and _crowded(scope):
        jobs.append(replace(_job(scope, EPISODES, ""), key=EPISODES, payload={}))
    return jobs


def _end_by_itself(scope: Scope, turn: str, session: str) -> Job:
    """M7 for a conversation that nobody ends: half way to where working memory lets its first turn go (M6),
    so that no turn leaves unread. One waits at a time; what is said after it asks for the next.
    """
    job = _job(scope, END, turn)
    hours = timedelta(hours=scope.profile.session.hours / 2)
    return replace(job, key=f"{END}:{change_of('session', session)}", run_at=job.run_at + hours)


def _crowded(scope: Scope) -> bool:
    """Whether working memory holds as many as it keeps, so that this turn is one more."""
    here = scope.image().frame.in_status(STANDING, [Layer.SESSION])
    return int(here.sum()) >= scope.profile.session.keep


def _job(scope: Scope, kind: str, turn: str, **more: Any) -> Job:
    """One job a turn. It names memories by id and holds no words."""
    payload = {"turn": turn, **more}
    now = scope.clock.now()
    return Job(id=scope.clock.new_id(), kind=kind, key=f"{kind}:{turn}", payload=payload, run_at=now)
