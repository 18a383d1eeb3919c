"""The answers of a directory's servers, beside its keys (`keys.db`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.model.codec import micros, moment
from holdfast.ports.replies import Reply

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.sqlite.keys import SqliteKeys

_SQL = statements("keys.sql")


class SqliteReplies:
    """Implements `ports.replies.Replies`, past a killed process; the last seconds may go with the power."""

    def __init__(self, keys: SqliteKeys) -> None:
        self._keys = keys

    def begin(self, asked: str, request: str, *, at: datetime, since: datetime) -> Reply | None:
        with self._keys.pool.writing(durable=False) as db:
            if rows(db, _SQL["begin_reply"], (asked, request, micros(at), micros(since))):
                return None
            told, then, status, body = rows(db, _SQL["find_reply"], (asked,))[0]
        return Reply(told, moment(then), status, body or b"")

    def finish(self, asked: str, status: int, body: bytes) -> None:
        with self._keys.pool.writing(durable=False) as db:
            db.execute(_SQL["finish_reply"], (asked, status, body))

    def abandon(self, asked: str) -> None:
        with self._keys.pool.writing(durable=False) as db:
            db.execute(_SQL["abandon_reply"], (asked,))

    def forget(self, before: datetime) -> int:
        with self._keys.pool.writing(durable=False) as db:
            return len(rows(db, _SQL["forget_replies"], (micros(before),)))
