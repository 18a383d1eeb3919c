"""Taking turns at deciding, across threads and processes: a lock in memory and one on a file.

Nothing relies on it for correctness (a plan that comes late is stale and is made again); it saves that work.
Where the system has no file locks, threads still take turns and processes meet at SQLite's own lock.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from random import random
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.faults import told
from holdfast.errors import Unavailable

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Turns:
    """The turn of one space. Reentrant in a thread."""

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._lock = threading.RLock()
        self._depth = 0
        self._file = -1

    @contextmanager
    def turn(self) -> Iterator[None]:
        until = time.monotonic() + self._patience
        if not self._lock.acquire(timeout=self._patience):
            raise self._late()
        try:
            if self._depth == 0:
                self._file = self._locked(until)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0 and self._file >= 0:
                    os.close(self._file)  # which lets go of the lock
        finally:
            self._lock.release()

    def _locked(self, until: float) -> int:
        """The file, locked by this process; -1 where files cannot be locked."""
        if sys.platform == "win32":
            return -1
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise told(error, self._path) from error
        wait = 0.0002
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    os.close(file)
                    raise self._late() from None
                time.sleep(wait * (0.5 + random()))
                wait = min(wait * 2, 0.005)
            else:
                return file

    def _late(self) -> Unavailable:
        return Unavailable(
            f"{self._path.stem}: another writer has kept its turn for {self._patience:g} s; try again"
        )
