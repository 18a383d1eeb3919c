"""MCP over standard input and output: one space, one actor, until the other side closes."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server.stdio import stdio_server

from holdfast.serve.mcp.server import Asks
from holdfast.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.engine import Holdfast
    from holdfast.space import Space

T = TypeVar("T")
THREADS = 4  # one assistant asks few things at once


def serve(house: Holdfast, space: str) -> None:
    """Serves the space, as the actor that the house was opened with."""
    with Worker(house) as worker, ThreadPoolExecutor(THREADS, thread_name_prefix="holdfast-verb") as pool:
        asyncio.run(_served(house, space, worker=worker, pool=pool))


async def _served(house: Holdfast, space: str, *, worker: Worker, pool: ThreadPoolExecutor) -> None:
    async def enter(_: Any, verb: str, action: Callable[[Space], T], *, writes: bool) -> T:
        def done() -> T:
            me = house.space(space)
            me.require(verb)
            return action(me)

        found = await asyncio.get_running_loop().run_in_executor(pool, done)
        if writes:
            worker.nudge()
        return found

    server = Asks(enter).server()
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
