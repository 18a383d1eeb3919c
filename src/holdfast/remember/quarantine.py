"""Quarantine: everything an agent puts out, apart from memory, with its whole context, without end (P1).

Anybody may put in; only owner, auditor and the brief read, only an owner deletes. Secrets are covered on
the way in and the whole is sealed beside, since nothing of level 3 is kept in plain (E14).
"""

from __future__ import annotations

import functools
import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.memory import Capture
from holdfast.remember.check import CONTENT_MOST
from holdfast.remember.lookup import PAGE_MOST
from holdfast.remember.redact import blacked_out, blacked_out_all
from holdfast.remember.sealing import sealed_capture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from holdfast.scope import Scope

TOLD = ("session", "at")


def capture(scope: Scope, content: str, metadata: Mapping[str, Any], *, told: Mapping[str, Any]) -> Capture:
    """Keeps it, from any actor. `told` may hold `session` and `at`."""
    for key in told:
        if key not in TOLD:
            raise InvalidInput(
                key, "says nothing of a capture", "give session or at, or put it into metadata"
            )
    at = told.get("at")
    moment = check.moment("at", at) if at is not None else scope.clock.now()
    scope.require("capture", moment)
    text = check.text("content", content, most=CONTENT_MOST)
    kept = Capture(
        id=scope.clock.new_id(),
        content=blacked_out(text, scope.judge.at_once),
        at=moment,
        author=str(scope.actor),
        session=blacked_out(
            check.text("session", told.get("session") or "", empty=True), scope.judge.at_once
        ),
        metadata=blacked_out_all(whole := check.metadata("metadata", metadata), scope.judge.at_once),
    )
    if kept.content != text or kept.metadata != whole:
        kept = sealed_capture(scope, kept, text, metadata=whole)
    scope.store.apply(replace(scope.plan("capture", moment, reasons=("captured",)), captures=(kept,)))
    return kept


def captures(scope: Scope, *, after: str = "", limit: int = 100) -> list[Capture]:
    """Oldest first; `after` is the last id of the page before."""
    scope.require("quarantine.read")
    after = check.text("after", after, empty=True)
    return scope.store.captures(after=after, limit=check.whole("limit", limit, low=1, high=PAGE_MOST))


def drop(scope: Scope, id: str) -> None:
    """Deletes one capture for good; NotFound where there is none."""
    now = scope.clock.now()
    scope.require("quarantine.delete", now)
    scope.store.apply(replace(scope.plan("drop_capture", now, reasons=("dropped by an owner",)), drops=(id,)))


def captured(scope: Scope, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, whose answers and errors go to quarantine before the caller sees them."""
    if not callable(function):
        raise InvalidInput("function", f"is a {type(function).__name__}", "decorate a function")
    name = getattr(function, "__qualname__", type(function).__name__)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def later(*args: Any, **kwargs: Any) -> Any:
            with Capturing(scope, {"function": name, **_call(args, kwargs)}) as out:
                return out.put(await function(*args, **kwargs))

        return later

    @functools.wraps(function)
    def now(*args: Any, **kwargs: Any) -> Any:
        with Capturing(scope, {"function": name, **_call(args, kwargs)}) as out:
            return out.put(function(*args, **kwargs))

    return now


def _call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """What it was called with, in words: the context of the answer."""
    told: dict[str, Any] = {}
    if args:
        told["arguments"] = [_words(value) for value in args]
    if kwargs:
        told["keywords"] = {key: _words(value) for key, value in kwargs.items()}
    return told


class Capturing:
    """`with space.capturing(agent="planner") as out: out.put(text)`; each put is one capture, made when the
    block ends, also by an exception, which is kept beside and raised on.
    """

    def __init__(self, scope: Scope, metadata: Mapping[str, Any]) -> None:
        self._scope = scope
        self._metadata = dict(metadata)
        self._put: list[Any] = []
        self.captures: list[Capture] = []

    def put(self, output: Any) -> Any:
        """Takes note of an output and hands it back unchanged."""
        self._put.append(output)
        return output

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        outputs = [(_words(output), self._metadata) for output in self._put]
        if error is not None:
            outputs.append((f"{type(error).__name__}: {error}", {**self._metadata, "raised": True}))
        for content, metadata in outputs:
            self.captures.append(_keep(self._scope, content, metadata))


# What stands in place of what cannot be kept as text, so that the capture itself is never lost.
NOTHING_SAID = "(nothing)"


def _keep(scope: Scope, content: str, metadata: Mapping[str, Any]) -> Capture:
    clean = content.replace("\x00", "␀").encode("utf-8", "backslashreplace").decode("utf-8")
    parts = [clean[at : at + CONTENT_MOST] for at in range(0, len(clean), CONTENT_MOST)] or [""]
    kept = [capture(scope, part if part.strip() else NOTHING_SAID, metadata, told={}) for part in parts]
    return kept[0]


def _words(value: Any) -> str:
    """An output as text, as its author would print it."""
    return value if isinstance(value, str) else "" if value is None else str(value)
