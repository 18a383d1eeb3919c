"""A space of a server: the verbs of `holdfast.space.Space`, under the same names, with the same values.

What needs this process (a profile object, a function that counts tokens) cannot be sent, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from holdfast.client.entities import RemoteEntities
from holdfast.client.link import Link, place
from holdfast.client.rooms import RemoteConstitution, RemoteSteward
from holdfast.client.talk import RemoteConversation
from holdfast.client.values import packed_there, read, sent
from holdfast.errors import InvalidInput
from holdfast.model.hit import Answer, Context
from holdfast.model.ledger import ChainReport
from holdfast.model.memory import Capture, Memory
from holdfast.model.plan import Entry, Job, Outcome, WeightChange
from holdfast.recall.reading import Stats
from holdfast.recall.why import Why
from holdfast.remember.review import Review
from holdfast.remember.sealing import Opened
from holdfast.steward.brief import Brief

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from holdfast.model.draft import Draft, Said
    from holdfast.recall.question import Asked

T = TypeVar("T")
PAGE = 1000
"""The most that one request may ask for."""


class RemoteSpace(RemoteEntities):
    """A space, seen with the rights of the client's key."""

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self.name = name

    # --- the way in ----------------------------------------------------------------------------
    def remember(self, content: str, **said: Unpack[Said]) -> Outcome:
        """Keeps a statement, or says why not."""
        return self._does(Outcome, "POST", "/memories", body={"content": content, **said})

    def remember_many(self, items: Iterable[str | Mapping[str, Any] | Draft]) -> list[Outcome]:
        """One commit for all, an Outcome each, in order; one bad item and none is written."""
        told = [{"content": item} if isinstance(item, str) else sent(item) for item in items]
        return self._does(list[Outcome], "POST", "/memories/batch", body={"items": told}) if told else []

    def revise(
        self, id: str, *, at: datetime | None = None, version: int | None = None, **changes: Any
    ) -> Outcome:
        """Changes content or details; the old version stays. `version`: only if it is still that one."""
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        return self._does(Outcome, "PATCH", self._of(id), body={**changes, "at": at}, headers=headers)

    def negate(self, id: str, content: str | None = None, *, at: datetime | None = None) -> Outcome:
        """Takes a memory back; what is said instead is kept as a memory of its own (E8)."""
        return self._does(Outcome, "POST", self._of(id, "negate"), body={"content": content, "at": at})

    def affirm(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Says it again: a mention; a negated memory comes back slowly (E3)."""
        return self._does(Outcome, "POST", self._of(id, "affirm"), body={"at": at})

    def forget(self, id: str, reason: str = "", *, at: datetime | None = None) -> Outcome:
        """Hides it at once; it can be restored for 30 days (E16)."""
        now_only(at)
        return self._does(Outcome, "DELETE", self._of(id), reason=reason)

    def restore(self, id: str, *, at: datetime | None = None) -> Outcome:
        """Brings a deleted, archived, expired, superseded, rejected or merged memory back."""
        return self._does(Outcome, "POST", self._of(id, "restore"), body={"at": at})

    def archive(self, id: str, *, at: datetime | None = None) -> Outcome:
        return self._does(Outcome, "POST", self._of(id, "archive"), body={"at": at})

    def mark_for_review(self, id: str, reason: str, *, at: datetime | None = None) -> Outcome:
        return self._does(Outcome, "POST", self._of(id, "review"), body={"reason": reason, "at": at})

    def attach(self, id: str, *, modality: str, at: datetime | None = None, **details: str) -> Outcome:
        """Joins an image or a recording to the memory it belongs to (E10)."""
        return self._does(
            Outcome, "POST", self._of(id, "attachments"), body={"modality": modality, "at": at, **details}
        )

    def seal(self, id: str, *, label: str | None = None, at: datetime | None = None) -> Outcome:
        """Seals what was kept in plain, under a new id; its plain versions are destroyed (E14)."""
        return self._does(Outcome, "POST", self._of(id, "seal"), body={"label": label, "at": at})

    def open(self, id: str) -> Opened:
        """What is sealed, in plain; the ledger says who opened it (E14)."""
        return self._does(Opened, "POST", self._of(id, "open"))

    def converse(self, session: str) -> RemoteConversation:
        """A conversation by its name: `say`, `recall`, `context`, `end` (C1, M7)."""
        return RemoteConversation(self._does, session)

    def observe(self, observation: Mapping[str, Any], *, confidence: float | None = None) -> Outcome:
        """Keeps an observation in the form that `Client.schemas` tells (M10)."""
        return self._does(Outcome, "POST", "/observations", body=observation, confidence=confidence)

    # --- people ---------------------------------------------------------------------------------
    def pending(self, *, after: str = "", limit: int = 100) -> list[Memory]:
        """What waits for a person, oldest first."""
        return self._paged(Memory, "/pending", limit, after=after)

    def to_verify(self, *, at: datetime | None = None) -> builtins.list[Memory]:
        """What a person is asked to look at again today (M4)."""
        now_only(at)
        return self._does(list[Memory], "GET", "/to-verify")

    def approve(self, *ids: str, at: datetime | None = None) -> list[Outcome]:
        """One action for several; makes them verified."""
        return self._does(list[Outcome], "POST", "/approve", body={"ids": ids, "at": at})

    def reject(self, id: str, reason: str = "", *, at: datetime | None = None) -> Outcome:
        return self._does(Outcome, "POST", self._of(id, "reject"), body={"reason": reason, "at": at})

    def review(self, id: str, *, at: datetime | None = None) -> Review:
        """Lets the judge look at a memory again: core, kept or let go (C6)."""
        return self._does(Review, "POST", self._of(id, "look-again"), body={"at": at})

    def undo(self, change: str, *, at: datetime | None = None) -> Outcome:
        """Takes a change back; the history keeps both (B4)."""
        return self._does(Outcome, "POST", "/undo", body={"change": change, "at": at})

    def restore_to(self, moment: datetime, *, at: datetime | None = None) -> Outcome:
        """Brings the whole space back to how it was then, as one undoable change (B4)."""
        return self._does(Outcome, "POST", "/restore-to", body={"moment": moment, "at": at})

    @property
    def constitution(self) -> RemoteConstitution:
        """What is always there; changing it takes three confirmations (M1, M2)."""
        return RemoteConstitution(self._does)

    @property
    def steward(self) -> RemoteSteward:
        """What time does: plan, run, forecast, log, undo."""
        return RemoteSteward(self._does)

    def brief(self, *, at: datetime | None = None) -> Brief:
        """The week's quarantine as a few insights, for a person to read (P4)."""
        now_only(at)
        return self._does(Brief, "GET", "/brief")

    def promote(
        self, id: str, *, content: str | None = None, kind: str | None = None, at: datetime | None = None
    ) -> list[Outcome]:  # fmt: skip
        """Makes an insight, a capture or an entry of working memory a verified fact, in pieces (P4)."""
        told = {"id": id, "content": content, "kind": kind, "at": at}
        return self._does(list[Outcome], "POST", "/promote", body=told)

    # --- the way out ----------------------------------------------------------------------------
    def recall(self, query: str, **asked: Unpack[Asked]) -> Answer:
        """What is remembered about the query, best first."""
        return self._does(Answer, "POST", "/recall", body={"query": query, "explain": True, **asked})

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        count: Callable[[str], int] | None = None,
        **asked: Unpack[Asked],
    ) -> Context:
        """A prompt's worth of memory: the constitution whole, the rest within the budget."""
        told = {"query": query, "budget": packed_there(budget, count), **asked}
        return self._does(Context, "POST", "/context", body=told)

    def get(self, id: str) -> Memory:
        return self._does(Memory, "GET", self._of(id))

    def list(self, *, after: str = "", limit: int = 100, **wanted: Any) -> list[Memory]:
        """Memories by layer, kind, status, entity_type, session, since, until; pages by `after`, `limit`."""
        return self._paged(Memory, "/memories", limit, after=after, **wanted)

    def history(self, id: str) -> builtins.list[Memory]:
        """Every version, oldest first."""
        return self._does(list[Memory], "GET", self._of(id, "history"))

    def why(self, id: str) -> Why:
        """Where it comes from, back to the first words (E12)."""
        return self._does(Why, "GET", self._of(id, "why"))

    def weights(self, id: str) -> builtins.list[WeightChange]:
        """The weight log (E17)."""
        return self._does(list[WeightChange], "GET", self._of(id, "weights"))

    def ledger(self, *, after: int = 0, limit: int = 100, memory: str = "") -> builtins.list[Entry]:
        return self._paged(Entry, "/ledger", limit, after=after, memory=memory)

    def stats(self, *, at: datetime | None = None) -> Stats:
        now_only(at)
        return self._does(Stats, "GET", "/stats")

    def jobs(self, *, failed: bool = False, limit: int = 100) -> builtins.list[Job]:
        """The work that waits in the queue, or what kept failing and was parked."""
        return self._does(list[Job], "GET", "/jobs", failed=failed, limit=limit)

    def retry_job(self, id: str) -> Job:
        """Puts a parked job back into the queue, due now."""
        return self._does(Job, "POST", f"/jobs{place(id)}/retry")

    def drop_job(self, id: str, reason: str) -> Job:
        """Takes a job out of the queue for good; the ledger says why."""
        return self._does(Job, "DELETE", f"/jobs{place(id)}", reason=reason)

    def verify(self) -> ChainReport:
        return self._does(ChainReport, "GET", "/verify")

    # --- quarantine -----------------------------------------------------------------------------
    def capture(self, content: str, *, metadata: Mapping[str, Any] | None = None, **told: Any) -> Capture:
        """Keeps raw output apart, never to be recalled (P1). Also `session`, `at`."""
        return self._does(
            Capture, "POST", "/captures", body={"content": content, "metadata": metadata, **told}
        )

    def captures(self, *, after: str = "", limit: int = 100) -> builtins.list[Capture]:
        """Quarantine, for owners and auditors."""
        return self._paged(Capture, "/captures", limit, after=after)

    def drop_capture(self, id: str) -> None:
        """Only an owner deletes from quarantine."""
        self._does(object, "DELETE", f"/captures{place(id)}")

    def _of(self, id: str, *what: str) -> str:
        return "/".join((f"/memories{place(id)}", *what))

    def _does(
        self, kind: type[T], method: str, path: str, *, body: Mapping[str, Any] | None = None, **query: Any
    ) -> T:
        if body is None and method == "POST":
            body = {}
        found: T = read(kind, self._link.ask(method, path, space=self.name, body=body, **query))
        return found

    def _paged(
        self, kind: Any, path: str, limit: int, /, *, after: str | int, **wanted: Any
    ) -> builtins.list[Any]:
        """As many as are wanted, in as many requests as that takes."""
        found: builtins.list[Any] = []
        while True:
            asked = min(max(limit - len(found), 0), PAGE) if limit > 0 else limit
            raw = self._link.ask("GET", path, space=self.name, after=after, limit=asked, **wanted)
            found += [read(kind, item) for item in raw["items"]]
            after = raw["next"]
            if after is None or len(found) >= limit:
                return found


def now_only(at: datetime | None) -> None:
    """For verbs that a server does as of now."""
    if at is not None:
        raise InvalidInput(
            "at", "cannot be sent to a server for this", "leave it out; the server acts as of now"
        )
