"""A server as tests see it: started, asked whether it is ready, killed in the middle, started again, gone."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

GUARD = Path(__file__).with_name("guard.py")
PATIENCE = 60.0
"""Seconds until a server must answer; PostgreSQL takes half of one on an idle machine."""


class Server(ABC):
    """One server in a temporary directory of its own, bound to 127.0.0.1 on a port that was free."""

    user = ""
    """Who runs it; empty: who runs this. PostgreSQL refuses to run as root."""

    place = ""
    """Where its directory is made; empty: where temporary files are."""

    def __init__(self) -> None:
        name = f"holdfast-{type(self).__name__.lower()}-"
        self.directory = Path(tempfile.mkdtemp(prefix=name, dir=self.place or None))
        self.port = free_port()
        if self.user:
            shutil.chown(self.directory, self.user)
        try:
            self.prepare()
            self._guard = subprocess.Popen(  # noqa: S603 (our own program)
                [sys.executable, "-S", str(GUARD), str(self.directory), self.user, *self.command()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            self.start()
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def command(self) -> list[str]:
        """The program and its arguments."""

    @abstractmethod
    def ready(self) -> bool:
        """Whether it answers."""

    def prepare(self) -> None:  # noqa: B027 (most need nothing)
        """What must be there before the first start."""

    def start(self) -> None:
        """Starts it where it does not run, and waits until it is ready."""
        until = time.monotonic() + PATIENCE
        while True:
            self._tell("start")  # again where it ended at once: the last one's memory may still be in use
            for _ in range(20):
                if self.ready():
                    return
                time.sleep(0.05)
            if time.monotonic() > until:
                raise TimeoutError(f"{self.command()[0]} did not start:\n{self.log()}")

    def stop(self) -> None:
        """Ends it in good order; `start` brings it back with what it had."""
        self._tell("stop")

    def kill(self) -> None:
        """Ends it at once, as a fault of the machine would."""
        self._tell("kill")

    def close(self) -> None:
        """Ends it for good and deletes its directory."""
        guard = getattr(self, "_guard", None)
        if guard is None:
            shutil.rmtree(self.directory, ignore_errors=True)
            return
        for pipe in (guard.stdin, guard.stdout):
            pipe.close()
        guard.wait()

    def log(self) -> str:
        """The end of what it said."""
        path = self.directory / "server.log"
        return path.read_text(errors="replace")[-4000:] if path.exists() else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _tell(self, word: str) -> str:
        assert self._guard.stdin is not None
        assert self._guard.stdout is not None
        self._guard.stdin.write(f"{word}\n")
        self._guard.stdin.flush()
        answer = self._guard.stdout.readline()
        if not answer:
            raise RuntimeError(f"the guard of {self.command()[0]} is gone")
        return answer.strip()


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def other_user() -> str:
    """Whom to run a server as that refuses root; empty where we are somebody else."""
    return "nobody" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""


def in_memory(bytes_: int) -> str:
    """Where files lie in memory and that much is free; empty where there is no such place."""
    place = Path("/dev/shm")  # noqa: S108 (a directory of our own is made in it)
    roomy = place.is_dir() and os.access(place, os.W_OK) and shutil.disk_usage(place).free > bytes_
    return str(place) if roomy else ""
