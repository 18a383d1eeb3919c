"""Every error as a problem (RFC 9457): one map from the tree of `errors.py`, and what only a door can refuse.

A problem never holds a trace, nor what was handed in beyond what the error itself quotes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
from starlette.exceptions import HTTPException
from starlette.responses import Response

from holdfast import errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

JSON = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of problem: its name, its status and its title."""

    name: str
    status: int
    title: str


UNAUTHENTICATED = Sort("Unauthenticated", 401, "no key that holds was shown")
TOO_LARGE = Sort("TooLarge", 413, "the request is larger than this server takes")
TOO_OFTEN = Sort("TooOften", 429, "more requests than this key may send")
BUSY = Sort("Busy", 503, "more is under way than this server does at once")
UNDER_WAY = Sort("UnderWay", 409, "the same request is under way")
KEY_USED = Sort("KeyUsed", 422, "the idempotency key belongs to another request")
MALFORMED = Sort("Malformed", 400, "the request cannot be read")
STALE_MATCH = Sort("StaleWrite", 412, "the memory has another version")
INTERNAL = Sort("Internal", 500, "a mistake in Holdfast")

# The first class that fits decides, so a child stands before its parent.
BY_ERROR: tuple[tuple[type[errors.HoldfastError], Sort], ...] = (
    (errors.ProfileError, Sort("ProfileError", 422, "the profile is wrong")),
    (errors.InvalidInput, Sort("InvalidInput", 422, "a value is wrong")),
    (errors.UnknownSpace, Sort("UnknownSpace", 404, "there is no such space for this key")),
    (errors.NotFound, Sort("NotFound", 404, "there is no such thing")),
    (errors.Forbidden, Sort("Forbidden", 403, "the right is lacking")),
    (errors.IllegalChange, Sort("IllegalChange", 409, "it may not change that way")),
    (errors.StaleWrite, Sort("StaleWrite", 409, "it changed meanwhile")),
    (errors.Unavailable, Sort("Unavailable", 503, "something needed cannot be reached now")),
    (errors.Damaged, Sort("Damaged", 500, "a file is not what it should be")),
    (errors.NewerSchema, Sort("NewerSchema", 500, "a newer Holdfast wrote the file")),
    (errors.StoreError, Sort("StoreError", 500, "the truth cannot be read or written")),
)
# What the router itself refuses.
BY_STATUS: Mapping[int, Sort] = {
    400: MALFORMED,
    404: Sort("NotFound", 404, "there is no such path"),
    405: Sort("NoSuchMethod", 405, "the path knows no such method"),
    413: TOO_LARGE,
}


class Problem(HTTPException):
    """A refusal that only a door knows."""

    def __init__(self, sort: Sort, detail: str, *, again: float | None = None, **more: Any) -> None:
        self.sort = sort
        self.more = more
        headers = {"Retry-After": str(max(1, round(again)))} if again is not None else {}
        if sort is UNAUTHENTICATED:
            headers["WWW-Authenticate"] = 'Bearer realm="holdfast"'
        super().__init__(sort.status, detail, headers)


@dataclass(frozen=True, slots=True)
class Told:
    """A problem as it is sent."""

    sort: Sort
    detail: str
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        body = {
            "type": f"urn:holdfast:problem:{self.sort.name}",
            "title": self.sort.title,
            "status": self.sort.status,
            "detail": _clean(self.detail),
            "error": self.sort.name,
            **{name: _clean(value) for name, value in self.more.items()},
        }
        return Response(
            orjson.dumps(body, default=list), self.sort.status, headers=dict(self.headers), media_type=JSON
        )


def of_error(error: errors.HoldfastError) -> Told:
    """How one of Holdfast's own errors is told."""
    sort = next((sort for kind, sort in BY_ERROR if isinstance(error, kind)), INTERNAL)
    more = {name: getattr(error, name) for name in ("field", "problem", "way_out", "near", "name")
            if hasattr(error, name)}  # fmt: skip
    headers = {"Retry-After": "1"} if sort.status == BUSY.status else {}
    return Told(sort, str(error), more, headers)


def of_http(error: HTTPException) -> Told:
    """How a refusal of the door or of the router is told."""
    if isinstance(error, Problem):
        return Told(error.sort, str(error.detail), error.more, error.headers or {})
    sort = BY_STATUS.get(error.status_code, Sort("Refused", error.status_code, "the request is refused"))
    return Told(sort, f"{error.detail}", headers=error.headers or {})


def of_form(found: Sequence[Mapping[str, Any]]) -> Told:
    """How a body or query of the wrong form is told: by its first fault, without what was handed in."""
    first = found[0]
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path", "header")]
    name = ".".join(place) or "body"
    if first["type"] == "json_invalid":
        return Told(MALFORMED, "the body is no JSON", {"field": "body"})
    problem = str(first["msg"]).lower()
    detail = f"{name}: {problem}" + (f" (and {len(found) - 1} more)" if len(found) > 1 else "")
    return Told(BY_ERROR[1][1], detail, {"field": name, "problem": problem, "way_out": "see /openapi.json"})


def _clean(value: Any) -> Any:
    """Text that JSON can hold: a lone surrogate is shown by its number."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
