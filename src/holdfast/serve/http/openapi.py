"""The OpenAPI page: what FastAPI finds in the handlers, and what it cannot: keys, headers, whose space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

if TYPE_CHECKING:
    from fastapi import FastAPI

ABOUT = """Long-term memory for agents. Show a key as `Authorization: Bearer hf_…`. A key bound to one space \
means that space; else name one in the header `Holdfast-Space` (UTF-8, percent-encoded where not ASCII). \
Errors are problems by RFC 9457, each with the field and the way out."""
OPEN = ("/health", "/ready")
OF_THE_HOUSE = (
    "/spaces",
    "/profiles",
    "/keys",
    "/doctor",
    "/work",
    "/metrics",
    "/schemas",
    "/import",
    "/judge",
    "/house",
    "/rotate",
)
WRITING = ("post", "patch", "put", "delete")


def _header(name: str, about: str, example: str) -> dict[str, Any]:
    shape = {"type": "string", "maxLength": 200, "examples": [example]}
    return {"name": name, "in": "header", "required": False, "description": about, "schema": shape}


SPACE = _header("Holdfast-Space", "the space; unneeded with a key bound to one", "user:ada")
ONCE = _header("Idempotency-Key", "sent again with it, the request is done once", "9f1c-0001")
MATCH = _header("If-Match", "only if the memory still has this version", '"3"')


def described(app: FastAPI) -> dict[str, Any]:
    """Made once."""
    if app.openapi_schema is None:
        page = get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes)
        scheme = {"type": "http", "scheme": "bearer", "bearerFormat": "hf_<id>_<secret>"}
        page["components"]["securitySchemes"] = {"key": scheme}
        for path, methods in page["paths"].items():
            for method, operation in methods.items():
                _add(path, method, operation=operation)
        app.openapi_schema = page
    return app.openapi_schema


def _add(path: str, method: str, *, operation: dict[str, Any]) -> None:
    operation["responses"].pop("422", None)  # said by the default
    if path in OPEN:
        return
    operation["security"] = [{"key": []}]
    headers = operation.setdefault("parameters", [])
    if not path.removeprefix("/api/v1").startswith(OF_THE_HOUSE):
        headers.append(SPACE)
    if method in WRITING:
        headers.append(ONCE)
    if method == "patch" and path.endswith("/memories/{id}"):
        headers.append(MATCH)
