"""Growing columns and codes for names: what an image is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.recall.columns import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

_SLACK = 8  # a column that must grow gets an eighth more than it needs


class Column:
    """A growing array, handed out as views whose rows never change."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._buffer = values
        self._size = len(values)

    @property
    def values(self) -> NDArray[Any]:
        return self._buffer[: self._size]

    @property
    def nbytes(self) -> int:
        return self._buffer.nbytes

    def append(self, values: NDArray[Any]) -> None:
        """Behind what anybody has seen."""
        if not len(values):
            return
        size = self._size + len(values)
        if size > len(self._buffer):
            grown = np.empty((size + size // _SLACK + 16, *self._buffer.shape[1:]), self._buffer.dtype)
            grown[: self._size] = self.values
            self._buffer = grown
        self._buffer[self._size : size] = values
        self._size = size

    def put(self, rows: NDArray[np.intp], values: NDArray[Any] | float) -> None:
        """Other values in some rows, in a copy where they are not what is there."""
        old = self._buffer[rows]
        wanted = np.broadcast_to(np.asarray(values, old.dtype), old.shape)
        if not np.array_equal(old, wanted, equal_nan=old.dtype.kind == "f"):
            self._buffer = self._buffer.copy()
            self._buffer[rows] = wanted

    def fill(self, rows: NDArray[np.intp], values: NDArray[Any] | np.float32 | np.uint32) -> None:
        """In place: for rows of which every reader knows that there is nothing yet, or nothing any more."""
        if not len(rows):
            return
        if not self._buffer.flags.writeable:
            self._buffer = self._buffer.copy()
        self._buffer[rows] = values


class Codes:
    """Small codes for the keys of names, in order of appearance; key 0 is nobody."""

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}
        self.names: list[str] = []

    def of(self, keys: NDArray[np.uint64], name: Callable[[int], str]) -> NDArray[np.int32]:
        """The code of each key; `name(place)` is asked once for each new one."""
        distinct, places, which = np.unique(keys, return_index=True, return_inverse=True)
        found = np.full(len(distinct), NOBODY, np.int32)
        for order in np.argsort(places):
            key = int(distinct[order])
            if key and key not in self.codes:
                self.names.append(name(int(places[order])))
                self.codes[key] = len(self.codes)
            found[order] = self.codes.get(key, NOBODY)
        return found[which.reshape(-1)]
