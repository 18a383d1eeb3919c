"""Who stands at the door, and what opens for them: a key, its role, its spaces. Closed where nothing is said.

Everything here runs on threads of the door's own: the core waits for disks and computes, the event loop must
not. Spaces and verbs keep their own rules; this only says in whose name they are asked.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import Forbidden, InvalidInput, UnknownSpace
from holdfast.model.access import WIDE, allowed
from holdfast.model.key import EVERY_SPACE
from holdfast.serve.http import problems
from holdfast.serve.http.limits import Buckets
from holdfast.serve.http.log import say
from holdfast.serve.http.replies import Once

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.engine import Holdfast
    from holdfast.model.key import Key
    from holdfast.settings import ServeSettings
    from holdfast.space import Space

T = TypeVar("T")
TRANSFERS = 2
"""Spaces that come in or go out whole at a time; they take long, and must not keep verbs waiting."""
WAY_OUT = "show a key as `Authorization: Bearer hf_…`; `holdfast keys create` makes one"


class Door:
    """The door of one house in one process."""

    def __init__(self, house: Holdfast, settings: ServeSettings, *, nudge: Callable[[], None]) -> None:
        self.house = house
        self.settings = settings
        self.nudge = nudge
        self.once = Once(house.replies, house.clock)
        self.ending = asyncio.Event()
        """Set when the server is told to stop: streams end."""
        self._rate = Buckets(settings.rate)
        self._guesses = Buckets(settings.guesses)
        self._verbs = ThreadPoolExecutor(settings.threads, thread_name_prefix="holdfast-verb")
        self._transfers = ThreadPoolExecutor(TRANSFERS, thread_name_prefix="holdfast-transfer")

    async def run(self, work: Callable[[], T]) -> T:
        """Does it on a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._verbs, work)

    async def transfer(self, work: Callable[[], T]) -> T:
        """Does what takes long on a thread of another pool."""
        return await asyncio.get_running_loop().run_in_executor(self._transfers, work)

    def holder(self, token: str, client: str) -> Key:
        """The key that is shown. Of wrong ones only so many are heard from an address, right ones always."""
        key = self.house.keys.holder(token) if token else None
        if key is None:
            if wait := self._guesses.take(client):
                raise problems.Problem(problems.TOO_OFTEN, "too many wrong keys came from there", again=wait)
            say("refused", level=logging.WARNING, why="no key that holds", client=client)
            raise problems.Problem(problems.UNAUTHENTICATED, f"no key that holds was shown; {WAY_OUT}")
        if wait := self._rate.take(key.id):
            raise problems.Problem(
                problems.TOO_OFTEN, f"at most {self.settings.rate:g} requests a second of one key", again=wait
            )
        return key

    def entered(self, key: Key, name: str) -> Space:
        """The space, seen by the key's holder. One that the key does not open is not there for it."""
        name = name or key.only_space
        if not name:
            raise InvalidInput(
                "Holdfast-Space", "is missing", "name a space in that header, or use a key bound to one"
            )
        if not key.opens(name):
            say("refused", level=logging.WARNING, why="the key does not open that space", key=key.id)
            raise UnknownSpace(name)
        try:
            return self.house.space(name).as_actor(key.actor)
        except UnknownSpace as error:
            raise UnknownSpace(name, tuple(near for near in error.near if key.opens(near))) from None

    def keeper(self, key: Key, verb: str) -> Holdfast:
        """The house itself, for a verb that belongs to no space."""
        if not allowed(key.role, verb):
            say("refused", level=logging.WARNING, why=f"no right to {verb}", key=key.id, role=key.role)
            raise Forbidden(f"a key of the role {key.role} has no right to {verb}; ask for an admin's")
        if verb in WIDE and not key.opens(EVERY_SPACE):
            say("refused", level=logging.WARNING, why=f"{verb} reaches into every space", key=key.id)
            raise Forbidden(f"{verb} reaches into every space; show a key that opens every one")
        return self.house

    def end(self) -> None:
        """Waits for what is under way, then closes."""
        self._verbs.shutdown(wait=True)
        self._transfers.shutdown(wait=True, cancel_futures=True)
