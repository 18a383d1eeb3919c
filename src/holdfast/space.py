"""One space, seen by one actor: the verbs. Each checks the right, then hands on to the way in or out.

No verb decides anything here. `at` is the time to act as of; unsaid, it is now.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

from holdfast.model import check
from holdfast.model.access import right_of
from holdfast.model.actor import acting
from holdfast.recall import answer, context, reading, why
from holdfast.recall.question import Asked, question
from holdfast.remember import check as incoming
from holdfast.remember import (
    edit,
    jobs,
    observing,
    people,
    quarantine,
    review,
    sealing,
    store,
    undo,
)
from holdfast.remember.constitution import Constitution
from holdfast.remember.converse import Conversation
from holdfast.remember.entity_verbs import EntityVerbs
from holdfast.remember.writing import forbid
from holdfast.rounds import briefs, promote
from holdfast.rounds.door import Steward

if TYPE_CHECKING:
    import builtins  # `Space.list` hides the name of the type below it
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from holdfast.errors import Forbidden
    from holdfast.model.actor import Actor
    from holdfast.model.draft import Draft, Said
    from holdfast.model.hit import Answer, Context
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Job, Outcome, WeightChange
    from holdfast.ports.store import ChainReport
    from holdfast.profile.schema import Profile
    from holdfast.recall.reading import Stats
    from holdfast.recall.why import Why
    from holdfast.remember.review import Review
    from holdfast.remember.sealing import Opened
    from holdfast.scope import Scope
    from holdfast.steward.brief import Brief


class Space(EntityVerbs):
    """A space; `as_actor` shows the same one with another's rights."""

    def __init__(self, scope: Scope) -> None:
        self._known = scope

    @property
    def name(self) -> str:
        return self._known.space

    @property
    def id(self) -> str:
        """What it is called in logs and files."""
        return self._known.store.id

    @property
    def actor(self) -> Actor:
        return self._known.actor

    @property
    def profile(self) -> Profile:
        return self._known.profile

    @property
    def _scope(self) -> Scope:
        """What a verb works with from its beginning to its end."""
        self._known = self._known.current()
        return self._known.hearing()

    @property
    def _reading(self) -> Scope:
        """The same for a verb that writes nothing but access counts."""
        return self._known.reading().hearing()

    def as_actor(self, actor: Actor) -> Space:
        """The same space, seen with another's rights."""
        return Space(self._scope.seen_by(acting(actor)))

    def require(self, verb: str) -> None:
        """Raises Forbidden, and records it, where the actor may not use that verb (docs/access.md)."""
        self._scope.require(right_of(verb))

    def refuse(self, why: str) -> Forbidden:
        """Records an attempt that a door turned away; the error to raise."""
        return forbid(self._scope, check.text("why", why, most=2000), self._scope.clock.now())

    # --- the way in ----------------------------------------------------------------------------
    def remember(self, content: str, **said: Unpack[Said]) -> Outcome:
        """Keeps a statement, or says why not."""
        return store.remember(self._scope, [incoming.draft(content, said)])[0]

    def remember_many(self, items: Iterable[str | Mapping[str, Any] | Draft]) -> list[Outcome]:
        """One commit for all, an Outcome each, in order; one bad item and none is written."""
        return store.remember(self._scope, incoming.drafts(items))

    def revise(
        self, id: str, *, at: datetime | None = None, version: int | None = None, **changes: Any
    ) -> Outcome:
        """Changes content or details; the old version stays. `version`: only if it is still that one."""
        return edit.revise(self._scope, id, changes, at=at, version=version)

    def negate(self, id: str, content: str | None = None, *, at: datetime | None = None) -> Outcome:
        """Takes a memory back; what is said instead is kept as a memory of its own (E8)."""
        return edit.negate(self._scope, id, content, at=at)

    def affirm(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Says it again: a mention; a negated memory comes back slowly (E3)."""
        return edit.affirm(self._scope, id, at=at)

    def forget(self, id: str, reason: str = "", *, at: datetime | None = None) -> Outcome:
        """Hides it at once; it can be restored for 30 days (E16)."""
        return edit.forget(self._scope, id, reason, at=at)

    def restore(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Brings a deleted, archived, expired, superseded, rejected or merged memory back."""
        return edit.restore(self._scope, id, at=at)

    def archive(self, id: str, *, at: datetime | None = None) -> Outcome:
        return edit.archive(self._scope, id, at=at)

    def mark_for_review(self, id: str, reason: str, *, at: datetime | None = None) -> Outcome:
        return edit.mark_for_review(self._scope, id, reason, at=at)

    def attach(self, id: str, *, modality: str, at: datetime | None = None, **details: str) -> Outcome:
        """Joins an image or a recording (`reference`, `digest`, `text`) to the memory it belongs to (E10)."""
        return edit.attach(self._scope, id, modality, details=details, at=at)

    def seal(self, id: str, *, label: str | None = None, at: datetime | None = None) -> Outcome:
        """Seals what was kept in plain, under a new id; its plain versions are destroyed (E14)."""
        return sealing.seal(self._scope, id, label, at=at)

    def open(self, id: str) -> Opened:
        """What is sealed in a memory or a capture, in plain; the ledger says who opened it (E14)."""
        return sealing.opened(self._scope, id)

    def converse(self, session: str) -> Conversation:
        """A conversation by its name: `say`, `recall`, `context`, `end` (C1, M7)."""
        self.require("converse")
        return Conversation(self._scope, session)

    def observe(self, observation: Mapping[str, Any], *, confidence: float | None = None) -> Outcome:
        """Keeps an observation in the form that `Holdfast.schemas` publishes (M10)."""
        return observing.observe(self._scope, observation, confidence=confidence)

    # --- people ---------------------------------------------------------------------------------
    def pending(self, *, after: str = "", limit: int = 100) -> list[Memory]:
        """What waits for a person, oldest first."""
        return people.pending(self._scope, after=after, limit=limit)

    def to_verify(self, *, at: datetime | None = None) -> builtins.list[Memory]:
        """Facts whose confidence has faded: what a person is asked to look at again today (M4)."""
        return people.to_verify(self._scope, at=at)

    def approve(self, *ids: str, at: datetime | None = None) -> list[Outcome]:
        """One action for several; makes them verified."""
        return people.approve(self._scope, ids, at=at)

    def reject(self, id: str, reason: str = "", *, at: datetime | None = None) -> Outcome:
        return people.reject(self._scope, id, reason, at=at)

    def review(self, id: str, *, at: datetime | None = None) -> Review:
        """Lets the judge look at a memory again: core, kept or let go (C6)."""
        return review.review(self._scope, id, at=at)

    def undo(self, change: str, *, at: datetime | None = None) -> Outcome:
        """Takes a change back; the history keeps both (B4)."""
        return undo.undo(self._scope, change, at=at)

    def restore_to(self, moment: datetime, *, at: datetime | None = None) -> Outcome:
        """Brings the whole space back to how it was then, as one undoable change (B4)."""
        return undo.restore_to(self._scope, moment, at=at)

    @cached_property
    def constitution(self) -> Constitution:
        """What is always there; changing it takes three confirmations (M1, M2)."""
        return Constitution(self._scope)

    @property
    def steward(self) -> Steward:
        """What time does: plan, run, forecast, log, undo."""
        return Steward(self._scope)

    def brief(self, *, at: datetime | None = None) -> Brief:
        """The week's quarantine as a few insights, for a person to read (P4)."""
        return briefs.brief(self._scope, at=at)

    def promote(
        self, id: str, *, content: str | None = None, kind: str | None = None, at: datetime | None = None
    ) -> list[Outcome]:  # fmt: skip
        """Makes an insight, a capture or an entry of working memory a verified fact, in pieces (P4)."""
        return promote.promote(self._scope, id, content=content, kind=kind, at=at)

    # --- the way out ----------------------------------------------------------------------------
    def recall(self, query: str, **asked: Unpack[Asked]) -> Answer:
        """What is remembered about the query, best first."""
        return answer.recall(self._reading, question(query, asked, self.profile))

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        count: Callable[[str], int] | None = None,
        **asked: Unpack[Asked],
    ) -> Context:
        """A prompt's worth of memory: the constitution whole, the rest within the budget.

        `count` says how many tokens a text has; unsaid, they are estimated, rather too many than too few.
        """
        return context.context(self._reading, question(query, asked, self.profile), budget, count=count)

    def get(self, id: str) -> Memory:
        return reading.get(self._scope, id)

    def list(self, **wanted: Any) -> list[Memory]:
        """Memories by layer, kind, status, tags, entity_type, session, since, until; paged."""
        return reading.listing(self._scope, wanted)

    def history(self, id: str) -> builtins.list[Memory]:
        """Every version, oldest first."""
        return reading.history(self._scope, id)

    def why(self, id: str) -> Why:
        """Where it comes from, back to the first words (E12)."""
        return why.why(self._scope, id)

    def weights(self, id: str) -> builtins.list[WeightChange]:
        """The weight log (E17)."""
        return reading.weights(self._scope, id)

    def ledger(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        return reading.ledger(self._scope, after=after, limit=limit, memory=memory)

    def events(self, *, after: int | None = None, limit: int = 100) -> tuple[int, builtins.list[Entry]]:
        """What happened after that number, and the number to ask after next; None: from now on."""
        return reading.events(self._scope, after=after, limit=limit)

    def stats(self, *, at: datetime | None = None) -> Stats:
        return reading.stats(self._scope, at=at)

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        """The work that waits in the queue, or what kept failing and was parked."""
        return reading.jobs(self._scope, failed=failed, limit=limit)

    def retry_job(self, id: str) -> Job:
        """Puts a parked job back into the queue, due now."""
        return jobs.retry(self._scope, id)

    def drop_job(self, id: str, reason: str) -> Job:
        """Takes a job out of the queue for good; the ledger says why."""
        return jobs.drop(self._scope, id, reason)

    def verify(self) -> ChainReport:
        self._scope.require("verify")
        return self._scope.store.verify()

    # --- quarantine -----------------------------------------------------------------------------
    def capture(self, content: str, *, metadata: Mapping[str, Any] | None = None, **told: Any) -> Capture:
        """Keeps raw output apart, never to be recalled (P1). Also `session`, `at`."""
        return quarantine.capture(self._scope, content, metadata or {}, told=told)

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        """Quarantine, for owners and auditors."""
        return quarantine.captures(self._scope, after=after, limit=limit)

    def drop_capture(self, id: str) -> None:
        """Only an owner deletes from quarantine."""
        quarantine.drop(self._scope, check.text("id", id))

    def captured(self, function: Any) -> Any:
        """Decorator: whatever the function returns, or raises, goes to quarantine; async functions too."""
        return quarantine.captured(self._scope, function)

    def capturing(self, **metadata: Any) -> quarantine.Capturing:
        """Context manager: what is put into it goes to quarantine when it ends, also by an exception."""
        return quarantine.Capturing(self._scope, metadata)
