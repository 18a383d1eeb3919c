"""An endpoint somewhere else that takes one JSON document and answers with one, as models are served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the document where the status is below 400, else the text, cut short."""

    status: int
    body: Any

    @property
    def ok(self) -> bool:
        return self.status < 400


class Endpoint(Protocol):
    """The contract. Safe to call from several threads at once."""

    def post(self, path: str, body: dict[str, Any], *, seconds: float) -> Reply:
        """The reply, after as many tries as fit into `seconds`; Unavailable where none came, or an endless or
        unreadable one. A refusal of the request itself (400, 404, …) is a reply.
        """
        ...
