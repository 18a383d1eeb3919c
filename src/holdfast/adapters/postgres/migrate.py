"""A database made ready: the server and pgvector are new enough, the tables are there and up to date.

Several programs may come at once; one migrates, the others wait. A program that knows fewer migrations than
were run goes on working, as long as none of them said that it cannot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import psycopg

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.faults import told, unreached
from holdfast.errors import NewerSchema, StoreError

if TYPE_CHECKING:
    from psycopg import Connection

    from holdfast.adapters.postgres.options import Options

SERVER, VECTOR = 15, (0, 7)
"""The oldest of each: 0.7 has half vectors and 0.8 scans on where a filter takes much away."""
_LOCK = 0x484F4C44  # "HOLD": one migration at a time in a database
_OLDEST = re.compile(r"^-- oldest: (\d+)$", re.MULTILINE)


def migrations() -> list[str]:
    """The scripts, in order."""
    return list(statements(__package__, "schema.sql").values())


def prepare(url: str, options: Options, *, upto: int | None = None) -> None:
    """Makes the database ready, or says what is missing. `upto`: not all migrations (for tests)."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=max(int(options.reach), 2)) as db:
            _fit(db)
            done, oldest = _state(db)
            known = len(migrations()) if upto is None else upto
            if done < known:
                _migrate(db, options, known)
            elif oldest > known:
                raise NewerSchema(
                    f"the database was made ready by a newer Holdfast (schema {done}); programs that know "
                    f"fewer than {oldest} cannot use it, and this one knows {known}; upgrade"
                )
    except psycopg.Error as error:
        raise told(error) if error.sqlstate else unreached(error) from None


def _fit(db: Connection[Any]) -> None:
    if db.info.server_version < SERVER * 10_000:
        raise StoreError(
            f"the server is PostgreSQL {db.info.server_version // 10_000}; Holdfast needs {SERVER} or later"
        )
    found = db.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    if found is None:
        try:
            db.execute("CREATE EXTENSION vector")
        except psycopg.Error as error:
            raise StoreError(
                "the database lacks pgvector; install it on the server and run CREATE EXTENSION vector there "
                f"as a superuser ({' '.join(str(error).split())})"
            ) from error
        return
    version = tuple(int(part) for part in found[0].split(".")[:2])
    if version < VECTOR:
        raise StoreError(
            f"pgvector is {found[0]}; Holdfast needs {VECTOR[0]}.{VECTOR[1]} or later: install it, then "
            "ALTER EXTENSION vector UPDATE"
        )


def _state(db: Connection[Any]) -> tuple[int, int]:
    """How many migrations were run, and how many a program must know."""
    if db.execute("SELECT to_regclass('holdfast.schema')").fetchone() == (None,):
        return 0, 0
    row = db.execute("SELECT count(*), coalesce(max(oldest), 0) FROM holdfast.schema").fetchone()
    assert row is not None, "an aggregate has one row"
    return row[0], row[1]


def _migrate(db: Connection[Any], options: Options, known: int) -> None:
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        db.execute("CREATE SCHEMA IF NOT EXISTS holdfast")
        db.execute(
            "CREATE TABLE IF NOT EXISTS holdfast.schema "
            "(number integer PRIMARY KEY, oldest integer NOT NULL, at timestamptz NOT NULL DEFAULT now())"
        )
        db.execute("SELECT set_config('holdfast.partitions', %s, true)", (str(options.partitions),))
        done, _ = _state(db)
        for number, script in enumerate(migrations()[:known], 1):
            if number > done:
                db.execute(script)
                told_oldest = _OLDEST.search(script)
                oldest = int(told_oldest[1]) if told_oldest else 0
                db.execute("INSERT INTO holdfast.schema (number, oldest) VALUES (%s, %s)", (number, oldest))
