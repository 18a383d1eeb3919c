"""How a command ends: one exit code for each sort of end, so that scripts can tell them apart.

docs/cli.md prints this table; `main` and the commands use nothing else.
"""

from __future__ import annotations

from enum import IntEnum

from holdfast import errors


class Code(IntEnum):
    """The documented codes."""

    OK = 0
    INTERNAL = 1
    USAGE = 2
    NOT_FOUND = 3
    FORBIDDEN = 4
    NOT_KEPT = 5
    STALE = 6
    UNAVAILABLE = 7
    STORE = 8
    INTERRUPTED = 130


MEANING: dict[Code, str] = {
    Code.OK: "done",
    Code.INTERNAL: "the output cannot be written, or a mistake in Holdfast; --debug shows the trace",
    Code.USAGE: "the command line or a value in it is wrong",
    Code.NOT_FOUND: "no such space, memory, change or capture",
    Code.FORBIDDEN: "the actor has no right to this; the attempt is in the ledger",
    Code.NOT_KEPT: "nothing was kept: the outcome is refused or logged, or a confirmation was not given",
    Code.STALE: "the memory changed meanwhile, or may not change that way",
    Code.UNAVAILABLE: "something needed cannot be reached now (an embedder, a lock); trying later may help",
    Code.STORE: "the store cannot be read or written, or verify or doctor found something wrong",
    Code.INTERRUPTED: "stopped by Ctrl-C",
}

# The first class that fits decides, so a child stands before its parent.
BY_ERROR: tuple[tuple[type[errors.HoldfastError], Code], ...] = (
    (errors.InvalidInput, Code.USAGE),
    (errors.NotFound, Code.NOT_FOUND),
    (errors.Forbidden, Code.FORBIDDEN),
    (errors.IllegalChange, Code.STALE),
    (errors.StaleWrite, Code.STALE),
    (errors.Unavailable, Code.UNAVAILABLE),
    (errors.StoreError, Code.STORE),
)


def code_of(error: errors.HoldfastError) -> Code:
    """The code a command ends with when this error ends it."""
    return next((code for kind, code in BY_ERROR if isinstance(error, kind)), Code.INTERNAL)
