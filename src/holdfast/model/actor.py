"""Who acts, and what each role may do. The matrix is data; the engine checks it once per verb.

A profile can narrow a role's rights (`[rights]`), never widen them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from holdfast.errors import InvalidInput
from holdfast.model import check


class Role(StrEnum):
    """As what one acts."""

    OWNER = "owner"
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and as what. `str(actor)` is `role:name`."""

    role: Role
    name: str = "local"

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", Role(check.choice("actor.role", self.role, Role)))
        check.text("actor.name", self.name)

    def __str__(self) -> str:
        return f"{self.role}:{self.name}"

    @property
    def is_person(self) -> bool:
        """Only a person makes a memory verified."""
        return self.role in (Role.OWNER, Role.USER)


def acting(value: object) -> Actor:
    """An Actor, as handed in; nothing else has rights."""
    if not isinstance(value, Actor):
        way_out = 'give an Actor, as Actor("agent", "cook")'
        raise InvalidInput("actor", f"is a {type(value).__name__}", way_out)
    return value


LOCAL_OWNER = Actor(Role.OWNER, "local")
STEWARD = Actor(Role.SYSTEM, "steward")

_READ = frozenset({"recall", "context", "get", "list", "history", "why", "stats", "constitution.read"})
_WRITE = frozenset({"remember", "revise", "negate", "affirm", "forget", "attach", "capture", "session"})
_KEEP = frozenset({"restore", "archive", "undo", "review"})
_SEAL = frozenset({"seal", "open"})
_PERSON = frozenset({"approve", "reject", "promote", "pending"})
_OWN = frozenset(
    {"constitution.write", "quarantine.read", "quarantine.delete", "debug", "verify", "manage", "export"}
)

RIGHTS: dict[Role, frozenset[str]] = {
    Role.OWNER: _READ | _WRITE | _KEEP | _SEAL | _PERSON | _OWN,
    Role.USER: _READ | _WRITE | _KEEP | _SEAL,
    Role.AGENT: _READ | _WRITE | {"pending"},
    Role.SYSTEM: _READ | _WRITE | _KEEP | {"pending", "promote", "quarantine.read", "verify", "manage"},
    Role.AUDITOR: _READ | {"pending", "quarantine.read", "debug", "verify"},
}


def may(role: Role, right: str, denied: frozenset[str] = frozenset()) -> bool:
    """Whether the role has the right; `denied` is what the profile takes away from it."""
    return right in RIGHTS[role] and right not in denied
