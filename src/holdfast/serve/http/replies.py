"""A request with an `Idempotency-Key` is done once: sent again it gets the first answer, after a restart too.

What is kept of an answer is sealed under a key made of the caller's own secret, which the server does not
have, and goes after a day. Refusals are not kept: nothing was written, and the next try may go well.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from secrets import token_bytes
from typing import TYPE_CHECKING

import orjson
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from holdfast.serve.http import problems

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.ports.clock import Clock
    from holdfast.ports.replies import Replies

KEPT = timedelta(hours=24)
UNDER_WAY = timedelta(seconds=120)
"""Longer than a write takes; who asks again later takes over from a process that died."""
NONCE_BYTES = 12
REPLAYED = "Idempotency-Replayed"


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer as it leaves."""

    status: int
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it can be told from others: who asked for what, under which idempotency key."""

    secret: str
    name: str
    what: bytes

    @property
    def place(self) -> str:
        return _digest(b"place", self.secret, self.name).hex()

    @property
    def request(self) -> str:
        return blake2b(self.what, digest_size=32).hexdigest()

    @property
    def seal(self) -> AESGCM:
        return AESGCM(_digest(b"seal", self.secret, self.name))


class Once:
    """Does a request, or says what came of it the first time."""

    def __init__(self, replies: Replies, clock: Clock) -> None:
        self._replies = replies
        self._clock = clock

    def do(self, asked: Asked, work: Callable[[], Sent]) -> Sent:
        """Raises where the idempotency key is that of another request, or of one that is under way."""
        now = self._clock.now()
        self._replies.forget(now - KEPT)
        known = self._replies.begin(asked.place, asked.request, at=now, since=now - UNDER_WAY)
        if known is None:
            return self._first(asked, work)
        if known.request != asked.request:
            raise problems.Problem(
                problems.KEY_USED,
                "another request was sent with this Idempotency-Key; use a new key for a new request",
                field="Idempotency-Key",
            )
        if not known.status:
            raise problems.Problem(problems.UNDER_WAY, "the first one is under way; wait for it", again=1)
        return _opened(asked, known.body)

    def _first(self, asked: Asked, work: Callable[[], Sent]) -> Sent:
        try:
            sent = work()
        except BaseException:
            self._replies.abandon(asked.place)
            raise
        nonce = token_bytes(NONCE_BYTES)
        whole = orjson.dumps([sent.status, dict(sent.headers)]) + b"\n" + sent.body
        self._replies.finish(asked.place, sent.status, nonce + asked.seal.encrypt(nonce, whole, None))
        return sent


def _opened(asked: Asked, body: bytes) -> Sent:
    whole = asked.seal.decrypt(body[:NONCE_BYTES], body[NONCE_BYTES:], None)
    head, _, told = whole.partition(b"\n")
    status, headers = orjson.loads(head)
    return Sent(status, told, {**headers, REPLAYED: "true"})


def _digest(purpose: bytes, secret: str, name: str) -> bytes:
    made = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=32, person=purpose, key=_key(secret))
    return made.digest()


def _key(secret: str) -> bytes:
    return blake2b(secret.encode("utf-8", "surrogatepass"), digest_size=32).digest()
