"""What an image is built from: index rows and vectors of a whole space, of what changed, of some memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Iterable


class Vectors(Sequence["bytes | None"]):
    """The vectors of a batch: a sequence of bytes, None where there is none, and all of them end to end.

    `data` holds `size` bytes a row, zeros where there is no vector, and may be taken over as it is; `present`
    one byte a row, 1 where there is one. Where no row has one, `size` is 0 and `data` is empty.
    """

    __slots__ = ("data", "present", "size")

    def __init__(self, data: Any, size: int, present: bytes) -> None:
        self.data = data
        self.size = size
        self.present = present

    def __len__(self) -> int:
        return len(self.present)

    @overload
    def __getitem__(self, index: int) -> bytes | None: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes | None]: ...

    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes | None] | None:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if not self.present[place]:
            return None
        return bytes(memoryview(self.data)[place * self.size : (place + 1) * self.size])

    @classmethod
    def of(cls, vectors: Iterable[bytes | None]) -> Vectors:
        """The same, from single ones of one size."""
        known = list(vectors)
        size = max((len(vector) for vector in known if vector), default=0)
        absent = bytes(size)
        return cls(
            b"".join([vector or absent for vector in known]), size, bytes(bool(vector) for vector in known)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What changed for an image after a sequence number, read in one snapshot, oldest row first.

    All sequences run alongside `ids`. `rows` are stable small integers, one per memory, that grow with
    insertion. `vectors` hold None where the memory has no vector of the embedder asked for.
    `removed` are the rows purged since. `complete` says that this is the whole space, not a difference.
    """

    sequence: int
    complete: bool
    rows: Sequence[int]
    ids: Sequence[str]
    records: Sequence[bytes]
    words: Sequence[bytes]
    vectors: Vectors
    access_counts: Sequence[int]
    accessed: Sequence[float]  # seconds since 1970, nan where never
    removed: Sequence[int] = ()
