"""AES-256-GCM, for what is sealed and for the keys that seal it. The library that does it loads on first use.

A space's key wraps under the master key, which is named by the first bytes of its digest. What is sealed is
bound to what it is about, so that one sealed text cannot stand in another's place.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
import threading
from hashlib import blake2b
from typing import TYPE_CHECKING

from holdfast.adapters.cipher.master import KEY_BYTES
from holdfast.errors import Damaged, Unavailable

if TYPE_CHECKING:
    from holdfast.adapters.cipher.master import Master

VERSION = "1"
NONCE_BYTES = 12  # what the mode asks for
WRAPPING = b"holdfast: the key of a space"


class AesGcmCipher:
    """`holdfast.ports.cipher.Cipher` with the keys of a `Master`."""

    def __init__(self, master: Master) -> None:
        self._master = master
        self._lock = threading.Lock()

    def new_key(self) -> str:
        return self.wrapped(secrets.token_bytes(KEY_BYTES))

    def seal(self, key: str, plain: str, *, about: str) -> str:
        return _written(self.bare(key), plain.encode("utf-8"), about.encode("utf-8"))

    def open(self, key: str, sealed: str, *, about: str) -> str:
        plain = _plain(self.bare(key), sealed, about.encode("utf-8"))
        return plain.decode("utf-8")

    def mark(self, key: str, plain: str) -> int:
        told = blake2b(plain.encode("utf-8"), key=self.bare(key), person=b"holdfast-mark", digest_size=8)
        return int.from_bytes(told.digest(), "little") or 1

    def wrapped(self, raw: bytes) -> str:
        with self._lock:
            keys = self._master.keys()
            if not keys:
                self._master.renew()
                keys = self._master.keys()
        return f"{_name(keys[0])}.{_written(keys[0], raw, WRAPPING)}"

    def bare(self, key: str) -> bytes:
        name, _, rest = key.partition(".")
        known = self._master.keys()
        for master in known:
            if hmac.compare_digest(_name(master), name):
                return _plain(master, rest, WRAPPING)
        raise Unavailable(
            f"what is sealed here needs the master key {name}, which is not at hand; bring it back "
            "(the file, or HOLDFAST_MASTER_KEY)"
        )

    def has_master(self) -> bool:
        return bool(self._master.keys())

    def is_newest(self, key: str) -> bool:
        keys = self._master.keys()
        return bool(keys) and hmac.compare_digest(_name(keys[0]), key.partition(".")[0])

    def renew(self) -> None:
        with self._lock:
            self._master.renew()

    def retire(self) -> None:
        with self._lock:
            self._master.retire()


def _name(key: bytes) -> str:
    """Says which key it is and nothing about it."""
    return blake2b(key, person=b"holdfast-name", digest_size=4).hexdigest()


def _written(key: bytes, plain: bytes, about: bytes) -> str:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = nonce + AESGCM(key).encrypt(nonce, plain, about)
    return f"{VERSION}.{base64.urlsafe_b64encode(sealed).decode()}"


def _plain(key: bytes, text: str, about: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    version, _, rest = text.partition(".")
    try:
        sealed = base64.b64decode(rest, altchars=b"-_", validate=True)
        if version != VERSION or len(sealed) <= NONCE_BYTES:
            raise Damaged("what is sealed is of a form that nobody here knows")
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about)
    except (InvalidTag, binascii.Error, ValueError):
        raise Damaged("what is sealed does not open: it was changed, or belongs to another memory") from None
