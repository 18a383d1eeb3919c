"""One steward at a time in a space: a job of the queue that a runner holds, renews, and loses when it dies.

The job carries the id of the run, so that whoever finds it left behind goes on with that run.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from holdfast.errors import Unavailable
from holdfast.model.plan import Job

if TYPE_CHECKING:
    from types import TracebackType

    from holdfast.scope import Scope

KIND = "steward.running"
SECONDS = 60.0  # a page takes a few of them; a dead runner is missed for so long
RENEW = 20.0


class Lease:
    """`with Lease(scope) as lease: …`; Unavailable where another runner is at work."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._until = scope.clock.now()
        self.run = ""

    def __enter__(self) -> Self:
        self._take(self._scope.clock.new_id())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._scope.clock.now() < self._until:  # else somebody else may hold it by now
            self._scope.store.finish(KIND)

    def keep(self) -> None:
        """Between two pages: still here."""
        now = self._scope.clock.now()
        if (self._until - now).total_seconds() < SECONDS - RENEW:
            self._scope.store.fail(KIND, error="", retry_at=now)
            self._take(self.run)

    def _take(self, run: str) -> None:
        store, now = self._scope.store, self._scope.clock.now()
        store.enqueue([Job(id=KIND, kind=KIND, key=KIND, payload={"run": run}, run_at=now)])
        held = store.lease(now=now, seconds=SECONDS, kinds=(KIND,), limit=1)
        if not held:
            raise Unavailable(
                f"a steward is at work in {self._scope.space!r}; a dead one is missed for {SECONDS:g} seconds"
            )
        self.run = str(held[0].payload["run"])
        self._until = now + timedelta(seconds=SECONDS)
