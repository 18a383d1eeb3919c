"""One state of a space in memory: what a query works on from beginning to end, whatever is written
meanwhile.

A frame's arrays never change for its rows: later states append behind them or copy what they change
(`growth`). Here stand the questions about whole columns: which rows a query may see, which are there in
some status.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.model.layer import Layer, Mode
from holdfast.model.status import HIDDEN_MARKS, LEVELS, RECALLED, Mark, Status
from holdfast.recall import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from holdfast.recall.columns import Columns

LIVE = frozenset({Status.ACTIVE, Status.REVIEW})
SEARCHED = frozenset({Layer.FACT, Layer.EPISODE, Layer.SESSION})
"""Layers with something to search: the constitution is preloaded (M1), quarantine out of reach (P1)."""

# One word of flags a row: the modes that see it, whether it counts as a neighbour in its session, its layer.
MODE_FLAG: dict[Mode, int] = {mode: 1 << code for code, mode in enumerate(Mode)}
LINKED_FLAG = 1 << 4
_LAYER_SHIFT = 8
_NO_SUCH = -2
_UNLINKED = frozenset({Status.DELETED, Status.REJECTED})


def _by_status() -> NDArray[np.uint16]:
    seen = [
        sum(flag for mode, flag in MODE_FLAG.items() if status in RECALLED[mode])
        | (0 if status in _UNLINKED else LINKED_FLAG)
        for status in record.STATUSES
    ]
    return np.array(seen, np.uint16)


def _by_level() -> NDArray[np.uint16]:
    seen = [
        sum(flag for mode, flag in MODE_FLAG.items() if level in LEVELS[mode]) | LINKED_FLAG
        for level in record.LEVELS
    ]
    return np.array(seen, np.uint16)


def _by_marks() -> NDArray[np.uint16]:
    hidden = {mode: record.marks_of(HIDDEN_MARKS[mode]) for mode in Mode}
    seen = [
        sum(flag for mode, flag in MODE_FLAG.items() if not marks & hidden[mode]) | LINKED_FLAG
        for marks in range(1 << len(Mark))
    ]
    return np.array(seen, np.uint16)


_STATUS_FLAGS, _LEVEL_FLAGS, _MARK_FLAGS = _by_status(), _by_level(), _by_marks()


def flags_of(records: NDArray[np.void]) -> NDArray[np.uint16]:
    """The flags of each record (E13, E8)."""
    seen = _STATUS_FLAGS[records["status"]] & _LEVEL_FLAGS[records["level"]] & _MARK_FLAGS[records["marks"]]
    layers = np.uint16(1) << (records["layer"].astype(np.uint16) + np.uint16(_LAYER_SHIFT))
    return np.asarray(seen | layers)


def layer_flags(layers: Iterable[str]) -> int:
    """The layers as flags."""
    return sum(1 << (record.layer_code(layer) + _LAYER_SHIFT) for layer in set(layers))


_SESSION = layer_flags([Layer.SESSION])


@dataclass(frozen=True, slots=True)
class Sieve:
    """Which rows a query may see. `session_from`: working memory from before has ended (M6)."""

    mode: Mode
    layers: frozenset[str]
    now: float
    session_from: float
    kinds: frozenset[str] = frozenset()
    session: str = ""
    entity_type: str = ""
    min_confidence: float = 0.0
    entities: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """n rows, gone ones included; every array of length n but `records`, which `slots` points into."""

    sequence: int
    columns: Columns
    ids: list[str]
    """Shared with later states, which only append to it: at least n long."""
    flags: NDArray[np.uint16]
    status: NDArray[np.uint8]
    expires: NDArray[np.float64]
    confidence: NDArray[np.float64]
    content: NDArray[np.uint64]
    entity: NDArray[np.uint64]
    entity_type: NDArray[np.uint64]
    value: NDArray[np.uint64]
    slots: NDArray[np.int32]
    records: NDArray[np.void]
    sessions: dict[int, int]
    """Key of a session to its code in `columns.session`; shared, only added to."""
    soonest: float
    """The first time at which a row runs out of itself: before it no expiry need be looked at."""

    @property
    def rows(self) -> int:
        return len(self.flags)

    @property
    def live(self) -> int:
        """How many memories there are, in any status."""
        return int(np.count_nonzero(self.flags))

    def session_code(self, session: str) -> int:
        """Its code in `columns.session`; one that no row has where there is no such session."""
        return self.sessions.get(record.name_key(session), _NO_SUCH)

    def packed(self, rows: NDArray[np.intp]) -> NDArray[np.void]:
        """The records of some rows. (`take`, since indexing with brackets copies field by field.)"""
        found: NDArray[np.void] = self.records.take(self.slots.take(rows))
        return found

    def in_status(self, statuses: Iterable[str], layers: Iterable[str] | None = None) -> NDArray[np.bool_]:
        """Rows that are there in one of these statuses (and layers)."""
        table = np.zeros(256, np.bool_)
        table[[record.status_code(status) for status in statuses]] = True
        mask = table.take(self.status)
        mask &= (self.flags & np.uint16(0xFF00 if layers is None else layer_flags(layers))) != 0
        return np.asarray(mask)

    def allowed(self, sieve: Sieve) -> NDArray[np.bool_]:
        """The rows that pass. In normal mode what has run out of time is out, whether or not a steward has
        been (M3, M6).
        """
        layers = sieve.layers & SEARCHED
        mask: NDArray[np.bool_] = (self.flags & np.uint16(MODE_FLAG[sieve.mode])) != 0
        mask &= (self.flags & np.uint16(layer_flags(layers))) != 0
        if sieve.mode is Mode.NORMAL:
            if sieve.now >= self.soonest:
                mask &= ~(self.expires <= sieve.now)
            if Layer.SESSION in layers:
                mask &= ((self.flags & np.uint16(_SESSION)) == 0) | (self.columns.at >= sieve.session_from)
        if sieve.kinds or sieve.session or sieve.entity_type or sieve.entities or sieve.min_confidence > 0.0:
            self._narrow(mask, sieve)
        return mask

    def _narrow(self, mask: NDArray[np.bool_], sieve: Sieve) -> None:
        if sieve.kinds:
            codes = [code for code, name in enumerate(self.columns.kinds) if name in sieve.kinds]
            mask &= np.isin(self.columns.kind, codes)
        if sieve.session:
            mask &= self.columns.session == self.session_code(sieve.session)
        if sieve.entity_type:
            mask &= self.entity_type == np.uint64(record.name_key(sieve.entity_type))
        if sieve.entities:
            mask &= self.entity != 0
        if sieve.min_confidence > 0.0:
            mask &= self.confidence >= sieve.min_confidence
