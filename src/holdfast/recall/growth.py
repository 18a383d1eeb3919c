"""From what a store says has changed to the next frame, and from a whole space to the first.

A row that a frame shows is never written to: new rows go behind what readers hold, small columns are copied
when one of their rows changes, and a memory whose words or vector change gets a new row (the old one is
gone). Only a vector that was missing is filled in place: readers know that it was missing. One thread at a
time grows an image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.recall import record, wording
from holdfast.recall.arrived import Arrived, arrive
from holdfast.recall.column import Codes, Column
from holdfast.recall.columns import NOBODY, Columns, no_postings
from holdfast.recall.frame import LINKED_FLAG, Frame, flags_of
from holdfast.recall.neighbours import linked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.ports.store import Batch

LONGEST_TAIL = 4000
"""Words added since the last sort; more are merged in (`Columns.tail`)."""
_GONE_SHARE, _GONE_FEW = 4, 1000
"""Rows that are gone cost time in every scan: past a quarter of all (and a thousand) the image is built
anew.
"""
_ID_BYTES = 200
"""What Python takes for an id: the string, its place in the list, its entry in the two maps."""


class Growth:
    """The columns of one image, and how they grow."""

    def __init__(self, batch: Batch, dimensions: int) -> None:
        self._dimensions = dimensions
        self._sessions, self._speakers, self._kinds = Codes(), Codes(), Codes()
        arrived = arrive(batch, dimensions)
        words = wording.unpack(arrived.words)
        columns = self._stated(arrived) | self._kept(arrived, words, 0)
        before, after = linked(columns["session"], columns["at"], arrived.store_rows)
        columns |= {"previous": before, "next": after, "slots": np.arange(len(arrived.ids), dtype=np.int32)}
        self._columns = {name: Column(values) for name, values in columns.items()}
        self._records, self._held = Column(arrived.records), Column(words.entries.terms)
        self._settled, self._tail = wording.settled(words.entries), no_postings()
        self._ids: list[str] = list(arrived.ids)
        self._where: dict[int, int] | None = None
        self._gone = 0
        if not (columns["flags"] & LINKED_FLAG).all():
            self._relink(np.unique(columns["session"]))
        self.frame = self._frame(batch.sequence)

    @property
    def nbytes(self) -> int:
        columns = sum(column.nbytes for column in self._columns.values()) + self._records.nbytes
        halves = (self._settled, self._tail)
        words = sum(half.terms.nbytes + half.rows.nbytes + half.counts.nbytes for half in halves)
        words += self._held.nbytes
        return columns + words + _ID_BYTES * len(self._ids)

    @property
    def worn(self) -> bool:
        """Whether so many rows are gone that building anew pays."""
        return self._gone > max(_GONE_FEW, len(self._ids) // _GONE_SHARE)

    def grow(self, batch: Batch) -> dict[str, int]:
        """Takes a difference in; afterwards `frame` is the new state. Returns the row of every id it
        touched.
        """
        where = self._places()
        gone = np.array([where.pop(row) for row in batch.removed if row in where], np.intp)
        self._forget(gone)
        arrived = arrive(batch, self._dimensions)
        rows = np.array([where.get(int(row), NOBODY) for row in arrived.store_rows], np.intp)
        known = np.flatnonzero(rows != NOBODY)
        stays = self._stays(rows[known], arrived.some(known))
        places, moved = known[stays], known[~stays]
        fresh = np.sort(np.concatenate((np.flatnonzero(rows == NOBODY), moved)))
        touched = np.unique(np.concatenate((gone, rows[moved])))
        sessions = [self._value("session")[touched]]
        sessions.append(self._restate(rows[places], arrived.some(places)))
        self._drop(touched)
        first = len(self._ids)
        sessions.append(self._append(arrived.some(fresh)))
        rows[fresh] = np.arange(first, first + len(fresh))
        where.update(zip(arrived.store_rows[fresh].tolist(), rows[fresh].tolist(), strict=True))
        self._relink(np.unique(np.concatenate(sessions)))
        self.frame = self._frame(batch.sequence)
        return dict(zip(arrived.ids, rows.tolist(), strict=True))

    def _forget(self, rows: NDArray[np.intp]) -> None:
        """Purged rows: not a trace of them stays in memory."""
        self._columns["vectors"].fill(rows, np.float32(0))
        for row in rows.tolist():
            start, end = self._value("held_starts")[row], self._value("held_ends")[row]
            self._held.fill(np.arange(start, end), np.uint32(0))

    def _value(self, name: str) -> NDArray[Any]:
        return self._columns[name].values

    def _places(self) -> dict[int, int]:
        """Row of the store → row here; made when something first changes."""
        if self._where is None:
            self._where = {row: place for place, row in enumerate(self._value("store_rows").tolist())}
        return self._where

    def _stated(self, arrived: Arrived) -> dict[str, NDArray[Any]]:
        """The columns that follow from the records alone, and may change with them."""
        records = arrived.records
        kind = lambda place: wording.names(arrived.words[place])[0]
        speaker = lambda place: wording.names(arrived.words[place])[1]
        valid_from = records["valid_from"]
        return {
            "flags": flags_of(records),
            "status": records["status"].copy(),
            "expires": records["expires"].copy(),
            "confidence": records["confidence"].copy(),
            "entity": records["entity"].copy(),
            "entity_type": records["entity_type"].copy(),
            "value": records["value"].copy(),
            "at": np.where(np.isnan(valid_from), records["created"], valid_from),
            "layer": records["layer"].astype(np.int8),
            "kind": self._kinds.of(records["kind"], kind).astype(np.int16),
            "speaker": self._speakers.of(records["speaker"], speaker),
            "session": self._sessions.of(records["session"], lambda _: ""),
        }

    @staticmethod
    def _kept(arrived: Arrived, words: wording.Wordings, held: int) -> dict[str, NDArray[Any]]:
        """The columns that a row keeps as long as it lives (but for a late vector). Their terms follow the
        `held` ones that are there.
        """
        ends = held + np.cumsum(words.sizes)
        return {
            "vectors": arrived.vectors,
            "has_vector": arrived.has_vector,
            "content": arrived.records["content"].copy(),
            "held_starts": ends - words.sizes,
            "held_ends": ends,
            "lengths": words.lengths,
            "asks": words.asks,
            "sums": words.sums,
            "store_rows": arrived.store_rows,
        }

    def _stays(self, rows: NDArray[np.intp], arrived: Arrived) -> NDArray[np.bool_]:
        """For known rows: whether words and vector are what they were, or the vector was missing till now."""
        words = wording.unpack(arrived.words)
        same = (words.sums == self._value("sums")[rows]) & (words.lengths == self._value("lengths")[rows])
        same &= arrived.records["content"] == self._value("content")[rows]
        had = self._value("has_vector")[rows]
        kept = (self._value("vectors")[rows] == arrived.vectors).all(axis=1) & arrived.has_vector
        return np.asarray(same & (kept | ~had))

    def _restate(self, rows: NDArray[np.intp], arrived: Arrived) -> NDArray[np.int32]:
        """Other records (and late vectors) for rows that stay; returns the sessions whose order that may
        change.
        """
        late = ~self._value("has_vector")[rows] & arrived.has_vector
        if late.any():
            self._columns["vectors"].fill(rows[late], arrived.vectors[late])
            self._columns["has_vector"].put(rows[late], True)
        stated = self._stated(arrived)
        before = {name: self._value(name)[rows] for name in ("flags", "at", "session")}
        for name, values in stated.items():
            self._columns[name].put(rows, values)
        first = len(self._records.values)
        self._records.append(arrived.records)
        self._columns["slots"].put(rows, np.arange(first, first + len(rows), dtype=np.int32))
        moved = (before["flags"] ^ stated["flags"]) & LINKED_FLAG != 0
        moved |= (before["at"] != stated["at"]) | (before["session"] != stated["session"])
        for name in (
            "previous",
            "next",
        ):  # who left every session has no neighbours; the others get theirs anew
            self._columns[name].put(rows[moved], NOBODY)
        return np.concatenate((before["session"][moved], stated["session"][moved]))

    def _drop(self, rows: NDArray[np.intp]) -> None:
        """Rows that are gone: seen by nobody, their words taken out."""
        if not len(rows):
            return
        for name in ("flags", "lengths", "has_vector", "content", "entity", "value"):
            self._columns[name].put(rows, 0)
        gone = np.zeros(len(self._ids), np.bool_)
        gone[rows] = True
        self._settled, self._tail = wording.without(self._settled, gone), wording.without(self._tail, gone)
        self._gone += len(rows)

    def _append(self, arrived: Arrived) -> NDArray[np.int32]:
        """New rows at the end; returns their sessions."""
        if not arrived.ids:
            return np.empty(0, np.int32)
        first = len(self._ids)
        words = wording.unpack(arrived.words, first)
        columns = self._stated(arrived) | self._kept(arrived, words, len(self._held.values))
        nobody = np.full(len(arrived.ids), NOBODY, np.int32)
        slots = np.arange(len(arrived.ids), dtype=np.int32) + np.int32(len(self._records.values))
        columns |= {"previous": nobody, "next": nobody, "slots": slots}
        for name, values in columns.items():
            self._columns[name].append(values)
        self._records.append(arrived.records)
        self._held.append(words.entries.terms)
        self._ids.extend(arrived.ids)
        self._tail = wording.joined(self._tail, words.entries)
        if len(self._tail.terms) > LONGEST_TAIL:
            self._settled, self._tail = wording.merged(self._settled, self._tail), no_postings()
        return columns["session"]

    def _relink(self, sessions: NDArray[np.int32]) -> None:
        """Neighbours anew in these sessions."""
        sessions = sessions[sessions != NOBODY]
        if not len(sessions):
            return
        codes = self._value("session")
        members = np.flatnonzero(np.isin(codes, sessions))
        for name in ("previous", "next"):
            self._columns[name].put(members, NOBODY)
        members = members[(self._value("flags")[members] & LINKED_FLAG) != 0].astype(np.int32)
        before, after = linked(codes[members], self._value("at")[members], self._value("store_rows")[members])
        for name, places in (("previous", before), ("next", after)):
            rows = np.where(places == NOBODY, np.int32(NOBODY), members[places])
            self._columns[name].put(members, rows)

    def _frame(self, sequence: int) -> Frame:
        value = {name: column.values for name, column in self._columns.items()}
        columns = Columns(
            postings=self._settled,
            tail=self._tail,
            speakers=tuple(self._speakers.names),
            kinds=tuple(self._kinds.names),
            layers=tuple(str(layer) for layer in record.LAYERS),
            held=self._held.values,
            **{name: value[name] for name in _SHARED},
        )
        expires = value["expires"][value["flags"] != 0]
        return Frame(
            sequence=sequence,
            columns=columns,
            ids=self._ids,
            records=self._records.values,
            sessions=self._sessions.codes,
            soonest=float(np.nanmin(expires, initial=np.inf)) if len(expires) else np.inf,
            **{name: value[name] for name in _OWN},
        )


_SHARED = (
    *("vectors", "has_vector", "lengths", "asks", "held_starts", "held_ends", "session", "previous"),
    *("next", "speaker", "at", "kind", "layer"),
)
_OWN = ("flags", "status", "expires", "confidence", "content", "entity", "entity_type", "value", "slots")
