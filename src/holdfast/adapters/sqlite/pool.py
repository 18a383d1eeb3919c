"""Connections to one file: any number of readers at once, one writer, few kept open.

A connection is taken out for a call and given back after it, so that no two threads share one; `let_go`
closes those that nobody has, the others are closed when they come back. What SQLite raises in a call leaves
it as one of Holdfast's errors.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.faults import told
from holdfast.adapters.sqlite.files import opened
from holdfast.errors import HoldfastError, StoreError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from holdfast.adapters.sqlite.files import Kind, Options

_ticks = itertools.count(1)


class Pool:
    """The connections to one file. `on_open` is called whenever one is opened."""

    def __init__(self, path: Path, kind: Kind, *, options: Options, on_open: Callable[[], None]) -> None:
        self.path = path
        self.used = 0  # the tick of the last call: what was used longest ago is let go first
        self.writer = threading.Lock()
        self._kind = kind
        self._options = options
        self._on_open = on_open
        self._idle: deque[apsw.Connection] = deque()
        self._epoch = 0
        self._process = os.getpid()

    @property
    def patience(self) -> float:
        return self._options.patience

    def reading(self) -> Reading:
        return Reading(self)

    def writing(self, *, durable: bool = True) -> Writing:
        """`durable`: on disk when the call returns; else what is lost with the power may be lost."""
        return Writing(self, durable)

    def take(self) -> apsw.Connection:
        self.used = next(_ticks)
        if self._process != os.getpid():
            raise StoreError(
                f"{self.path} was opened before the process forked; make a new store in the child"
            )
        try:
            return self._idle.pop()
        except IndexError:
            db = opened(self.path, self._kind, self._options)
            self._on_open()
            return db

    def give_back(self, db: apsw.Connection, epoch: int) -> None:
        if epoch == self._epoch and len(self._idle) < self._options.connections:
            self._idle.append(db)
            if epoch != self._epoch:  # let go meanwhile
                self._close_idle()
        else:
            db.close()

    @property
    def epoch(self) -> int:
        return self._epoch

    def let_go(self) -> None:
        """Closes what nobody has; what is out is closed when it comes back. Later calls open anew."""
        self._epoch += 1
        self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            try:
                db = self._idle.pop()
            except IndexError:  # another thread took it
                return
            db.close()


class Reading:
    """A connection for the length of a `with`, in one read transaction where `snapshot` is called."""

    __slots__ = ("_db", "_epoch", "_pool")

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def __enter__(self) -> apsw.Connection:
        self._epoch = self._pool.epoch
        self._db = self._pool.take()
        return self._db

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _return(self._db, self._pool, epoch=self._epoch, broken=isinstance(error, apsw.Error))
        if isinstance(error, apsw.Error | ValueError) and not isinstance(error, HoldfastError):
            raise told(error, self._pool.path) from error


class Writing:
    """A connection in a write transaction: committed at the end of the `with`, rolled back where it fails."""

    __slots__ = ("_db", "_durable", "_epoch", "_pool")

    def __init__(self, pool: Pool, durable: bool) -> None:  # noqa: FBT001
        self._pool = pool
        self._durable = durable

    def __enter__(self) -> apsw.Connection:
        pool = self._pool
        if not pool.writer.acquire(timeout=pool.patience):
            raise Unavailable(
                f"{pool.path} is busy: another thread has been writing for {pool.patience:g} s; try again"
            )
        try:
            self._epoch = pool.epoch
            self._db = db = pool.take()
        except BaseException:
            pool.writer.release()
            raise
        try:
            if not self._durable:
                db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE")
        except apsw.Error as error:
            self._leave(broken=True)
            raise told(error, pool.path) from error
        return db

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            try:
                self._db.execute("COMMIT")
            except apsw.Error as failed:
                error = failed
        self._leave(broken=isinstance(error, apsw.Error))
        if isinstance(error, apsw.Error | UnicodeEncodeError):
            raise told(error, self._pool.path) from error

    def _leave(self, *, broken: bool) -> None:
        try:
            if not self._durable and not broken:
                _end(self._db)
                self._db.execute("PRAGMA synchronous = FULL")
            _return(self._db, self._pool, epoch=self._epoch, broken=broken)
        finally:
            self._pool.writer.release()


def _return(db: apsw.Connection, pool: Pool, *, epoch: int, broken: bool) -> None:
    """One that failed is closed, which ends whatever it was at; a good one is kept."""
    if broken:
        db.close()
        return
    _end(db)
    pool.give_back(db, epoch)


def _end(db: apsw.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")
