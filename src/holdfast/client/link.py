"""The line to a server: one request, its answer, or the same named error that the library would raise.

A write carries an idempotency key, so that one whose answer was lost can be sent again and is done once.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import uuid4

import httpx

from holdfast import errors
from holdfast.client.values import sent
from holdfast.model import check

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

API = "/api/v1"
TRIES = 2
_ERRORS: Mapping[str, type[errors.HoldfastError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.HoldfastError)
}
# What only a door refuses, as the nearest error of the library.
_DOOR: Mapping[str, type[errors.HoldfastError]] = {
    "Unauthenticated": errors.Forbidden,
    "TooOften": errors.Unavailable,
    "Busy": errors.Unavailable,
    "UnderWay": errors.Unavailable,
}


class Link:
    """One server and one key."""

    def __init__(self, url: str, key: str, timeout: float) -> None:
        check.text("url", url, most=2000)
        check.text("key", key, most=200)
        self._http = httpx.Client(
            base_url=url.rstrip("/").removesuffix(API) + API,
            headers={b"Authorization": f"Bearer {key}".encode()},
            timeout=timeout,
        )

    def ask(
        self,
        method: str,
        path: str,
        *,
        space: str = "",
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Any:
        """The JSON of the answer."""
        told = {**_named(space), **(headers or {})}
        if method != "GET":
            told["Idempotency-Key"] = uuid4().hex
        content = None if body is None else json.dumps(sent(body)).encode()
        if content is not None:
            told["Content-Type"] = "application/json"
        params = sent(query)
        for left in reversed(range(TRIES)):
            try:
                answer = self._http.request(method, path, content=content, headers=told, params=params)
                break
            except httpx.TransportError as error:
                if not left:
                    raise _unreachable(error) from None
        return _checked(answer).json()

    @contextmanager
    def lines(self, path: str, *, space: str) -> Iterator[Iterator[str]]:
        """An answer of many lines, as they come."""
        try:
            with self._http.stream("GET", path, headers=_named(space)) as answer:
                if answer.is_error:
                    answer.read()
                yield _checked(answer).iter_lines()
        except httpx.TransportError as error:
            raise _unreachable(error) from None

    def load(self, path: str, lines: Iterator[bytes], **query: Any) -> Any:
        """Sends many lines."""
        try:
            answer = self._http.post(
                path, content=lines, params=query, headers={"Content-Type": "application/jsonl"}
            )
        except httpx.TransportError as error:
            raise _unreachable(error) from None
        return _checked(answer).json()

    def close(self) -> None:
        self._http.close()


def place(*parts: str) -> str:
    """A path of names and ids; one of dots would lead elsewhere."""
    for part in parts:
        if part in (".", ".."):
            raise errors.NotFound(f"there is nothing by the id {part!r}")
    return "".join(f"/{quote(check.text('id', part), safe='')}" for part in parts)


def _named(space: str) -> dict[str, str]:
    return {"Holdfast-Space": quote(space, safe="")} if space else {}


def _checked(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    try:
        told = answer.json()
    except ValueError:
        told = {}
    name, detail = told.get("error", ""), told.get("detail", f"the server answered {answer.status_code}")
    kind = _ERRORS.get(name) or _DOOR.get(name)
    if kind is not None and issubclass(kind, errors.InvalidInput):
        raise kind(told.get("field", "value"), told.get("problem", detail), told.get("way_out", ""))
    if kind is errors.UnknownSpace:
        raise errors.UnknownSpace(told.get("name", ""), tuple(told.get("near", ())))
    if kind is None and answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
        raise errors.InvalidInput(told.get("field", "request"), detail)
    raise (kind or errors.Unavailable)(detail)


def _unreachable(error: httpx.TransportError) -> errors.Unavailable:
    return errors.Unavailable(f"the server cannot be reached ({error}); is `holdfast serve` running there?")
