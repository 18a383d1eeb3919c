"""Starts a server: the first key, the socket, one process or several, and an end that loses nothing.

With several processes the queues are worked on in the one that started them, so that no answer waits for it.
A process that dies is started again.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from threadpoolctl import threadpool_limits

from holdfast.engine import Holdfast
from holdfast.errors import InvalidInput, Unavailable
from holdfast.model.access import ADMIN
from holdfast.serve.http import log
from holdfast.serve.http.app import make
from holdfast.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.context import SpawnProcess

    from holdfast.settings import ServeSettings

KEY_FILE = "admin.key"
BACKLOG = 2048
ONE_THREAD = 1
"""Of numpy, in each of the server: with two on two busy cores a recall was measured to take a second."""
LOOK = 0.5  # seconds between looks at the processes


@dataclass(frozen=True, slots=True)
class Serving:
    """What a process of a server needs to know; it crosses to another process."""

    where: str
    settings: ServeSettings
    counts: str

    def run(self, listening: socket.socket) -> None:
        """Answers until it is told to stop."""
        begin()
        with Holdfast(self.where) as house:
            Server(make(house, self.settings, Path(self.counts)), self.settings).run([listening])


class Server(uvicorn.Server):
    """Ends the event streams first, which would never end by themselves."""

    def __init__(self, app: Any, settings: ServeSettings) -> None:
        self._streams = app.state.streams
        config = uvicorn.Config(
            app,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=round(settings.stop_seconds),
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.end()
        await super().shutdown(sockets)


def serve(where: str, settings: ServeSettings, told: Callable[[str, str], None]) -> None:
    """Serves until it is told to stop. `told` hears the address, and where the first key is, if it is new."""
    begin()
    with ExitStack() as stack:
        listening = stack.enter_context(bound(settings))
        counts = stack.enter_context(tempfile.TemporaryDirectory(prefix="holdfast-"))
        house = stack.enter_context(Holdfast(where))
        told(address(listening), first_key(house, where))
        serving = Serving(where, settings, counts)
        if settings.workers == 1:
            app = make(house, settings, Path(counts))
            Server(app, settings).run([listening])
            return
        if where.startswith("memory://"):
            raise InvalidInput("workers", f"are {settings.workers}", "memory:// lives in one process; give 1")
        if settings.background:
            stack.enter_context(Worker(house, steward=True))
        several(replace(serving, settings=replace(settings, background=False)), listening)


def begin() -> None:
    """A process of a server: it logs lines of JSON, and a signal ends it in order, also after uvicorn, which
    sends itself once more what it was sent.
    """
    log.begin()
    threadpool_limits(ONE_THREAD, user_api="blas")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: sys.exit(0))


def bound(settings: ServeSettings) -> socket.socket:
    """The socket, listening; a port of 0 is chosen by the system."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        place = f"{settings.host}:{settings.port}"
        raise Unavailable(f"{place} cannot be listened at ({error.strerror}); give another --port") from None
    return made


def address(listening: socket.socket) -> str:
    """Where it listens, as a URL."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def first_key(house: Holdfast, where: str) -> str:
    """Makes an admin's key where there is none at all, and says where it is: in a file for its owner alone.

    A house in memory has no file; the key itself is told.
    """
    if not house.keys.is_empty():
        return ""
    token = house.keys.create("first", role=ADMIN).token
    if "://" in where:
        return token
    path = Path(where).expanduser() / KEY_FILE
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(token + "\n")
    return str(path)


def several(serving: Serving, listening: socket.socket) -> None:
    """As many processes as the settings say, until this one is told to stop."""
    ending = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: ending.set())
    count = serving.settings.workers
    processes = [started(serving, listening) for _ in range(count)]
    while not ending.wait(LOOK):
        for place, process in enumerate(processes):
            if not process.is_alive():
                log.say("a process of the server ended and is started again", code=process.exitcode)
                processes[place] = started(serving, listening)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(serving.settings.stop_seconds + 5)
        if process.is_alive():
            process.kill()


def started(serving: Serving, listening: socket.socket) -> SpawnProcess:
    """One more process."""
    process = get_context("spawn").Process(target=serving.run, args=(listening,), name="holdfast-serve")
    process.start()
    return process
