"""What a server answered lately, so that a request sent twice is done once. Several processes may share one.

Keeps no words that it could read: bodies come sealed under a secret of whoever asked, and go after a day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Reply:
    """What is known of a request: what was asked, since when, and the answer. Status 0: none yet."""

    request: str
    at: datetime
    status: int = 0
    body: bytes = b""


class Replies(Protocol):
    """Keeps answers by who asked under which name (`asked`, a digest)."""

    def begin(self, asked: str, request: str, *, at: datetime, since: datetime) -> Reply | None:
        """Notes that the request is under way; returns what is known of it instead, where that is newer than
        `since`, or is an answer. Of several callers at once only one is let through.
        """
        ...

    def finish(self, asked: str, status: int, body: bytes) -> None: ...

    def abandon(self, asked: str) -> None:
        """It was not done: the next one may try."""
        ...

    def forget(self, before: datetime) -> int:
        """Drops what was asked before; returns how many."""
        ...
