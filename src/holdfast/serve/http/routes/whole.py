"""A whole space out and in, as a stream of lines; on threads of their own, a page at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from fastapi import APIRouter
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from holdfast.errors import InvalidInput, UnknownSpace
from holdfast.model.space import SpaceRecord
from holdfast.serve.http import shapes
from holdfast.serve.http.caller import CREATED, JSON, Caller, Calling, encoded

routes = APIRouter(tags=["whole"])

LINES = "application/jsonl"
PAGE = 200  # lines handed over at a time
LONGEST = 64 * 1024 * 1024
"""A line holds one memory with all its versions."""


@routes.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {LINES: {"schema": {"type": "string"}}}}},
)
async def export(caller: Calling) -> Response:
    """The whole space as lines of JSON, in one snapshot; its last line says that it is whole."""
    caller.noted.verb = "export"
    lines = await caller.door.run(lambda: _begun(caller))
    return StreamingResponse(_handed(caller, lines), media_type=LINES)


def _begun(caller: Caller) -> Iterator[str]:
    return caller.door.house.export(caller.entered(caller.known(), "export").name)


async def _handed(caller: Caller, lines: Iterator[str]) -> AsyncIterator[bytes]:
    """Pages of lines; whoever stops reading stops the dump."""
    while page := await caller.door.transfer(lambda: "".join(f"{line}\n" for line in islice(lines, PAGE))):
        yield page.encode()


@routes.post(
    "/import",
    response_model=shapes.SpaceRecord,
    status_code=CREATED,
    openapi_extra={"requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}}},
)
async def import_space(caller: Calling, name: str = "") -> Response:
    """Makes a space of the lines of an export, whole or not at all."""
    caller.noted.verb = "import_space"
    key = await caller.door.run(caller.known)
    house = caller.door.keeper(key, "import_space")
    if not key.opens(name or "*"):
        if name:
            raise UnknownSpace(name)
        raise InvalidInput("name", "is missing", "say under which name that the key opens")
    loop = asyncio.get_running_loop()
    coming = caller.request.stream()

    async def more() -> bytes:
        try:
            return await anext(coming, b"")
        except ClientDisconnect:
            raise InvalidInput("body", "ended before its end", "send all lines") from None

    def chunk() -> bytes:
        return asyncio.run_coroutine_threadsafe(more(), loop).result()

    made = await caller.door.transfer(partial(_imported, house.import_space, chunk, name=name))
    return Response(encoded(made), CREATED, media_type=JSON)


def _imported(take: Callable[..., SpaceRecord], chunk: Callable[[], bytes], *, name: str) -> SpaceRecord:
    return take(_lines(chunk), name=name)


def _lines(chunk: Callable[[], bytes]) -> Iterator[str]:
    """The lines of a body that comes in chunks."""
    left = b""
    while part := chunk():
        *whole, left = (left + part).split(b"\n")
        if len(left) > LONGEST:
            raise InvalidInput("body", "has a line that does not end", "send lines of JSON")
        yield from map(_text, whole)
    if left:
        yield _text(left)


def _text(line: bytes) -> Any:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InvalidInput("body", "is not UTF-8", "send the lines of an export as they are") from None
