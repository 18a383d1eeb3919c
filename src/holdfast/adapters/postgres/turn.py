"""Taking turns at deciding, across threads, processes and machines: a lock in memory and a row with an end.

Nothing relies on it for correctness (a plan that comes late is stale and is made again); it saves that work.
No connection is held meanwhile, and a holder that died loses its turn when the row's time is up.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from random import random
from typing import TYPE_CHECKING
from uuid import uuid4

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.postgres.pool import Pool

_LOG = logging.getLogger("holdfast")
SECONDS = 30.0
"""How long a turn holds; deciding takes milliseconds, judging by a model happens outside."""
_SQL = statements(__package__, "catalog.sql")


class Turns:
    """The turn of one space. Reentrant in a thread."""

    def __init__(self, pool: Pool, space: int) -> None:
        self._pool = pool
        self._space = space
        self._lock = threading.RLock()
        self._depth = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        patience = self._pool.options.patience
        until = time.monotonic() + patience
        if not self._lock.acquire(timeout=patience):
            raise self._late()
        try:
            holder = self._taken(until) if self._depth == 0 else ""
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._end(holder)
        finally:
            self._lock.release()

    def _taken(self, until: float) -> str:
        holder, wait = uuid4().hex, 0.0005
        while not self._run("take_turn", self._space, holder, SECONDS):
            if time.monotonic() > until:
                raise self._late()
            time.sleep(wait * (0.5 + random()))
            wait = min(wait * 2, 0.01)
        return holder

    def _end(self, holder: str) -> None:
        """What was decided in the turn is done by now, so that nothing is raised here."""
        try:
            self._run("end_turn", self._space, holder)
        except Unavailable as error:
            _LOG.info("a turn was not given back, and ends by itself after %g s: %s", SECONDS, error)

    def _run(self, name: str, *values: object) -> bool:
        return self._pool.write(NO_SPACE, lambda db: bool(db.plain(_SQL[name], *values)), durable=False)

    def _late(self) -> Unavailable:
        patience = self._pool.options.patience
        return Unavailable(f"another writer has kept its turn for {patience:g} s; try again")
