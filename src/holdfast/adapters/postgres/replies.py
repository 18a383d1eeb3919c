"""The answers of a house's servers, in its database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.model.codec import micros, moment
from holdfast.ports.replies import Reply

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.postgres.pool import Db, Pool

_SQL = statements(__package__, "catalog.sql")


class PostgresReplies:
    """Implements `ports.replies.Replies`, past a killed process; the last moments may go with the power."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def begin(self, asked: str, request: str, *, at: datetime, since: datetime) -> Reply | None:
        def begin(db: Db) -> Any:
            if db.plain(_SQL["begin_reply"], asked, request, micros(at), micros(since)):
                return None
            return db.plain(_SQL["find_reply"], asked)[0]

        known = self._pool.write(NO_SPACE, begin, durable=False)
        if known is None:
            return None
        told, then, status, body = known
        return Reply(told, moment(then), status, body)

    def finish(self, asked: str, status: int, body: bytes) -> None:
        self._write("finish_reply", asked, status, body)

    def abandon(self, asked: str) -> None:
        self._write("abandon_reply", asked)

    def forget(self, before: datetime) -> int:
        return len(self._write("forget_replies", micros(before)))

    def _write(self, name: str, *values: object) -> list[Any]:
        return self._pool.write(NO_SPACE, lambda db: db.plain(_SQL[name], *values), durable=False)
