"""A vector index beside the truth, for spaces too large to be held in memory: late at times, never the truth.

It is fed from the truth by one feeder a space, which tells with each feeding how far the index now knows
(`sequence`). Whoever searches compares that with the truth's own and waits, or says that the answer may be
behind. All of it can be dropped and fed anew. Every call names its space, and nothing of another is seen.
Errors: Unavailable where it cannot be reached; InvalidInput where a vector has another size than the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

__all__ = ["Filter", "Near", "Point", "VectorIndex"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One memory as an index knows it: its vector, and what is filtered by (A8)."""

    id: str
    vector: bytes  # float32, little-endian, of unit length
    stamp: int  # 63 bits over all of the point; another one where the memory has changed
    layer: str
    kind: str
    status: str
    entity_type: str = ""
    entity_value: str = ""
    session: str = ""
    confidence: float = 1.0
    access_count: int = 0
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a point must be; what is empty asks for nothing."""

    layers: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    entity_type: str = ""
    session: str = ""
    min_confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Near:
    """A point that was found, and its cosine to the vector asked about."""

    id: str
    cosine: float


class VectorIndex(Protocol):
    """Points by space and embedder. `space` is the id of a space; vectors of one embedder have one size."""

    @property
    def name(self) -> str:
        """What answers call it."""
        ...

    def feed(
        self, space: str, embedder: str, *, puts: Iterable[Point], gone: Sequence[str], sequence: int
    ) -> None:
        """Writes points (in place of those with their ids), removes others (unknown ids are passed over), and
        then notes how far the index knows. Durable when it returns. Told twice it is as told once; where it
        fails half way some points may be newer than `sequence` says, never older. What was fed at a later
        sequence stays as it is, so that a feeder that was held up spoils nothing.
        """
        ...

    def sequence(self, space: str, embedder: str) -> int:
        """How far it was fed; 0 where nothing was, and after `drop`."""
        ...

    def search(
        self, space: str, embedder: str, *, vector: bytes, limit: int, filter: Filter | None = None
    ) -> list[Near]:
        """The nearest points that pass the filter, best first, ids rising where cosines are equal.
        Approximate where the space is large, but never fewer than `limit` for the filter's sake.
        """
        ...

    def count(self, space: str, embedder: str) -> int: ...

    def stamps(self, space: str, embedder: str) -> Iterator[tuple[str, int]]:
        """Ids and stamps of all that it holds, in no order: what doctor compares with the truth (B11)."""
        ...

    def embedders(self, space: str) -> list[str]:
        """Whose vectors it holds of this space, by name."""
        ...

    def drop(self, space: str, embedders: Iterable[str] | None = None) -> None:
        """Forgets a space, or these embedders' part of it; durable when it returns."""
        ...

    def close(self) -> None: ...
