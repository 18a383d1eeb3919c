"""What can be read by its address. Reading writes nothing, so `memory://add` is none of these (M14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp import types
from pydantic import ValidationError

from holdfast.errors import InvalidInput, NotFound
from holdfast.recall import fence
from holdfast.recall.language import Language
from holdfast.serve.mcp import asked, told, tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.space import Space

TEXT = "text/plain"
PAGE = 50
LISTED = 60  # characters of a memory in a list of addresses
FIXED = (
    types.Resource(
        uri="memory://constitution",
        name="constitution",
        title="What always holds",
        description="Written by owners alone; read it before anything else.",
        mime_type=TEXT,
    ),
    types.Resource(
        uri="memory://pending",
        name="pending",
        title="What waits for a person",
        description="Memories that somebody has to approve.",
        mime_type=TEXT,
    ),
)
TEMPLATES = [
    types.ResourceTemplate(
        uri_template="memory://search{?query,layer,limit}",
        name="memory_search",
        title="memory://search",
        description="What is remembered about a query.",
        mime_type=TEXT,
    ),
    types.ResourceTemplate(
        uri_template="memory://memories/{id}",
        name="memory",
        description="One memory.",
        mime_type=TEXT,
    ),
    types.ResourceTemplate(
        uri_template="memory://memories/{id}/history",
        name="history",
        description="Every version of a memory, oldest first.",
        mime_type=TEXT,
    ),
]


@dataclass(frozen=True, slots=True)
class Reading:
    """What an address means: the verb it asks the right for, and how it is read."""

    verb: str
    read: Callable[[Space], str]


def reading(uri: str) -> Reading:
    """NotFound where nothing has that address."""
    parts = urlsplit(uri)
    path = [unquote(part) for part in parts.path.split("/") if part]
    if parts.scheme == "memory":
        match [parts.netloc, *path]:
            case ["search"]:
                return _search(parts.query)
            case ["constitution"]:
                return Reading("constitution.entries", _constitution)
            case ["pending"]:
                return Reading("pending", lambda me: told.page(me.pending(), 100, "id").text)
            case ["memories", id]:
                return Reading("get", lambda me: told.page([me.get(id)], 1, "id").text)
            case ["memories", id, "history"]:
                return Reading("history", lambda me: told.page(me.history(id), 1000, "version").text)
            case ["add"]:
                raise NotFound("memory://add is a tool, memory_add: reading never writes")
    raise NotFound(f"nothing is at {uri!r:.200}; `resources/templates/list` names what is")


def listed(me: Space, cursor: str) -> types.ListResourcesResult:
    """The fixed ones, then every memory that stands, in pages; `cursor` is the id of the last one shown."""
    found = me.list(after=cursor, limit=PAGE + 1)
    shown = [] if cursor else list(FIXED)
    for memory in found[:PAGE]:
        words = fence.plain(memory.content)
        shown.append(
            types.Resource(
                uri=f"memory://memories/{memory.id}",
                name=memory.id,
                title=words if len(words) <= LISTED else f"{words[:LISTED]}…",
                description=f"{memory.kind}, {memory.status}",
                mime_type=TEXT,
            )
        )
    more = found[PAGE - 1].id if len(found) > PAGE else None
    return types.ListResourcesResult(resources=shown, next_cursor=more)


def _constitution(me: Space) -> str:
    entries = me.constitution.entries()
    lines = [fence.article(entry) for entry in entries]
    return told.quotations(lines, Language.ENGLISH, nothing="nothing stands in it")


def _search(query: str) -> Reading:
    given: dict[str, object] = dict(parse_qsl(query, keep_blank_values=True))
    if "q" in given:
        given["query"] = given.pop("q")
    try:
        wanted = asked.Search.model_validate(given, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "query"
        raise InvalidInput(field, first["msg"].lower(), "as memory://search?query=coffee&limit=5") from None
    return Reading("recall", lambda me: tools.search(me, wanted).text)
