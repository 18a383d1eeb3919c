"""What a server writes down about itself: one JSON object a line, no words of a memory and no secrets.

A path is told by its pattern, a space by its id, a key by its id. Of an unexpected error stand its kind and
its place: its message might quote a memory.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from traceback import extract_tb
from typing import Any

import orjson

log = logging.getLogger("holdfast.serve")


def say(event: str, *, level: int = logging.INFO, **told: Any) -> None:
    """Writes one line."""
    log.log(level, event, extra={"told": told})


class Lines(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        if record.name != log.name:
            line["from"] = record.name
        line.update(getattr(record, "told", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line |= fault(record.exc_info[1])
        return orjson.dumps(line, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def fault(error: BaseException) -> dict[str, Any]:
    """The kind and the place of an error."""
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "trace": frames[-8:]}


def begin(level: int = logging.INFO) -> None:
    """Everything that is logged in this process goes to standard error as such lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in ("uvicorn.error", "asyncio", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)
