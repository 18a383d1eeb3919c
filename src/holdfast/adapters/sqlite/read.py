"""Rows into values: what the reading methods of `SpaceStore` do on a connection they are given."""

from __future__ import annotations

import json
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

from holdfast.adapters.sqlite import vectors
from holdfast.adapters.sqlite.statements import columns, rows, statements
from holdfast.errors import NotFound
from holdfast.model import codec
from holdfast.model.codec import decode_entry, decode_image, micros, write_json
from holdfast.model.plan import WeightChange
from holdfast.ports.store import Batch, Drift

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    import apsw

    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Listing

_SQL = statements("space.sql")


def sequence(db: apsw.Connection) -> int:
    return int(rows(db, _SQL["sequence"])[0][0])


def batch(db: apsw.Connection, since: int, embedder: str) -> Batch:
    """One snapshot: the sequence, the rows and the vectors belong together."""
    db.execute("BEGIN")
    now = sequence(db)
    complete = since <= 0 or since > now
    number, _ = vectors.embedder_number(db, embedder)
    asked = (number,) if complete else (number, since)
    found = _batch(db, "batch" if complete else "batch_since", asked, embedder=embedder)
    removed = [] if complete else [row for (row,) in rows(db, _SQL["removed_since"], (since,))]
    return replace(found, sequence=now, complete=complete, removed=removed)


def some_rows(db: apsw.Connection, ids: Sequence[str], embedder: str) -> Batch:
    """The rows of these memories, in one snapshot too."""
    db.execute("BEGIN")
    number, _ = vectors.embedder_number(db, embedder)
    found = _batch(db, "batch_of", (number, write_json(list(ids))), embedder=embedder)
    return replace(found, sequence=sequence(db))


def _batch(db: apsw.Connection, name: str, asked: tuple[Any, ...], *, embedder: str) -> Batch:
    numbers, ids, records, words, present, counts, seen = columns(db, _SQL[name], asked, count=7)
    return Batch(
        sequence=0,
        complete=False,
        rows=numbers,
        ids=ids,
        records=records,
        words=words,
        vectors=vectors.read(db, embedder, of=numbers, present=present),
        access_counts=counts,
        accessed=[nan if at is None else at / 1_000_000 for at in seen],
    )


def get(db: apsw.Connection, ids: Sequence[str]) -> dict[str, Memory]:
    found = rows(db, _SQL["get"], (write_json(list(ids)),))
    return {id: decode_image(body, count, at) for id, body, count, at in found}


def listed(db: apsw.Connection, listing: Listing) -> list[Memory]:
    conditions = list(_conditions(listing))
    where = " AND ".join(f"({_SQL[name]})" for name, _, _ in conditions) or "TRUE"
    order = "DESC" if listing.newest_first else "ASC"
    values = {"limit": listing.limit, **{key: value for _, key, value in conditions}}
    found = " ".join((_SQL["listed"], "WHERE", where, "ORDER BY memory.id", order, "LIMIT :limit"))
    sql = f"{_SQL['list']} WHERE memory.row IN ({found}) ORDER BY memory.id {order}"
    return [decode_image(*row) for row in rows(db, sql, values)]


def _conditions(listing: Listing) -> Iterator[tuple[str, str, Any]]:
    """The conditions that a listing makes: name of the statement, of its value, and the value."""
    for name, wanted in (
        ("layers", listing.layers),
        ("kinds", listing.kinds),
        ("statuses", listing.statuses),
    ):
        if wanted is not None:
            yield f"where_{name}", name, write_json(sorted(wanted))
    if listing.marks:
        yield "where_marks", "marks", write_json(sorted(listing.marks))
    for name, text in (("entity_type", listing.entity_type), ("session", listing.session)):
        if text is not None:
            yield f"where_{name}" if text else f"where_no_{name}", name, text
    for name, time in (("since", listing.since), ("until", listing.until)):
        if time is not None:
            yield f"where_{name}", name, micros(time)
    if listing.after:
        yield "where_before" if listing.newest_first else "where_after", "after", listing.after


def count(db: apsw.Connection) -> dict[tuple[str, str], int]:
    return {(layer, status): many for layer, status, many in rows(db, _SQL["count"])}


def versions(db: apsw.Connection, id: str) -> list[Memory]:
    found = rows(db, _SQL["versions"], (id,))
    if not found:
        raise NotFound(f"versions: there is no memory {id!r} in this space")
    return [decode_image(body) for (body,) in found]


def as_of(db: apsw.Connection, at: datetime) -> list[Memory]:
    return [decode_image(body) for body, _ in rows(db, _SQL["as_of"], (micros(at),))]


def entries(db: apsw.Connection, *, after: int, limit: int, memory: str) -> list[Entry]:
    name, values = ("entries_of", (after, limit, memory)) if memory else ("entries", (after, limit))
    return [decode_entry(body, hash) for body, hash in rows(db, _SQL[name], values)]


def change(db: apsw.Connection, change: str) -> Entry:
    found = rows(db, _SQL["change"], (change,))
    if not found:
        raise NotFound(f"there is no change {change!r} in this space's ledger")
    return decode_entry(*found[0])


def weights(db: apsw.Connection, memory: str) -> list[WeightChange]:
    return [weight(memory, *row) for row in rows(db, _SQL["weights"], (memory,))]


def weight(memory: str, *row: Any) -> WeightChange:
    """A line of the weight log as it was stored."""
    at, old, new, reason, factors = row
    return WeightChange(
        memory=memory,
        at=codec.moment(at),
        old_weight=old,
        new_weight=new,
        reason=reason,
        factors=json.loads(factors),
    )


def captures(db: apsw.Connection, *, after: str, limit: int) -> list[Capture]:
    return [codec.decode_capture(body) for (body,) in rows(db, _SQL["captures"], (after, limit))]


def unembedded(db: apsw.Connection, embedder: str, limit: int) -> list[Memory]:
    number, size = vectors.embedder_number(db, embedder)
    # An embedder without a number has no vector yet: bit 62 is nobody's.
    asked = (number if size else vectors.EMBEDDERS, limit)
    return [decode_image(*row) for row in rows(db, _SQL["unembedded"], asked)]


def embedders(db: apsw.Connection) -> dict[str, int]:
    known = rows(db, _SQL["embedders"])
    counts = {name: rows(db, _SQL["embedded_count"], (number,))[0][0] for number, name, _ in known}
    return {name: many for name, many in counts.items() if many}


def drift(db: apsw.Connection, expected: Mapping[str, tuple[bytes, bytes]]) -> list[Drift]:
    stored = {id: (record, words) for id, record, words in rows(db, _SQL["index_rows"])}
    found = [Drift("missing", id, "has no index row") for id in expected if id not in stored]
    for id, packed in stored.items():
        if id not in expected:
            found.append(Drift("extra", str(id), "has an index row that nothing asks for"))
        elif expected[str(id)] != packed:
            found.append(Drift("changed", str(id), "its index row is not what its memory says"))
    return sorted(found, key=lambda drift: (drift.id, drift.what))
