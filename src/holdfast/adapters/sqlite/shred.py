"""The last step of a purge: getting the words out of the log, which holds old pages until it is cut.

What is freed in the file itself is overwritten by SQLite (secure_delete). The log is cut as soon as no reader
is on it; until then the file remembers that it has to be, and every later write tries again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.files import Patience
from holdfast.adapters.sqlite.statements import rows, statements

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.pool import Pool

_SQL = statements("space.sql")


PATIENCE = 1.0
"""Seconds that a purge waits for readers to end; most have after milliseconds."""


def shred(pool: Pool, patience: float) -> bool:
    """Cuts the log; False where somebody still reads from it, so that it is to be tried again."""
    with pool.reading() as db:
        db.set_busy_handler(Patience(patience))
        try:
            ((busy, _, _),) = rows(db, "PRAGMA wal_checkpoint(TRUNCATE)")
        except apsw.BusyError:
            busy = 1
        db.set_busy_handler(Patience(pool.patience))
    if busy:
        return False
    with pool.writing(durable=False) as db:
        db.execute(_SQL["shredded"])
    return True
