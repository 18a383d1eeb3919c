"""Where a memory comes from (E12): from its words now to the first ones, who changed it when, and what it
was made of, back to the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdfast.recall.reading import found

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from holdfast.model.memory import Attachment, Correction, Memory, Said
    from holdfast.scope import Scope

MOST = 1000
"""Of origins in one answer; `complete` says whether there are more."""
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Origin:
    """One memory that this one comes from. `words` are its first ones; empty where they were erased."""

    id: str
    relation: str  # source, merged, compressed, superseded
    of: str  # the id of the memory that names it
    depth: int
    words: str
    at: datetime | None = None
    author: str = ""
    source: str = ""
    status: str = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of the memory itself: who, when, by which verb and why, and the words after it."""

    version: int
    at: datetime
    verb: str
    actor: str
    reasons: tuple[str, ...]
    words: str
    judge: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The whole provenance of a memory."""

    id: str
    words: str
    first_words: tuple[str, ...]
    author: str
    source: str
    created_at: datetime
    superseded_by: str = ""
    merged_into: str = ""
    steps: tuple[Step, ...] = ()
    origins: tuple[Origin, ...] = ()
    said: tuple[Said, ...] = ()
    corrections: tuple[Correction, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    complete: bool = True


def why(scope: Scope, id: str) -> Why:
    """NotFound where this space has no such memory."""
    scope.require("why")
    memory = found(scope, id)
    versions = scope.store.versions(id)
    origins, complete = _origins(scope, memory)
    roots = tuple(origin.words for origin in origins if origin.words and not _goes_on(origin, origins))
    return Why(
        id=id,
        words=memory.content,
        first_words=roots or (versions[0].content,),
        author=versions[0].author,
        source=versions[0].source,
        created_at=memory.created_at,
        superseded_by=memory.superseded_by,
        merged_into=memory.merged_into,
        steps=_steps(scope, id, {version.version: version.content for version in versions}),
        origins=origins,
        said=memory.said,
        corrections=memory.corrections,
        attachments=memory.attachments,
        complete=complete,
    )


def _goes_on(origin: Origin, origins: tuple[Origin, ...]) -> bool:
    return any(other.of == origin.id for other in origins)


def _steps(scope: Scope, id: str, words: Mapping[int, str]) -> tuple[Step, ...]:
    """Every entry of the ledger that touched the memory, oldest first."""
    steps: list[Step] = []
    after = 0
    while True:
        entries = scope.store.entries(after=after, limit=_PAGE, memory=id)
        for entry in entries:
            version = next(touched.after for touched in entry.touched if touched.id == id)
            steps.append(
                Step(
                    version=version,
                    at=entry.at,
                    verb=entry.verb,
                    actor=entry.actor,
                    reasons=entry.reasons,
                    words=words.get(version, ""),
                    judge=entry.judge,
                    change=entry.change,
                )
            )
        if len(entries) < _PAGE:
            return tuple(steps)
        after = entries[-1].number


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An id to look up: what it is to the child that names it."""

    id: str
    relation: str
    child: Memory
    depth: int


def _named(memory: Memory) -> Iterator[tuple[str, str]]:
    """The ids that a memory says it comes from, each with what it is to it."""
    yield from ((id, "merged") for id in memory.merged_from)
    yield from ((id, "compressed") for id in (memory.compressed_from,) if id)
    yield from ((id, "superseded") for id in memory.supersedes)
    yield from ((id, "source") for id in memory.source_ids)


def _origins(scope: Scope, memory: Memory) -> tuple[tuple[Origin, ...], bool]:
    """Everything it comes from, nearest first, each once."""
    origins: list[Origin] = []
    seen, level, depth = {memory.id}, [memory], 0
    while level:
        depth += 1
        wanted: dict[str, _Wanted] = {}
        for child in level:
            for id, relation in _named(child):
                if id not in seen:
                    wanted.setdefault(id, _Wanted(id, relation, child, depth))
        if len(origins) + len(wanted) > MOST:
            return tuple(origins), False
        seen |= wanted.keys()
        level = list(scope.store.get(list(wanted)).values())
        known = {parent.id: parent for parent in level}
        origins += [_origin(scope, one, known.get(one.id)) for one in wanted.values()]
    return tuple(origins), True


def _origin(scope: Scope, wanted: _Wanted, memory: Memory | None) -> Origin:
    """What is not a memory of this space (a capture, a fragment) is known by what its child kept of it."""
    kept = wanted.child.originals.get(wanted.id, "")
    origin = Origin(wanted.id, wanted.relation, wanted.child.id, wanted.depth, kept)
    if memory is None:
        return origin
    first = scope.store.versions(wanted.id)[0]
    return replace(
        origin,
        words=first.content or kept,
        at=first.created_at,
        author=first.author,
        source=first.source,
        status=str(memory.status),
    )
