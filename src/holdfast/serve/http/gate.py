"""What every request passes first and last: size and number of requests, the clock, one line of the log.

Plain ASGI, since it runs for every event of a stream too. What a handler learns (`verb`, `key`, `space`) it
leaves in the `Noted` of the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING

from holdfast.serve.http import problems
from holdfast.serve.http.counts import NONE
from holdfast.serve.http.log import say

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.serve.http.counts import Counts
    from holdfast.settings import ServeSettings

NOTED = "holdfast.noted"
MIB = 1024 * 1024
# Nothing here is for a browser to guess at, to frame or to keep.
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
]
QUIET = ("/health", "/ready")
IMPORT = "/api/v1/import"


@dataclass(slots=True)
class Noted:
    """What is known of a request when it has been answered."""

    id: str
    verb: str = NONE
    key: str = ""
    role: str = ""
    space: str = ""
    status: int = 0
    streaming: bool = False


class Gate:
    """Stands around the whole application."""

    def __init__(self, app: ASGIApp, settings: ServeSettings, counts: Counts) -> None:
        self._app = app
        self._settings = settings
        self._counts = counts
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        noted = Noted(token_hex(8))
        scope[NOTED] = noted
        start = perf_counter()
        self._count(+1)
        try:
            await self._let_in(scope, receive, _answering(noted, send))
        finally:
            self._count(-1)
            self._told(scope, noted, perf_counter() - start)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._settings.import_mib if scope["path"] == IMPORT else self._settings.body_mib
        told, problem = _length(scope), None
        if self._under_way > self._settings.waiting and scope["path"] not in QUIET:
            problem = problems.Problem(problems.BUSY, "come again soon", again=1)
        elif told is not None and told > most * MIB:
            problem = _large(most)
        if problem is not None:
            await problems.of_http(problem).response()(scope, receive, send)
        else:
            await self._app(scope, _measured(receive, most), send)

    def _count(self, change: int) -> None:
        self._under_way += change
        self._counts.stands("requests_under_way", self._under_way)

    def _told(self, scope: Scope, noted: Noted, seconds: float) -> None:
        status = noted.status or 499  # whoever asked has left
        if not noted.streaming:
            self._counts.took(noted.verb, status, seconds)
        if scope["path"] in QUIET and status < 400:
            return
        route = scope.get("route")
        say(
            "request",
            id=noted.id,
            method=scope["method"],
            path=getattr(route, "path", "-"),
            verb=noted.verb,
            status=status,
            ms=round(seconds * 1000, 2),
            key=noted.key,
            role=noted.role,
            space=noted.space,
        )


def _length(scope: Scope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return None


def _large(most: float) -> problems.Problem:
    return problems.Problem(problems.TOO_LARGE, f"at most {most:g} MiB; send less at once")


def _measured(receive: Receive, most: float) -> Receive:
    """The same body, refused where it grows too long."""
    left = most * MIB

    async def measured() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise _large(most)
        return message

    return measured


def _answering(noted: Noted, send: Send) -> Send:
    async def answering(message: Message) -> None:
        if message["type"] == "http.response.start":
            noted.status = message["status"]
            headers = [*message["headers"], *HEADERS, (b"x-request-id", noted.id.encode())]
            if all(name != b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await send(message)

    return answering
