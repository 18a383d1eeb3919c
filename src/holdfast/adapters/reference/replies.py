"""The specification of a place for answers: one dict."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.ports.replies import Reply

if TYPE_CHECKING:
    from datetime import datetime


class ReferenceReplies:
    """Implements `ports.replies.Replies` in memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Reply] = {}

    def begin(self, asked: str, request: str, *, at: datetime, since: datetime) -> Reply | None:
        with self._lock:
            known = self._known.get(asked)
            if known is not None and (known.status or known.at > since):
                return known
            self._known[asked] = Reply(request, at)
            return None

    def finish(self, asked: str, status: int, body: bytes) -> None:
        with self._lock:
            if asked in self._known:
                self._known[asked] = replace(self._known[asked], status=status, body=body)

    def abandon(self, asked: str) -> None:
        with self._lock:
            self._known.pop(asked, None)

    def forget(self, before: datetime) -> int:
        with self._lock:
            old = [asked for asked, known in self._known.items() if known.at < before]
            for asked in old:
                del self._known[asked]
            return len(old)
