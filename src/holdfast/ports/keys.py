"""Where the keys of a house are kept. Small, and asked at every call over a network.

Several server processes may share one; what one of them writes the others see at their next call. Errors:
NotFound, Unavailable, StoreError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.model.key import Key


class Keys(Protocol):
    """Keeps keys: digests, never secrets."""

    def add(self, key: Key) -> None:
        """Durable when it returns. InvalidInput where the id is there already."""
        ...

    def find(self, id: str) -> Key | None: ...

    def all(self) -> list[Key]:
        """Oldest first, those that ended too."""
        ...

    def revoke(self, id: str, at: datetime) -> Key:
        """Ends it for good, durably; one that was revoked before keeps its time. NotFound where there is
        none.
        """
        ...

    def close(self) -> None: ...
