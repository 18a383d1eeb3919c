"""MCP over HTTP, mounted in the server of REST: the same keys, limits, threads, log and map of errors.

Each request stands alone, so any process can answer it. Answers are JSON; nothing is streamed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.responses import Response

from holdfast.serve.http import problems
from holdfast.serve.http.caller import Caller
from holdfast.serve.http.gate import MIB
from holdfast.serve.mcp.server import Asks

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from starlette.types import Receive, Scope, Send

    from holdfast.settings import ServeSettings
    from holdfast.space import Space

T = TypeVar("T")
PATH = "/mcp"
KEY = "holdfast.key"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
FOREIGN = problems.Sort("Forbidden", 403, "a page of another origin may not ask")


class Mounted:
    """What answers at `/mcp`; everything behind it needs a key."""

    def __init__(self, settings: ServeSettings) -> None:
        self._local = settings.host in LOOPBACK
        self._manager = StreamableHTTPSessionManager(
            Asks(_enter).server(),
            json_response=True,
            stateless=True,
            max_request_body_size=round(settings.body_mib * MIB) + 1,  # the gate refuses before
        )

    def living(self) -> AbstractAsyncContextManager[None]:
        """While it is entered, requests are answered."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        _same_house(request, local=self._local)
        caller = Caller(request, b"")
        scope[KEY] = await caller.door.run(caller.known)
        if request.method != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)


async def _enter(ctx: Any, verb: str, action: Callable[[Space], T], *, writes: bool) -> T:
    caller = Caller(ctx.request, b"")
    caller.noted.verb = verb
    found = await caller.door.run(lambda: action(caller.entered(ctx.request.scope[KEY], verb)))
    if writes:
        caller.door.nudge()
    return found


def _same_house(request: Request, *, local: bool) -> None:
    """Turns away a browser's page from elsewhere, also one whose name was bent to point here."""
    host = request.headers.get("host", "")
    name = _name(f"//{host}")
    if local and name not in LOOPBACK:
        raise problems.Problem(FOREIGN, f"this server is called 127.0.0.1 or localhost, not {host!r:.80}")
    origin = request.headers.get("origin")
    if origin is not None and _name(origin) != name:
        raise problems.Problem(FOREIGN, "the Origin is not that of this server")


def _name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
