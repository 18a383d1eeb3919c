"""Time and ids come from outside, so that every rule can be tested and every future shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


class Clock(Protocol):
    """Says what time it is and makes ids."""

    def now(self) -> datetime:
        """An aware datetime in UTC."""
        ...

    def new_id(self) -> str:
        """A UUIDv7: ids made later sort after ids made earlier by the same process."""
        ...
