"""The keys of a house: made, listed, revoked, and recognised when one is shown.

A key reads `hf_<id>_<secret>`. The secret has 256 random bits and is shown once; what is kept is its keyed
digest under a salt of its own. Nobody guesses 256 bits, so the digest need not be slow.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.access import ADMIN, KEY_ROLES
from holdfast.model.key import EVERY_SPACE, Key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.ports.clock import Clock
    from holdfast.ports.keys import Keys

MARK = "hf"
ID_BYTES, SECRET_BYTES, SALT_BYTES = 6, 32, 16
MOST_SPACES = 100
MOST_DAYS = 3650
LONGEST = 200
"""A key has 59 characters; what is longer is none."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key with its secret, which nobody can show a second time."""

    key: Key
    token: str = field(repr=False)


class Keyring:
    """The keys of one house."""

    def __init__(self, keys: Keys, clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def create(
        self, name: str, *, role: str, spaces: Iterable[str] = (), days: float | None = None
    ) -> NewKey:
        """A new key. `spaces` are those it opens (`*`: every one); `days`: how long it holds, else for good.

        Only an admin's opens every space where nothing is said.
        """
        role = check.choice("role", role, KEY_ROLES)
        named = check.names("spaces", spaces) or ((EVERY_SPACE,) if role == ADMIN else ())
        if not named:
            raise InvalidInput("spaces", "are missing", "name the spaces it opens, or * for all")
        if len(named) > MOST_SPACES:
            raise InvalidInput("spaces", f"are {len(named)}", f"give at most {MOST_SPACES}, or * for all")
        now = self._clock.now()
        ends = None if days is None else now + _length(days)
        secret, salt = secrets.token_urlsafe(SECRET_BYTES), secrets.token_hex(SALT_BYTES)
        key = Key(
            id=secrets.token_hex(ID_BYTES),
            name=check.text("name", name),
            role=role,
            spaces=named,
            created_at=now,
            expires_at=ends,
            salt=salt,
            digest=_digest(secret, salt),
        )
        self._keys.add(key)
        return NewKey(key, f"{MARK}_{key.id}_{secret}")

    def list(self) -> list[Key]:
        """All of them, oldest first, those that ended too."""
        return self._keys.all()

    def revoke(self, id: str) -> Key:
        """Ends a key for good, at once and in every process."""
        return self._keys.revoke(check.text("id", id), self._clock.now())

    def holder(self, token: str) -> Key | None:
        """The key that is shown, where it is one and still holds."""
        mark, _, rest = token[:LONGEST].partition("_")
        id, _, secret = rest.partition("_")
        if mark != MARK or not id.isalnum() or not id.isascii() or not secret.isascii():
            return None
        key = self._keys.find(id)
        shown = _digest(secret, key.salt if key else "00" * SALT_BYTES)
        right = hmac.compare_digest(shown, key.digest if key else "")
        return key if key is not None and right and key.holds(self._clock.now()) else None

    def is_empty(self) -> bool:
        return not self._keys.all()


def _digest(secret: str, salt: str) -> str:
    return blake2b(secret.encode("ascii"), key=bytes.fromhex(salt), digest_size=32).hexdigest()


def _length(days: float) -> timedelta:
    return timedelta(days=check.number("days", days, low=0.0, high=MOST_DAYS))
