"""A space as columns, read from the truth for one round: what the rules look through before they look closer.

Nothing of it is kept: an image is for recall, and a steward in a thousand spaces would drive all of them out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall import record
from holdfast.recall.fresh import freshened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile
    from holdfast.scope import Scope

NO_EMBEDDER = ""  # nobody's vectors: they are most of what a space weighs, and no rule of time needs them


@dataclass(frozen=True, slots=True)
class Held:
    """Every memory with an index row, a column an attribute; in the order in which they were made."""

    ids: Sequence[str]
    records: NDArray[np.void]
    kind: NDArray[np.float64]
    """Importance I of each one's kind."""
    counts: NDArray[np.int64]
    """How often it was handed out."""
    accessed: NDArray[np.float64]
    """When last, in seconds since 1970; nan for never."""

    @property
    def size(self) -> int:
        return len(self.records)

    def at(self, mask: NDArray[np.bool_]) -> list[str]:
        """The ids of some rows."""
        return [self.ids[row] for row in np.flatnonzero(mask).tolist()]


def held(scope: Scope) -> Held:
    """The space as it stands now, access counts written back first."""
    scope.images.flush(scope.store)
    batch = freshened(scope.store.batch(0, NO_EMBEDDER), scope.store)
    records = record.unpack(batch.records)
    return Held(
        ids=list(batch.ids),
        records=records,
        kind=kinds_of(records, scope.profile),
        counts=np.array(batch.access_counts, np.int64),
        accessed=np.array(batch.accessed, np.float64),
    )


def kinds_of(records: NDArray[np.void], profile: Profile) -> NDArray[np.float64]:
    """I of each record's kind; a kind the profile no longer has weighs what the kind of the unsaid does."""
    known = sorted((record.name_key(kind), weight) for kind, weight in profile.kinds.items())
    keys = np.array([key for key, _ in known], np.uint64)
    weights = np.array([weight for _, weight in known], np.float64)
    places = np.searchsorted(keys, records["kind"]).clip(0, len(keys) - 1)
    usual = profile.kinds[profile.default_kind]
    return np.where(keys[places] == records["kind"], weights[places], usual)


class Rehearsed:
    """A space in which steps were taken that nobody carried out: columns to look through, memories by id."""

    def __init__(self, scope: Scope) -> None:
        first = held(scope)
        self.columns = replace(first, records=first.records.copy(), accessed=first.accessed.copy())
        self._scope = scope
        self._rows = {id: row for row, id in enumerate(first.ids)}
        self._known: dict[str, Memory] = {}
        self._gone: set[str] = set()

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories as the steps so far would leave them."""
        missing = [id for id in ids if id not in self._known]
        for start in range(0, len(missing), 1000):
            self._known |= self._scope.store.get(missing[start : start + 1000])
        return {id: self._known[id] for id in ids if id in self._known and id not in self._gone}

    def take(self, puts: Iterable[Memory], purged: Mapping[str, bool]) -> None:
        """The memories as a step would leave them; those purged are gone."""
        for memory in puts:
            self._known[memory.id] = memory
            if memory.id in self._rows:
                self.columns.records[self._rows[memory.id]] = record.unpack([record.pack(memory)])[0]
        for id in purged:
            self._gone.add(id)
            self.columns.records["layer"][self._rows[id]] = _NO_LAYER

    def touch(self, id: str, at: float) -> None:
        """Somebody looked at it."""
        self.columns.accessed[self._rows[id]] = at


_NO_LAYER = 255  # no rule looks there
