"""The truth of a space with an outbox: every write that an index can see leaves, in the same commit, a job to
feed what stands beside the truth (`feeding`). A crash leaves an index late, never wrong.

It stands before any engine's store and passes everything else on as it is.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from holdfast.errors import Unavailable
from holdfast.model.layer import Layer
from holdfast.model.plan import Job
from holdfast.recall import hot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.model.plan import Access, Entry, Plan
    from holdfast.ports.clock import Clock
    from holdfast.ports.store import SpaceStore
    from holdfast.ports.working import Working
    from holdfast.profile.schema import Session
    from holdfast.scope import Scope
    from holdfast.servers import Servers
_log = logging.getLogger(__name__)

FEED = "feed"
# Counts of accesses are told apart from changes; while an index is away no more than so many wait, and what
# was not told is told with the next change.
MOST_TOUCHED = 20


class Outbox:
    """Implements `ports.store.SpaceStore` over another one. `working` is told at once, and by the job again
    where it could not be.
    """

    def __init__(
        self,
        store: SpaceStore,
        clock: Clock,
        working: Working | None,
        *,
        session: Session,
        servers: Servers,
    ) -> None:
        self._store = store
        self._clock = clock
        self._working = working
        self._session = session
        self._servers = servers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def apply(self, plan: Plan) -> Entry:
        if not (plan.puts or plan.indexed or plan.purges):
            return self._store.apply(plan)
        jobs = [self._due()]
        if plan.purges:
            jobs.append(self._due(gone=list(plan.purges)))
        entry = self._store.apply(replace(plan, jobs=(*plan.jobs, *jobs)))
        self._tell(whole=bool(plan.purges) or any(memory.layer is Layer.SESSION for memory in plan.puts))
        return entry

    def touch(self, accesses: Mapping[str, Access]) -> None:
        self._store.touch(accesses)
        touched = [id for id, access in accesses.items() if access.count]
        if touched and len(self._store.jobs(limit=MOST_TOUCHED)) < MOST_TOUCHED:
            self._store.enqueue([self._due(touched=touched)])

    def store_vectors(self, embedder: str, vectors: Mapping[str, bytes], versions: Mapping[str, int]) -> int:
        self._store.enqueue([self._due()])  # before, since what follows is a commit of its own; and after,
        stored = self._store.store_vectors(embedder, vectors, versions)
        self._store.enqueue([self._due()])  # since a worker may have done the first one meanwhile
        self._tell(whole=False)
        return stored

    def drop_vectors(self, embedder: str) -> int:
        self._store.enqueue([self._due(), self._due(dropped=embedder)])
        return self._store.drop_vectors(embedder)

    def reindex(self, rows: Mapping[str, tuple[bytes, bytes]]) -> None:
        self._store.enqueue([self._due()])
        self._store.reindex(rows)

    def _tell(self, *, whole: bool) -> None:
        if self._working is None:
            return
        try:
            with self._servers.asking(self._working.name, self._clock.now()):
                if whole:
                    hot.told(self._store, self._working, self._session)
                else:
                    self._working.advance(self._store.id, self._store.sequence())
        except Unavailable as error:
            _log.info("told later: %s", error)  # an answer that misses it says so

    def _due(self, **told: Any) -> Job:
        return due(self._clock, **told)


def due(clock: Clock, **told: Any) -> Job:
    """One job to feed what changed is enough for a space; each that tells more stands for itself."""
    key = "" if told else FEED
    return Job(id=clock.new_id(), kind=FEED, key=key, payload=told, run_at=clock.now())


def outboxed(scope: Scope) -> Scope:
    """The same scope; its store has an outbox where anything stands beside the truth."""
    if scope.index is None and scope.working is None:
        return scope
    session, servers = scope.profile.session, scope.servers
    outbox = Outbox(scope.store, scope.clock, scope.working, session=session, servers=servers)
    return replace(scope, store=cast("SpaceStore", outbox))
