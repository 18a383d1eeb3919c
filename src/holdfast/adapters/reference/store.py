"""The specification of a store: dicts, one lock, nothing clever. Every other engine must agree with it.

It lives as long as its object. What an engine may do faster is written here in the plainest way.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.adapters.reference.space import ReferenceSpace
from holdfast.adapters.reference.whole import loaded, verified
from holdfast.errors import InvalidInput, NotFound
from holdfast.model.ledger import Anchor
from holdfast.ports.dump import proved, taken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece
    from holdfast.ports.store import Drift


class ReferenceStore:
    """Implements `ports.store.Store` in memory."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._records: dict[str, SpaceRecord] = {}  # by name
        self._stores: dict[str, ReferenceSpace] = {}  # by id

    def create(self, record: SpaceRecord) -> SpaceRecord:
        with self._lock:
            if record.name not in self._records:
                if any(known.id == record.id for known in self._records.values()):
                    raise InvalidInput("id", f"{record.id!r} is that of another space", "make a new id")
                self._records[record.name] = replace(record, anchor_number=0, anchor_hash="")
            return self._records[record.name]

    def find(self, name: str) -> SpaceRecord | None:
        with self._lock:
            return self._records.get(name)

    def spaces(self) -> list[SpaceRecord]:
        with self._lock:
            return [self._records[name] for name in sorted(self._records)]

    def open(self, record: SpaceRecord) -> ReferenceSpace:
        with self._lock:
            known = self._by_id(record.id)
            if known.id not in self._stores:
                self._stores[known.id] = ReferenceSpace(self, known.id)
            return self._stores[known.id]

    def update(self, record: SpaceRecord) -> None:
        with self._lock:
            known = self._by_id(record.id)
            self._records[known.name] = replace(
                known,
                profile=record.profile,
                profile_text=record.profile_text,
                user_factor=record.user_factor,
                embedder=record.embedder,
                embedder_before=record.embedder_before,
            )

    def rekey(self, id: str, key: str, *, over: str) -> bool:
        with self._lock:
            known = self._by_id(id)
            if known.sealing != over:
                return False
            self._records[known.name] = replace(known, sealing=key)
            return True

    def load(self, record: SpaceRecord, pieces: Iterable[Piece]) -> SpaceRecord:
        with self._lock:
            for known in self._records.values():
                if known.name == record.name or known.id == record.id:
                    raise taken(record, known)
            rows = loaded(pieces)
            head = Anchor(record.anchor_number, record.anchor_hash)
            placed = proved(record, verified(rows, record.lineage, head))
            self._records[record.name] = placed
            self._stores[record.id] = ReferenceSpace(self, record.id, rows)
            return placed

    def doctor(self) -> list[Drift]:
        return []

    def close(self) -> None:
        """Nothing to let go of: what was written stays readable."""

    def record(self, id: str) -> SpaceRecord:
        """The catalog's row of a space."""
        with self._lock:
            return self._by_id(id)

    def anchor(self, id: str, head: Anchor) -> None:
        """Notes the head of a space's ledger."""
        with self._lock:
            known = self._by_id(id)
            self._records[known.name] = replace(known, anchor_number=head.number, anchor_hash=head.hash)

    def _by_id(self, id: str) -> SpaceRecord:
        for record in self._records.values():
            if record.id == id:
                return record
        raise NotFound(f"the catalog has no space with the id {id!r}; create it first")
