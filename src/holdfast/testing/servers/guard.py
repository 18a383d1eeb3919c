"""Runs one server as a child and does what it is told on standard input, a word a line: start, stop, kill.

Each is answered by a line when it is done. When the input ends, as it does when whoever started it is gone,
the server is killed and its directory deleted. Run as a program: guard.py DIRECTORY USER PROGRAM ARGUMENT…
(USER empty: the one who runs it).
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

PATIENCE = 20
"""Seconds that a server has to end by itself before it is killed."""


class Guarded:
    """The child, if it runs."""

    def __init__(self, directory: Path, user: str, command: list[str]) -> None:
        self._log = directory / "server.log"
        self._command = command
        self._user = user or None
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        if self._child is None or self._child.poll() is not None:
            with self._log.open("ab") as log:
                self._child = subprocess.Popen(  # noqa: S603 (the program is what the tests name)
                    self._command,
                    user=self._user,
                    group=self._user and _group(self._user),
                    extra_groups=[] if self._user else None,
                    cwd=self._log.parent,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        return str(self._child.pid)

    def stop(self) -> str:
        return self._end(signal.SIGINT)

    def kill(self) -> str:
        return self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> str:
        if self._child is not None:
            self._child.send_signal(how)
            try:
                self._child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        return "ended"


def _group(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


def main() -> None:
    directory, user, *command = sys.argv[1:]
    guarded = Guarded(Path(directory), user, command)
    words = {"start": guarded.start, "stop": guarded.stop, "kill": guarded.kill}
    # Its end comes by the input, never by the interrupt that a terminal sends to everybody.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for line in sys.stdin:
            sys.stdout.write(f"{words[line.strip()]()}\n")
            sys.stdout.flush()
    finally:
        guarded.kill()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
