"""Rows into values: what the reading methods of `SpaceStore` do on a connection they are given."""

from __future__ import annotations

import json
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import vectors
from holdfast.errors import NotFound
from holdfast.model import codec
from holdfast.model.codec import decode_entry, decode_image, micros
from holdfast.model.plan import WeightChange
from holdfast.ports.store import Batch, Drift

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from psycopg import Cursor

    from holdfast.adapters.postgres.pool import Db
    from holdfast.model.memory import Capture, Memory
    from holdfast.model.plan import Entry, Listing

_SQL = statements(__package__, "space.sql")


def sequence(db: Db) -> int:
    return int(db.rows(_SQL["sequence"])[0][0])


def batch(db: Db, since: int, embedder: str) -> Batch:
    """Read in one snapshot: the sequence, the rows and the vectors belong together."""
    if since <= 0:
        return _whole(db, embedder)
    now, (number, size) = sequence(db), vectors.embedder_number(db, embedder)
    if since > now:
        return _whole(db, embedder)
    found = db.send(_SQL["batch_since"], since)
    made = db.send(_SQL["vectors_since"], number, since)
    removed = [row for (row,) in db.rows(_SQL["removed_since"], since)]
    return replace(_batch(found, made, size), sequence=now, removed=removed)


def _whole(db: Db, embedder: str) -> Batch:
    """All is asked before anything is waited for."""
    asked, known = db.send(_SQL["sequence"]), db.send(_SQL["embedder"], embedder)
    found, made = db.send(_SQL["batch"]), db.send(_SQL["vectors_by"], embedder)
    ((now,),) = asked.fetchall()
    size = next((size for _, size in known.fetchall()), 0)
    return replace(_batch(found, made, size), sequence=now, complete=True)


def some_rows(db: Db, ids: Sequence[str], embedder: str) -> Batch:
    """The rows of these memories, in one snapshot too."""
    now, (number, size) = sequence(db), vectors.embedder_number(db, embedder)
    asked = written(ids)
    found, made = db.send(_SQL["batch_of"], asked), db.send(_SQL["vectors_of"], number, asked)
    return replace(_batch(found, made, size), sequence=now)


def _batch(asked: Cursor[Any], made: Cursor[Any], size: int) -> Batch:
    found = asked.fetchall()
    rows, ids, records, words, counts, seen = zip(*found, strict=True) if found else ((),) * 6
    return Batch(
        sequence=0,
        complete=False,
        rows=rows,
        ids=ids,
        records=records,
        words=words,
        vectors=vectors.along(rows, made.fetchall(), size),
        access_counts=counts,
        accessed=[nan if at is None else at / 1_000_000 for at in seen],
    )


def written(ids: Sequence[str]) -> list[str]:
    """Those that could be stored: no text with a NUL can."""
    return [id for id in ids if "\x00" not in id]


def memories(found: Iterable[Sequence[Any]]) -> dict[str, Memory]:
    """What `get` finds."""
    return {id: decode_image(body, count, at) for id, body, count, at in found}


def listed(db: Db, listing: Listing) -> list[Memory]:
    where, values = ["space = $1"], []
    for name, value in _conditions(listing):
        values.append(value)
        where.append(f"({_SQL[name].replace('?', f'${len(values) + 1}')})")
    order = "DESC" if listing.newest_first else "ASC"
    conditions = " AND ".join(where)
    found = f"{_SQL['listed']} WHERE {conditions} ORDER BY id {order} LIMIT {int(listing.limit)}"
    sql = f"WITH found AS MATERIALIZED ({found}) {_SQL['list']} ORDER BY found.id {order}"
    return [decode_image(*row) for row in db.rows(sql, *values)]


def _conditions(listing: Listing) -> Iterator[tuple[str, Any]]:
    """The conditions that a listing makes: name of the statement, and its value."""
    for name, wanted in (
        ("layers", listing.layers),
        ("kinds", listing.kinds),
        ("statuses", listing.statuses),
    ):
        if wanted is not None:
            yield f"where_{name}", [str(one) for one in sorted(wanted)]
    if listing.marks:
        yield "where_marks", [str(mark) for mark in sorted(listing.marks)]
    for name, text in (("entity_type", listing.entity_type), ("session", listing.session)):
        if text is not None:
            yield f"where_{name}" if text else f"where_no_{name}", text
    for name, time in (("since", listing.since), ("until", listing.until)):
        if time is not None:
            yield f"where_{name}", micros(time)
    if listing.after:
        yield "where_before" if listing.newest_first else "where_after", listing.after


def count(db: Db) -> dict[tuple[str, str], int]:
    return {(layer, status): many for layer, status, many in db.rows(_SQL["count"])}


def versions(db: Db, id: str) -> list[Memory]:
    found = [] if "\x00" in id else db.rows(_SQL["versions"], id)
    if not found:
        raise NotFound(f"versions: there is no memory {id!r} in this space")
    return [decode_image(body) for (body,) in found]


def as_of(db: Db, at: datetime) -> list[Memory]:
    return [decode_image(body) for (body,) in db.rows(_SQL["as_of"], micros(at))]


def entries(db: Db, *, after: int, limit: int, memory: str) -> list[Entry]:
    named = ("entries_of", (after, limit, memory)) if memory else ("entries", (after, limit))
    found = [] if "\x00" in memory else db.rows(_SQL[named[0]], *named[1])
    return [decode_entry(body, hash) for body, hash in found]


def change(db: Db, change: str) -> Entry:
    found = [] if "\x00" in change else db.rows(_SQL["change"], change)
    if not found:
        raise NotFound(f"there is no change {change!r} in this space's ledger")
    return decode_entry(*found[0])


def weights(db: Db, memory: str) -> list[WeightChange]:
    return [] if "\x00" in memory else [weight(memory, *row) for row in db.rows(_SQL["weights"], memory)]


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


def captures(db: Db, *, after: str, limit: int) -> list[Capture]:
    return [codec.decode_capture(body) for (body,) in db.rows(_SQL["captures"], after, limit)]


def unembedded(db: Db, embedder: str, limit: int) -> list[Memory]:
    number, _ = vectors.embedder_number(db, embedder)
    return [decode_image(*row) for row in db.rows(_SQL["unembedded"], number, limit)]


def embedders(db: Db) -> dict[str, int]:
    return dict(db.rows(_SQL["embedded_counts"]))


def drift(db: Db, expected: Mapping[str, tuple[bytes, bytes]]) -> list[Drift]:
    stored = {id: (record, words) for id, record, words in db.rows(_SQL["index_rows"])}
    found = [Drift("missing", id, "has no index row") for id in expected if id not in stored]
    for id, packed in stored.items():
        if id not in expected:
            found.append(Drift("extra", str(id), "has an index row that nothing asks for"))
        elif expected[str(id)] != packed:
            found.append(Drift("changed", str(id), "its index row is not what its memory says"))
    return sorted(found, key=lambda drift: (drift.id, drift.what))
