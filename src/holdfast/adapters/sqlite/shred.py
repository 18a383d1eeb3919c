"""The last step of a purge: getting the words out of the log, which holds old pages until it is cut.

What is freed in the file itself is overwritten by SQLite (secure_delete). The log is cut as soon as no reader
is on it; until then the file remembers that it has to be, and every later write tries again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.statements import statements
from holdfast.errors import Unavailable

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.pool import Pool

_SQL = statements("space.sql")


def shred(pool: Pool) -> bool:
    """Cuts the log; False where somebody still reads from it, so that it is to be tried again."""
    try:
        with pool.reading() as db:
            ((busy, _, _),) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except Unavailable:
        return False
    if busy:
        return False
    with pool.writing(durable=False) as db:
        db.execute(_SQL["shredded"])
    return True
