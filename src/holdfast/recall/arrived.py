"""The rows of a batch as arrays: between the store, which keeps them unread, and the columns that grow by
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import Damaged
from holdfast.recall import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.ports.store import Batch


@dataclass(frozen=True, slots=True)
class Arrived:
    """The rows of a batch, as arrays."""

    records: NDArray[np.void]
    words: Sequence[bytes]
    vectors: NDArray[np.float32]
    has_vector: NDArray[np.bool_]
    ids: Sequence[str]
    store_rows: NDArray[np.int64]

    def some(self, places: NDArray[np.intp]) -> Arrived:
        if len(places) == len(self.ids):
            return self
        return Arrived(
            self.records[places],
            [self.words[place] for place in places],
            self.vectors[places],
            self.has_vector[places],
            [self.ids[place] for place in places],
            self.store_rows[places],
        )


def arrive(batch: Batch, dimensions: int) -> Arrived:
    """Takes the batch's buffers over as they are."""
    count = len(batch.ids)
    stored = batch.vectors
    if stored.size not in (0, 4 * dimensions):
        raise Damaged(f"a stored vector has not {dimensions} dimensions, as its embedder has; embed again")
    if stored.size:
        vectors = np.frombuffer(stored.data, "<f4").reshape(count, dimensions)
    else:
        vectors = np.zeros((count, dimensions), np.float32)
    return Arrived(
        record.unpack(batch.records),
        batch.words,
        vectors,
        np.frombuffer(stored.present, np.bool_),
        batch.ids,
        np.asarray(batch.rows, np.int64),
    )
