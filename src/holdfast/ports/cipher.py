"""The cipher: what is sealed is unreadable without its space's key, and that without the master key (E14).

A key is told as text in which it is wrapped: whoever reads it without the master key has nothing. Safe to
call from several threads. Raises Unavailable where the master key cannot be had, Damaged where something
sealed was changed or belongs elsewhere.
"""

from __future__ import annotations

from typing import Protocol


class Cipher(Protocol):
    """The contract."""

    def new_key(self) -> str:
        """A fresh key for a space, wrapped under the newest master key; the first one is made where there
        is none.
        """
        ...

    def seal(self, key: str, plain: str, *, about: str) -> str:
        """The text, readable only under this key and only as what it is about. Never twice the same."""
        ...

    def open(self, key: str, sealed: str, *, about: str) -> str:
        """The other way round."""
        ...

    def mark(self, key: str, plain: str) -> int:
        """64 bits, never 0, equal for equal texts under one key; without the key they say nothing."""
        ...

    def wrapped(self, raw: bytes) -> str:
        """A bare key, wrapped under the newest master key: for one that comes from another house."""
        ...

    def bare(self, key: str) -> bytes:
        """The key itself, to be wrapped by another cipher; it is never written as it is."""
        ...

    def has_master(self) -> bool:
        """Whether there is a master key by now."""
        ...

    def is_newest(self, key: str) -> bool:
        """Whether it is wrapped under the newest master key."""
        ...

    def renew(self) -> None:
        """Makes a new master key, which wraps from now on; the ones before still unwrap."""
        ...

    def retire(self) -> None:
        """Destroys every master key but the newest; nothing may be wrapped under them any more."""
        ...
