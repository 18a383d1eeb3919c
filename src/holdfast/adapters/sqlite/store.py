"""The embedded truth: a directory with a catalog, and one file for each space, named by the space's id.

    <directory>/catalog.db          names, profiles and the heads of the ledgers
    <directory>/spaces/<id>.db      everything of one space: copy it and you have it, delete it and it is gone
    <directory>/turns/<id>          a lock, always empty

Few files are open at a time; which those are is nobody's concern: a call opens what it needs.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from holdfast.adapters.sqlite import doctor, load
from holdfast.adapters.sqlite.catalog import Catalog
from holdfast.adapters.sqlite.faults import told
from holdfast.adapters.sqlite.files import SPACE, Options, make, open_files
from holdfast.adapters.sqlite.pool import Pool
from holdfast.adapters.sqlite.space import SqliteSpace
from holdfast.adapters.sqlite.turn import Turns
from holdfast.errors import Damaged, HoldfastError, StoreError
from holdfast.ports.dump import taken

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Drift


class SqliteStore:
    """Implements `ports.store.Store` over a directory, which is made where it is not there."""

    def __init__(self, directory: Path | str, options: Options | None = None) -> None:
        self._directory = Path(directory).expanduser()
        self._options = options or Options()
        try:
            for folder in (self._directory / "spaces", self._directory / "turns"):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise told(error, self._directory) from error
        self._catalog = Catalog(self._directory, self._options)
        self._lock = threading.Lock()
        self._stores: WeakValueDictionary[str, SqliteSpace] = WeakValueDictionary()
        self._open: dict[
            str, SqliteSpace
        ] = {}  # those with a file open; holding them keeps their files theirs
        self._most = self._options.open_spaces or open_files()

    def create(self, record: SpaceRecord) -> SpaceRecord:
        known = self._catalog.create(record)
        self._file(known)
        return known

    def find(self, name: str) -> SpaceRecord | None:
        return self._catalog.find(name)

    def spaces(self) -> list[SpaceRecord]:
        return self._catalog.all()

    def open(self, record: SpaceRecord) -> SqliteSpace:
        with self._lock:
            store = self._stores.get(record.id)
        return store or self._opened(record.id)

    def update(self, record: SpaceRecord) -> None:
        self._catalog.update(record)

    def rekey(self, id: str, key: str, *, over: str) -> bool:
        return self._catalog.rekey(id, key, over)

    def load(self, record: SpaceRecord, pieces: Iterable[Piece]) -> SpaceRecord:
        path = self._directory / "spaces" / f"{record.id}.db"
        with Turns(self._directory / "turns" / record.id, self._options.patience).turn():
            for known in self._catalog.all():
                if known.name == record.name or known.id == record.id:
                    raise taken(record, known)
            if path.exists():
                raise StoreError(f"{path} is there, which no space has; see `holdfast doctor`, move it away")
            placed: list[SpaceRecord] = []
            fill = lambda db: placed.append(load.load(db, record, pieces))
            make(path, SPACE, options=self._options, fill=fill)
            try:
                self._catalog.place(placed[0])
            except HoldfastError:
                path.unlink()
                raise
        return placed[0]

    def doctor(self) -> list[Drift]:
        return doctor.examined(self._directory, self._catalog.all(), self._options)

    def close(self) -> None:
        """Closes every file. Calls under way end as they would; a later call opens anew."""
        with self._lock:
            stores = list(self._open.values())
            self._open.clear()
        for store in stores:
            store.close()
        self._catalog.close()

    def _opened(self, id: str) -> SqliteSpace:
        record = self._catalog.record(id)
        pool = Pool(self._file(record), SPACE, options=self._options, on_open=lambda: self._remember(id))
        store = SqliteSpace(id, self._catalog, pool=pool, turns=self._directory / "turns" / id)
        with self._lock:
            return self._stores.setdefault(id, store)

    def _file(self, record: SpaceRecord) -> Path:
        """The space's file, made where it never was: between its row and its file the power may fail."""
        path = self._directory / "spaces" / f"{record.id}.db"
        if not path.exists():
            if record.anchor_number:
                raise Damaged(
                    f"{path}, the file of the space {record.name!r}, is gone; restore it from a backup"
                )
            make(path, SPACE, options=self._options, fill=lambda db: _name(db, record))
        return path

    def _remember(self, id: str) -> None:
        """A file was opened: those used longest ago are closed where there are too many."""
        with self._lock:
            self._open[id] = self._stores[id]
            spare = max(len(self._open) - self._most, 0)
            oldest = sorted(self._open.values(), key=lambda store: store.used)[:spare] if spare else []
            for store in oldest:
                del self._open[store.id]
        for store in oldest:
            store.close()


def _name(db: apsw.Connection, record: SpaceRecord) -> None:
    """The file says whose it is, so that an orphan can be told from another."""
    db.execute("INSERT INTO state (id, space, name) VALUES (1, ?, ?)", (record.id, record.name))
