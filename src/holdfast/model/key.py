"""A key: what somebody shows at a door of the house: a role and the spaces it opens, never its secret."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.model.access import acts_as
from holdfast.model.actor import Actor

if TYPE_CHECKING:
    from datetime import datetime

EVERY_SPACE = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """`digest` is that of the secret under `salt`; who has the file cannot make the key from it."""

    id: str
    name: str
    role: str
    spaces: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    salt: str = field(default="", repr=False)
    digest: str = field(default="", repr=False)

    @property
    def actor(self) -> Actor:
        """Who acts in a space when this key is shown."""
        return Actor(acts_as(self.role), self.name)

    @property
    def only_space(self) -> str:
        """The space of a key bound to one; empty where it opens several."""
        return self.spaces[0] if len(self.spaces) == 1 and EVERY_SPACE not in self.spaces else ""

    def opens(self, space: str) -> bool:
        return EVERY_SPACE in self.spaces or space in self.spaces

    def holds(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)
