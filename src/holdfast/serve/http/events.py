"""Server-sent events: what happens in a space, as it happens, whoever in whichever process did it (M2).

For each space that somebody watches one task asks the ledger for its end, at once after a write of this
process and else four times a second. A stream waits without a thread; what was missed is asked for by number.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError, InvalidInput
from holdfast.serve.http import problems
from holdfast.serve.http.caller import encoded
from holdfast.serve.http.log import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from holdfast.model.plan import Entry
    from holdfast.serve.http.caller import Caller
    from holdfast.serve.http.counts import Counts
    from holdfast.serve.http.door import Door
    from holdfast.space import Space

LOOK = 0.25
"""Seconds until the write of another process is seen; a look is one indexed read."""
HERE = 15.0
"""Seconds between signs of life; at each the key is looked at again."""
PAGE = 500


class Watch:
    """One space that somebody watches."""

    def __init__(self, space: Space, number: int) -> None:
        self.space = space
        self.number = number
        self.readers = 0
        self.moved = asyncio.Event()
        self.hurry = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Everybody looks; whoever looks from now on waits for the next time."""
        self.moved.set()
        self.moved = asyncio.Event()


class Streams:
    """All event streams of one process."""

    def __init__(self, door: Door, counts: Counts) -> None:
        self._door = door
        self._counts = counts
        self._watches: dict[str, Watch] = {}
        self._open = 0

    def hurry(self) -> None:
        """Something was written here."""
        for watch in self._watches.values():
            watch.hurry.set()

    def end(self) -> None:
        """The server stops: every stream ends."""
        self._door.ending.set()
        for watch in self._watches.values():
            watch.wake()

    async def follow(self, caller: Caller, after: int | None) -> AsyncIterator[bytes]:
        """The stream of a caller, from that number on; None: from now on."""
        if self._open >= self._door.settings.streams:
            raise problems.Problem(problems.BUSY, "as many streams are open as this server keeps", again=5)
        space, number = await self._door.run(partial(self._begun, caller, after))
        return self._stream(caller, space, number=number)

    def _begun(self, caller: Caller, after: int | None) -> tuple[Space, int]:
        """The space as the server itself sees it, and where the caller goes on."""
        me = caller.entered(caller.known(), "events")
        number = me.events()[0] if after is None else after
        return self._door.house.space(me.name), number

    async def _stream(self, caller: Caller, space: Space, *, number: int) -> AsyncIterator[bytes]:
        watch = self._join(space, number)
        try:
            yield b"retry: 1000\n\n"
            while not self._door.ending.is_set():
                moved = watch.moved
                try:
                    number, entries = await self._door.run(partial(_read, caller, number))
                except (HoldfastError, problems.Problem) as error:  # the key ended, or the space is gone
                    yield b"event: end\ndata: " + encoded(type(error).__name__) + b"\n\n"
                    return
                for entry in entries:
                    yield event(entry)
                if not entries and not await _within(moved, HERE):
                    yield b": here\n\n"
        finally:
            self._leave(space, watch)

    def _join(self, space: Space, number: int) -> Watch:
        watch = self._watches.get(space.id)
        if watch is None:
            watch = self._watches[space.id] = Watch(space, number)
            watch.task = asyncio.create_task(self._look(watch))
        watch.readers += 1
        self._count(+1)
        return watch

    def _leave(self, space: Space, watch: Watch) -> None:
        self._count(-1)
        watch.readers -= 1
        if not watch.readers and watch.task is not None:
            watch.task.cancel()
            self._watches.pop(space.id, None)

    def _count(self, change: int) -> None:
        self._open += change
        self._counts.stands("event_streams", self._open)

    async def _look(self, watch: Watch) -> None:
        while not self._door.ending.is_set():
            try:
                number, entries = await self._door.run(
                    lambda: watch.space.events(after=watch.number, limit=PAGE)
                )
            except HoldfastError as error:
                say("a watched space cannot be read", error=type(error).__name__, space=watch.space.id)
                number, entries = watch.number, []
            watch.number = number
            if entries:
                watch.wake()
            await _within(watch.hurry, LOOK)
            watch.hurry.clear()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Whether it happened in that time."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _read(caller: Caller, number: int) -> tuple[int, list[Entry]]:
    me = caller.entered(caller.known(), "events")
    return me.events(after=number, limit=PAGE)


def event(entry: Entry) -> bytes:
    """One change of the ledger; it holds no words."""
    told = {
        "number": entry.number,
        "change": entry.change,
        "verb": entry.verb,
        "actor": entry.actor,
        "at": entry.at,
        "memories": [touched.id for touched in entry.touched],
        "undoes": entry.undoes,
    }
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (entry.number, entry.verb.encode(), encoded(told))


def place(after: int | None, last: str) -> int | None:
    """Where a stream begins: after the last event its reader saw, as a browser says when it comes back."""
    if not last:
        return after
    if not (last.isascii() and last.isdigit() and len(last) < 18):
        raise InvalidInput("Last-Event-ID", f"is {last!r:.80}", "give the id of an event")
    return int(last)
