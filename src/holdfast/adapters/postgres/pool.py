"""Transactions on pooled connections, each under the number of one space, which row-level security asks for.

What is read is read again on another connection where the first was lost (the server was started anew);
what is written only where it is sure that nothing was. A connection that is lost while committing leaves
that open: `Unsure`. Statements are sent together where their answers are not waited for (pipeline mode).
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.rows import tuple_row
from psycopg_pool import ConnectionPool, PoolTimeout, TooManyRequests

from holdfast.adapters.postgres.faults import told
from holdfast.errors import HoldfastError, StoreError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from psycopg import Connection, Cursor

    from holdfast.adapters.postgres.options import Options

T = TypeVar("T")
NO_SPACE = 0
"""For the catalog: no space has this number, so nothing of any is seen."""
_SPACE = "SELECT set_config('holdfast.space', $1, true)"
# For a statement that is sent alone and finds rows by their keys: it is planned once, whatever the size of a
# space, as planning takes longer than doing.
_ALONE = (
    f"{_SPACE}, set_config('plan_cache_mode', 'force_generic_plan', true), "
    "set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)"
)
_WAIT = "SELECT set_config('lock_timeout', $1, true)"
_LAZY = "SET LOCAL synchronous_commit = off"
_WRITE = "BEGIN"
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_LATE = (PoolTimeout, TooManyRequests)


class Unsure(Unavailable):
    """The connection was lost while committing: it is not known whether it was written."""


class Db:
    """A connection in a transaction of one space. The space's number goes first to every statement."""

    __slots__ = ("_connection", "space")

    def __init__(self, connection: Connection[Any], space: int) -> None:
        self._connection = connection
        self.space = space

    def of(self, space: int) -> Db:
        """The same transaction, in another space from here on."""
        self.plain(_SPACE, str(space))
        return Db(self._connection, space)

    def send(self, statement: str, *values: object) -> Cursor[Any]:
        """Sends a statement; its answer is fetched when it is asked for, its errors come by then."""
        return self._plain(statement, self.space, *values)

    def rows(self, statement: str, *values: object) -> list[Any]:
        """Every row of the answer, as tuples; their types are what the schema says."""
        return self.send(statement, *values).fetchall()

    def plain(self, statement: str, *values: object) -> list[Any]:
        """The same for a statement of the catalog, which names no space."""
        return self._plain(statement, *values).fetchall()

    def many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """The statement once for each row."""
        given = [(self.space, *row) for row in rows]
        if given:
            self._connection.cursor().executemany(statement, given)

    def put(self, table: str, columns: str, rows: Iterable[Sequence[object]]) -> None:
        """New rows into a table. (COPY is not to be had under row-level security.)"""
        places = ", ".join(f"${number}" for number in range(1, columns.count(",") + 3))
        self.many(f"INSERT INTO holdfast.{table} (space, {columns}) VALUES ({places})", rows)

    def _plain(self, statement: str, *values: object) -> Cursor[Any]:
        return self._connection.execute(statement, values, binary=True)


class Pool:
    """The connections of one house."""

    def __init__(self, url: str, options: Options) -> None:
        self.options = options
        self._process = os.getpid()
        self._pool: ConnectionPool[Connection[Any]] = ConnectionPool(
            url,
            min_size=0,
            max_size=options.connections,
            timeout=options.reach,
            reconnect_timeout=options.reach,
            open=True,
            kwargs={"autocommit": True, "cursor_factory": psycopg.RawCursor, "row_factory": tuple_row},
        )

    def ask(
        self, space: int, statement: str, *values: object, then: Callable[[list[Any]], Any] = list
    ) -> Any:
        """What `then` makes of the rows of one statement, which takes one round trip."""

        def asked(connection: Connection[Any]) -> Any:
            if space == NO_SPACE:
                return then(connection.execute(statement, values, binary=True).fetchall())
            with connection.pipeline():
                connection.execute(_ALONE, (str(space),), binary=True)
                found = connection.execute(statement, (space, *values), binary=True)
            return then(found.fetchall())

        return self._tried(asked)

    def read(self, space: int, work: Callable[[Db], T], *, snapshot: bool = False) -> T:
        """What `work` reads, all of it in one state where a snapshot is asked for."""
        opening = (_SNAPSHOT,) if snapshot else ()
        return self._tried(self._piped(space, work, opening))

    def write(self, space: int, work: Callable[[Db], T], *, durable: bool = True) -> T:
        """Commits what `work` writes, or nothing where it raises. `durable`: on disk when the call returns;
        else what is lost with the power may be lost.
        """
        opening = (_WRITE,) if durable else (_WRITE, _LAZY)
        return self._tried(self._piped(space, work, opening))

    @contextmanager
    def held(self, space: int, opening: str) -> Iterator[Db]:
        """A transaction for as long as the block lasts, without a pipeline; committed at its end."""
        with self._told(), self._taken() as connection:
            connection.execute(opening)
            try:
                yield Db(connection, NO_SPACE).of(space)
                connection.execute("COMMIT")
            finally:
                _end(connection)

    def snapshot(self, space: int) -> Any:
        """One state of a space, read for as long as the block lasts."""
        return self.held(space, _SNAPSHOT)

    def close(self) -> None:
        """Closes what nobody has; what is out is closed when it comes back."""
        if self._process == os.getpid():
            self._pool.close()

    def _tried(self, run: Callable[[Connection[Any]], T]) -> T:
        """Once more where the connection was lost."""
        try:
            return self._attempt(run)
        except psycopg.OperationalError as error:
            self._again(error)
        with self._told():
            return self._attempt(run)

    def _attempt(self, run: Callable[[Connection[Any]], T]) -> T:
        try:
            with self._taken() as connection:
                try:
                    return run(connection)
                finally:
                    _end(connection)
        except psycopg.OperationalError as error:
            if _is_gone(error):
                raise
            raise told(error) from error
        except (psycopg.Error, ValueError) as error:
            if isinstance(error, HoldfastError):
                raise
            raise told(error) from error

    def _piped(
        self, space: int, work: Callable[[Db], T], opening: tuple[str, ...]
    ) -> Callable[[Connection[Any]], T]:
        """`work` in a transaction that these statements open, or in that of the pipeline."""

        def worked(connection: Connection[Any]) -> T:
            committing = False
            try:
                with connection.pipeline():
                    for statement in opening:
                        connection.execute(statement)
                    db = Db(connection, space)
                    db._plain(_SPACE, str(space))  # noqa: SLF001 (sent, not waited for)
                    if opening:
                        db._plain(_WAIT, f"{self.options.patience:.0f}s")  # noqa: SLF001
                    found = work(db)
                    if opening:
                        committing = opening[0] == _WRITE
                        connection.execute("COMMIT")
            except psycopg.OperationalError as error:
                if committing and _is_gone(error):
                    raise Unsure(f"the connection was lost while committing: {error}") from error
                raise
            return found

        return worked

    def _again(self, error: psycopg.OperationalError) -> None:
        """The server may have been started anew: connections from before are of no use."""
        if isinstance(error, PoolTimeout):
            raise told(error) from error
        self._pool.check()

    @contextmanager
    def _taken(self) -> Iterator[Connection[Any]]:
        if self._process != os.getpid():
            raise StoreError("the store was opened before the process forked; make a new one in the child")
        if self._pool.closed:
            raise StoreError("this store was closed; make a new one")
        with self._pool.connection() as connection:
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, ValueError) as error:
            if isinstance(error, HoldfastError):
                raise
            raise told(error) from error


def _is_gone(error: psycopg.OperationalError) -> bool:
    """Whether the connection was lost rather than the statement refused."""
    state = error.sqlstate or ""
    return not state or state.startswith(("08", "57P"))


def _end(connection: Connection[Any]) -> None:
    """Whatever is under way is rolled back; a lost connection has nothing under way."""
    if connection.closed or connection.broken:
        return
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        try:
            connection.rollback()
        except psycopg.Error:
            connection.close()
