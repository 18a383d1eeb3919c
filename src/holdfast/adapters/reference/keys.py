"""The specification of a place for keys: one dict."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.key import Key


class ReferenceKeys:
    """Implements `ports.keys.Keys` in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._keys: dict[str, Key] = {}

    def add(self, key: Key) -> None:
        with self._lock:
            if self._keys.setdefault(key.id, key) is not key:
                raise InvalidInput("id", f"{key.id!r} is that of another key", "make a new id")

    def find(self, id: str) -> Key | None:
        with self._lock:
            return self._keys.get(id)

    def all(self) -> list[Key]:
        with self._lock:
            return sorted(self._keys.values(), key=lambda key: (key.created_at, key.id))

    def revoke(self, id: str, at: datetime) -> Key:
        with self._lock:
            if id not in self._keys:
                raise NotFound(f"there is no key {id!r}; list them")
            known = self._keys[id]
            self._keys[id] = replace(known, revoked_at=known.revoked_at or at)
            return self._keys[id]

    def close(self) -> None:
        """Nothing is open."""
