"""Looking things up by id or by list: no ranking, no access counted. Answers come from the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput, NotFound
from holdfast.model import check
from holdfast.model.layer import Layer
from holdfast.model.plan import Entry, Job, Listing, WeightChange
from holdfast.model.status import Mark, Status
from holdfast.recall.drift import behind
from holdfast.steward.salience import weight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

PAGE_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How a space stands."""

    space: str
    profile: str
    memories: int
    by_layer: Mapping[str, int]
    by_status: Mapping[str, int]
    quarantine: int
    waiting_jobs: int
    embedded: Mapping[str, int]
    average_weight: float
    sequence: int
    behind: Mapping[str, int | None]  # index → how many changes it has not been told of; None: not reachable


def get(scope: Scope, id: str) -> Memory:
    """NotFound where this space has no such memory."""
    scope.require("get")
    return found(scope, id)


def found(scope: Scope, id: str) -> Memory:
    """The current version, access counts written back first."""
    id = check.text("id", id)
    scope.images.flush(scope.store)
    memory = scope.store.get([id]).get(id)
    if memory is None:
        raise NotFound(f"there is no memory {id!r} in space {scope.space!r}; list shows what there is")
    return memory


def listing(scope: Scope, wanted: Mapping[str, Any]) -> list[Memory]:
    """Deleted memories are listed only where the status asks for them."""
    scope.require("list")
    scope.images.flush(scope.store)
    told = dict(wanted)
    tags = told.pop("tags", None)
    chosen = _listing(told, frozenset(scope.profile.kinds))
    if tags is None:
        return scope.store.list(chosen)
    return _tagged(scope, chosen, frozenset(check.names("tags", (tags,) if isinstance(tags, str) else tags)))


def _tagged(scope: Scope, listing: Listing, tags: frozenset[str]) -> list[Memory]:
    """Those that carry all of the tags, as many as are asked for (C8)."""
    found: list[Memory] = []
    page = replace(listing, limit=PAGE_MOST)
    while memories := scope.store.list(page):
        found += [memory for memory in memories if tags <= frozenset(memory.tags)]
        if len(found) >= listing.limit or len(memories) < PAGE_MOST:
            break
        page = replace(page, after=memories[-1].id)
    return found[: listing.limit]


def history(scope: Scope, id: str) -> list[Memory]:
    scope.require("history")
    found(scope, id)
    return scope.store.versions(id)


def weights(scope: Scope, id: str) -> list[WeightChange]:
    scope.require("history")
    found(scope, id)
    return scope.store.weights(id)


def ledger(scope: Scope, *, after: int, limit: int, memory: str) -> list[Entry]:
    scope.require("history")
    after = check.whole("after", after, low=0, high=2**62)
    limit = check.whole("limit", limit, low=1, high=PAGE_MOST)
    return scope.store.entries(after=after, limit=limit, memory=check.text("memory", memory, empty=True))


def events(scope: Scope, *, after: int | None, limit: int) -> tuple[int, list[Entry]]:
    """Entries after a number, and the number to go on from; None: nothing yet, and where the ledger ends."""
    if after is not None:
        entries = ledger(scope, after=after, limit=limit, memory="")
        return (entries[-1].number if entries else after), entries
    scope.require("history")
    last = scope.store.record.anchor_number  # may lag behind the end
    while page := scope.store.entries(after=last, limit=PAGE_MOST):
        last = page[-1].number
    return last, []


def jobs(scope: Scope, *, failed: bool, limit: int) -> list[Job]:
    """Oldest first."""
    scope.require("stats")
    failed = check.flag("failed", failed)
    return scope.store.jobs(failed=failed, limit=check.whole("limit", limit, low=1, high=PAGE_MOST))


def stats(scope: Scope, *, at: datetime | None) -> Stats:
    """Counts, and the average weight of what is alive, at a time."""
    scope.require("stats")
    scope.images.flush(scope.store)
    now = check.moment("at", at) if at is not None else scope.clock.now()
    counts = scope.store.count()
    alive = scope.store.list(Listing(statuses=frozenset({Status.ACTIVE, Status.REVIEW}), limit=PAGE_MOST))
    total = sum(weight(memory, now, scope.profile)[0] for memory in alive)
    return Stats(
        space=scope.space,
        profile=scope.profile.name,
        memories=sum(counts.values()),
        by_layer=_summed(counts, 0),
        by_status=_summed(counts, 1),
        quarantine=len(scope.store.captures(limit=PAGE_MOST)),
        waiting_jobs=len(scope.store.jobs(limit=PAGE_MOST)),
        embedded=scope.store.embedders(),
        average_weight=total / len(alive) if alive else 0.0,
        sequence=scope.store.sequence(),
        behind=behind(scope),
    )


def _summed(counts: Mapping[tuple[str, str], int], part: int) -> dict[str, int]:
    summed: dict[str, int] = {}
    for key, count in counts.items():
        summed[key[part]] = summed.get(key[part], 0) + count
    return summed


_LISTED: Mapping[str, tuple[str, Sequence[str]]] = {
    "layer": ("layers", list(Layer)),
    "status": ("statuses", list(Status)),
    "marks": ("marks", list(Mark)),
}
_OTHER = ("kind", "entity_type", "session", "since", "until", "after", "limit", "newest_first")


def _listing(wanted: dict[str, Any], kinds: frozenset[str]) -> Listing:
    for key in wanted:
        if key not in _LISTED and key not in _OTHER:
            raise InvalidInput(key, "is nothing to list by", f"use {', '.join((*_LISTED, *_OTHER, 'tags'))}")
    chosen: dict[str, Any] = {"statuses": frozenset(Status) - {Status.DELETED}}
    for key, (name, allowed) in _LISTED.items():
        if wanted.get(key) is not None:
            chosen[name] = frozenset(check.choice(key, item, allowed) for item in _several(wanted[key]))
    if wanted.get("kind") is not None:
        chosen["kinds"] = frozenset(
            check.choice("kind", item, sorted(kinds)) for item in _several(wanted["kind"])
        )
    for key in ("entity_type", "session", "after"):
        if wanted.get(key) is not None:
            chosen[key] = check.text(key, wanted[key], empty=key == "after")
    for key in ("since", "until"):
        if wanted.get(key) is not None:
            chosen[key] = check.moment(key, wanted[key])
    chosen["limit"] = check.whole("limit", wanted.get("limit", 100), low=1, high=PAGE_MOST)
    chosen["newest_first"] = bool(wanted.get("newest_first", False))
    return Listing(**chosen)


def _several(value: Any) -> tuple[Any, ...]:
    return (
        (value,)
        if isinstance(value, str) or not isinstance(value, list | tuple | set | frozenset)
        else tuple(value)
    )
