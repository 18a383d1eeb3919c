"""Whether a space's indexes still say what its truth says, and building them anew (B11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.errors import Unavailable
from holdfast.model.plan import Listing
from holdfast.ports.store import Drift
from holdfast.recall.indexing import indexed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.model.memory import Memory
    from holdfast.scope import Scope

PAGE = 5_000  # memories held at a time


def drift_of(scope: Scope) -> list[Drift]:
    """What the chain and the index rows get wrong; empty where all is well."""
    report = scope.store.verify()
    found = [Drift("chain", scope.space, problem) for problem in report.problems]
    return found + scope.store.drift(_expected(scope))


def behind(scope: Scope) -> dict[str, int | None]:
    """By how many changes the index is behind; None where it cannot be asked."""
    if scope.index is None:
        return {}
    try:
        fed = scope.index.sequence(scope.store.id, scope.embedder.name)
    except Unavailable:
        return {scope.index.name: None}
    return {scope.index.name: abs(scope.store.sequence() - fed)}


def rebuild(scope: Scope) -> int:
    """Writes every index row from the truth; vectors stay, and what lacks one waits for its embedding."""
    rows = _expected(scope)
    scope.store.reindex(rows)
    return len(rows)


def _expected(scope: Scope) -> dict[str, tuple[bytes, bytes]]:
    """Of a memory whose words were purged nothing is indexed."""
    told = (memory for memory in _all(scope) if memory.content)
    return {memory.id: (row.record, row.words) for memory in told for row in (indexed(memory, None),)}


def _all(scope: Scope) -> Iterator[Memory]:
    after = ""
    while page := scope.store.list(Listing(after=after, limit=PAGE)):
        yield from page
        after = page[-1].id
