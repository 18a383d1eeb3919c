"""A space: the unit of isolation. Nothing crosses from one to another (A1, P7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceRecord:
    """What the catalog knows of a space. `profile_text` is the complete profile it was created with."""

    id: str
    name: str
    profile: str
    profile_text: str
    created_at: datetime
    user_factor: float = 1.0  # U, row E18
    anchor_number: int = 0  # the ledger's head as last anchored (B3)
    anchor_hash: str = ""
    embedder: str = ""  # whose vectors are compared, as `embedders.written` says it (B7)
    embedder_before: str = ""  # to go back to
    sealing: str = field(default="", repr=False)  # the key of what is sealed, wrapped (E14); empty: none yet
    origin: str = ""  # the id under which the ledger began, where the space is a copy of another (B8)

    @property
    def lineage(self) -> str:
        """The id that the first entry of the ledger names."""
        return self.origin or self.id
