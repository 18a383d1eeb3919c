"""One request, as a handler sees it: in whose name, in which space, and how its answer leaves.

`does` asks a verb of the space, `keeps` one of the house. Both recognise the key, ask the right, do the work
and write the answer as JSON in one turn on one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any
from urllib.parse import unquote

import orjson
from fastapi import Depends, Request
from starlette.responses import Response

from holdfast.engine import Holdfast
from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.key import Key
from holdfast.model.memory import Memory
from holdfast.model.plan import Outcome
from holdfast.serve import told
from holdfast.serve.http.door import Door
from holdfast.serve.http.gate import NOTED, Noted
from holdfast.serve.http.replies import Asked, Sent
from holdfast.space import Space

JSON = "application/json"
CREATED = 201
NEVER_KEPT = frozenset({"open", "keys.create"})
"""Their answers hold secrets, which are shown once and kept nowhere."""
_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS


@dataclass(frozen=True, slots=True)
class Page:
    """Some of a list. `next` is what `after` has to be for the rest; None: that was all."""

    items: list[Any]
    next: str | int | None


def page(found: list[Any], limit: int, of: Callable[[Any], str | int] = lambda item: item.id) -> Page:
    """A page of what was asked for with one more than the limit."""
    more = len(found) > limit
    return Page(found[:limit], of(found[limit - 1]) if more else None)


def encoded(value: Any) -> bytes:
    """The JSON of what the library returned."""
    return orjson.dumps(value, default=_told, option=_OPTIONS)


def _told(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return told.record(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"a {type(value).__name__} is nothing that JSON knows")


class Caller:
    """Whoever sent the request."""

    __slots__ = ("_body", "door", "noted", "request", "status")

    def __init__(self, request: Request, body: bytes) -> None:
        self.request = request
        self.door: Door = request.app.state.door
        self.noted: Noted = request.scope[NOTED]
        self._body = body
        self.status = 200

    @property
    def token(self) -> str:
        return shown(self.request)

    @property
    def client(self) -> str:
        return self.request.client.host if self.request.client else "-"

    @property
    def space(self) -> str:
        """The name in the header, UTF-8, percent-encoded or not; empty where there is none."""
        raw = self.request.headers.get("holdfast-space", "")
        try:
            return unquote(raw.encode("latin-1").decode(), errors="strict") if raw else ""
        except ValueError:
            raise InvalidInput("Holdfast-Space", "is not UTF-8", "percent-encode its UTF-8 bytes") from None

    @property
    def version(self) -> int | None:
        """That of If-Match: only if the memory is still that one."""
        told = self.request.headers.get("if-match", "").strip()
        if told in ("", "*"):
            return None
        number = told.removeprefix("W/").strip('"')
        if not (number.isascii() and number.isdigit() and len(number) < 18):
            raise InvalidInput("If-Match", f"is {told!r:.80}", 'give the ETag of the memory, as "3"')
        return int(number)

    async def does(self, verb: str, action: Callable[[Space], Any]) -> Response:
        """A verb of the space."""
        self.noted.verb = verb
        return await self._answered(partial(self._in_space, verb, action))

    async def keeps(
        self, verb: str, action: Callable[[Holdfast, Key], Any], *, status: int = 200
    ) -> Response:
        """A verb of the house."""
        self.noted.verb, self.status = verb, status
        return await self._answered(lambda key: action(self.door.keeper(key, verb), key))

    def known(self) -> Key:
        """The key that is shown. On a thread."""
        key = self.door.holder(self.token, self.client)
        self.noted.key, self.noted.role = key.id, key.role
        return key

    def entered(self, key: Key, verb: str) -> Space:
        """The space, where the key's holder may use the verb. On a thread."""
        me = self.door.entered(key, self.space)
        self.noted.space = me.id
        me.require(verb)
        return me

    def _in_space(self, verb: str, action: Callable[[Space], Any], key: Key) -> Any:
        return action(self.entered(key, verb))

    async def _answered(self, work: Callable[[Key], Any]) -> Response:
        sent = await self.door.run(lambda: self._done(work))
        if self.request.method != "GET":
            self.door.nudge()
        return Response(sent.body, sent.status, headers=dict(sent.headers), media_type=JSON)

    def _done(self, work: Callable[[Key], Any]) -> Sent:
        key = self.known()
        name = self.request.headers.get("idempotency-key", "")
        if not name or self.request.method == "GET" or self.noted.verb in NEVER_KEPT:
            return self._sent(work(key))
        check.text("Idempotency-Key", name)
        url = self.request.url
        what = f"{self.request.method}\n{url.path}\n{url.query}\n".encode() + self._body
        return self.door.once.do(
            Asked(self.token, f"{name}\n{self.space}", what), lambda: self._sent(work(key))
        )

    def _sent(self, value: Any) -> Sent:
        if isinstance(value, Sent):
            return value
        memory = value.memory if isinstance(value, Outcome) else value
        headers = {"ETag": f'"{memory.version}"'} if isinstance(memory, Memory) else {}
        if headers and self.request.headers.get("if-none-match") == headers["ETag"]:
            return Sent(304, b"", headers)
        return Sent(self.status, encoded(value), headers)


def shown(request: Request) -> str:
    """The key in the Authorization header; empty where there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def _caller(request: Request) -> Caller:
    named = "idempotency-key" in request.headers
    return Caller(request, await request.body() if named else b"")


Calling = Annotated[Caller, Depends(_caller)]
