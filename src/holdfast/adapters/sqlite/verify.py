"""Proof of a space's file (B3): the chain from first entry to last, and every after-image it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.adapters.sqlite.write import columns
from holdfast.model.codec import decode_entry, decode_image
from holdfast.model.ledger import Anchor, Chain, genesis

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from holdfast.model.ledger import ChainReport
    from holdfast.model.plan import Entry, Touched

_SQL = statements("space.sql")


def verified(db: apsw.Connection, lineage: str, anchor: Anchor) -> ChainReport:
    """Recomputes everything in one snapshot."""
    db.execute("BEGIN")
    chain = Chain(Anchor(0, genesis(lineage)), anchor)
    versions, kept = 0, {}
    for entry in chain.follow(_entries(db, chain)):
        for touched in entry.touched:
            if touched.before != touched.after:
                versions += 1
                _check(db, chain, entry, touched=touched, of="image_of")
        for touched in entry.captures:
            if touched.after:
                kept[touched.id] = (entry, touched)
            else:
                kept.pop(touched.id, None)
    for entry, touched in kept.values():
        _check(db, chain, entry, touched=touched, of="capture_of")
    return chain.report(_left_over(db, versions, len(kept)))


def _entries(db: apsw.Connection, chain: Chain) -> Iterator[tuple[Entry, bytes]]:
    stored: Any = db.execute(_SQL["chain"])
    for number, body, hash in stored:
        try:
            entry = decode_entry(body, hash)
        except ValueError:
            chain.unreadable(number)
            continue
        yield entry, body.encode()


def _check(db: apsw.Connection, chain: Chain, entry: Entry, *, touched: Touched, of: str) -> None:
    asked = (touched.id, touched.after) if of == "image_of" else (touched.id,)
    ((salt, body),) = rows(db, _SQL[of], asked) or [(None, None)]
    chain.image(entry, touched, salt=salt, body=body)


def _left_over(db: apsw.Connection, versions: int, captures: int) -> Iterator[str]:
    """What stands in the file and in no entry."""
    for (line,) in rows(db, "PRAGMA integrity_check(5)"):
        if line != "ok":
            yield f"the file is damaged: {line}"
    stored, quarantined = rows(db, _SQL["totals"])[0]
    if stored != versions:
        yield f"there are {stored:,} versions of memories, the ledger tells of {versions:,}"
    if quarantined != captures:
        yield f"there are {quarantined:,} captures in quarantine, the ledger tells of {captures:,}"
    standing: Any = db.execute(_SQL["standing"])
    for *listed, newest, body in standing:
        yield from _standing(listed, newest, body)


def _standing(listed: list[Any], newest: int | None, body: str | None) -> Iterator[str]:
    """A memory is listed by columns, which must be those of its newest version."""
    row, id, version, *_ = listed
    if version != newest or body is None:
        yield f"memory {id} stands at version {version}, its newest is {newest}"
        return
    try:
        should = columns(row, decode_image(body))[: len(listed)]
    except ValueError:
        yield f"memory {id} cannot be read"
        return
    if tuple(listed) != should:
        yield f"memory {id} is listed as something else than it is"
