"""Reading the truth for a decision: memories by id, and the standing constitution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.errors import NotFound
from holdfast.model.layer import Layer
from holdfast.model.plan import Listing
from holdfast.model.status import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

STANDING = frozenset({Status.ACTIVE, Status.REVIEW})
PAGE_MOST = 10_000
ENTRIES_MOST = 1000  # far above any profile's number of entries


def known(scope: Scope, ids: Sequence[str]) -> dict[str, Memory]:
    """Those of the memories that are there; no ids, no question."""
    return scope.store.get(ids) if ids else {}


def read(scope: Scope, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories, current; NotFound names the first that is not there. Access counts are written back
    first.
    """
    scope.images.flush(scope.store)
    found = scope.store.get(ids)
    for id in ids:
        if id not in found:
            raise NotFound(f"there is no memory {id!r} in space {scope.space!r}; list shows what there is")
    return found


def constitution(scope: Scope) -> list[Memory]:
    """The entries that stand."""
    wanted = Listing(layers=frozenset({Layer.CONSTITUTION}), statuses=STANDING, limit=ENTRIES_MOST)
    return scope.store.list(wanted)
