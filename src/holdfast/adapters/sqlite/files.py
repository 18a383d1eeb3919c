"""Files of the SQLite engine: how one is made, opened, checked and brought up to date.

A file is made whole under another name and then put in its place, so that nobody ever sees half of one. A
file that is opened is Holdfast's, of this kind and a schema that this program knows, or an error says what.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from dataclasses import dataclass
from random import random
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.faults import told
from holdfast.adapters.sqlite.statements import statements
from holdfast.errors import Damaged, HoldfastError, NewerSchema, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAGE_BYTES = 8192
"""At 4096, 8192 and 16384, with 10,000 memories: a lone durable write takes 264, 291 and 341 µs, a bulk write
26, 24 and 24 µs a memory, a cold batch 30, 28 and 21 ms."""

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EMLINK)  # file systems without hard links
_DIRECTORY: int | None = getattr(os, "O_DIRECTORY", None)  # Windows cannot sync a directory, and need not

LOG_BYTES = 16 << 20
"""What the write-ahead log is cut back to after a large write."""


@dataclass(frozen=True, slots=True)
class Options:
    """Numbers of the engine. Times are in seconds; `open_spaces` 0: what the limit on open files allows."""

    patience: float = 60.0  # how long a call waits for other processes before it says Unavailable
    open_spaces: int = 0
    connections: int = 4  # kept for each open space; more are opened for more threads, and closed again
    cache_kib: int = 1024  # of each connection


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: what marks it, and its migrations in order."""

    application: int
    schema: str
    what: str

    def migrations(self) -> list[tuple[str, str]]:
        return list(statements(self.schema).items())


def open_files() -> int:
    """How many spaces may be open at once.

    Each takes up to six of the files that a process may have open; half of those are left to the program.
    """
    if sys.platform == "win32":
        return 64
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1024 if soft == resource.RLIM_INFINITY else max(8, min(soft // 12, 1024))


SPACE = Kind(0x484F4C44, "space_schema.sql", "space")
CATALOG = Kind(0x484F4C43, "catalog_schema.sql", "catalog")


def opened(path: Path, kind: Kind, options: Options) -> apsw.Connection:
    """A connection to a file that is there, checked and migrated."""
    if not path.exists():
        raise Damaged(f"{path} is gone; restore it from a backup")
    try:
        db = _connected(path)
    except apsw.Error as error:
        raise told(error, path) from error
    try:
        _prepare(db, options)
        _check(db, kind, path)
    except apsw.Error as error:
        db.close()
        raise told(error, path) from error
    except HoldfastError:
        db.close()
        raise
    return db


def _connected(path: Path) -> apsw.Connection:
    """On a read-only mount nobody writes, so SQLite needs no lock there and no file beside; but what is still
    in a log beside it would not be seen.
    """
    if not _read_only(path):
        return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise StoreError(
            f"{path} is on a read-only mount and its last writes are still in {log.name}, which cannot be "
            f"read there; copy the whole directory to where it may be written, and open the copy"
        )
    return apsw.Connection(
        f"{path.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )


def _read_only(path: Path) -> bool:
    """Whether it lies on a read-only mount; a file that merely this user may not write others may write."""
    return sys.platform != "win32" and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def make(path: Path, kind: Kind, *, options: Options, fill: Callable[[apsw.Connection], None]) -> None:
    """Makes the file, filled, where it is not there; of two that make it at once, the first wins."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{int(random() * 2**48):x}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(fresh, kind, options=options, fill=fill)
        _place(fresh, path)
    except (apsw.Error, OSError) as error:
        raise told(error, path.parent if isinstance(error, OSError) else path) from error
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            fresh.with_name(fresh.name + end).unlink(missing_ok=True)


def migrate(db: apsw.Connection, kind: Kind) -> None:
    """Runs what is missing, all of it or nothing; another process may have been quicker."""
    migrations = kind.migrations()
    db.execute("BEGIN IMMEDIATE")
    try:
        for number, (_, script) in enumerate(migrations, 1):
            if number > version_of(db):
                db.execute(script)
                db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def version_of(db: apsw.Connection) -> int:
    """The schema that a file is at."""
    return int(db.pragma("user_version"))


class Patience:
    """SQLite's busy handler: short waits first, none longer than 20 ms, until the time is up."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0

    def __call__(self, tries: int) -> bool:
        if tries == 0:
            self._until = time.monotonic() + self.seconds
        if time.monotonic() >= self._until:
            return False
        time.sleep(min(0.0005 * 2 ** min(tries, 6), 0.02) * (0.5 + random()))
        return True


def _prepare(db: apsw.Connection, options: Options) -> None:
    """The settings that a connection has, not the file."""
    db.set_busy_handler(Patience(options.patience))
    db.execute(
        f"PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;"
        f"PRAGMA cache_size = -{options.cache_kib}; PRAGMA journal_size_limit = {LOG_BYTES}"
    )


def _check(db: apsw.Connection, kind: Kind, path: Path) -> None:
    known = len(kind.migrations())
    if db.pragma("application_id") != kind.application:
        raise Damaged(f"{path} is no {kind.what} of Holdfast; restore it from a backup, or move it away")
    schema = version_of(db)
    if schema > known:
        raise NewerSchema(
            f"{path} was written by a newer Holdfast (schema {schema}, this one knows {known}); upgrade"
        )
    if schema < known:
        migrate(db, kind)


def _make(path: Path, kind: Kind, *, options: Options, fill: Callable[[apsw.Connection], None]) -> None:
    db = apsw.Connection(str(path))
    try:
        _prepare(db, options)
        # Nobody sees the file before it is placed, so it need only be durable at the end.
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}; PRAGMA application_id = {kind.application}")
        db.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        migrate(db, kind)
        fill(db)
        db.execute("PRAGMA journal_mode = WAL")
    finally:
        db.close()
    _sync(path, os.O_RDWR)


def _place(fresh: Path, path: Path) -> None:
    """Gives the file its name, durably, unless the name is taken."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if not path.exists():
            fresh.rename(path)
    if _DIRECTORY is not None:
        _sync(path.parent, _DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    file = os.open(path, flags)
    try:
        os.fsync(file)
    finally:
        os.close(file)
