"""Proof of a space (B3): the chain from first entry to last, and every after-image it speaks of.

Entries come in pages, and with each page what it speaks of, in one question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.write import columns
from holdfast.model.codec import decode_entry, decode_image
from holdfast.model.ledger import Anchor, Chain, genesis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.adapters.postgres.pool import Db
    from holdfast.model.ledger import ChainReport
    from holdfast.model.plan import Entry, Touched

PAGE = 500
_SQL = statements(__package__, "space.sql")
_Spoken = tuple["Entry", "Touched"]


def verified(db: Db, lineage: str, anchor: Anchor) -> ChainReport:
    """Recomputes everything; the caller's transaction is one snapshot."""
    chain = Chain(Anchor(0, genesis(lineage)), anchor)
    versions, last = 0, -1
    kept: dict[str, _Spoken] = {}
    while page := db.rows(_SQL["chain"], last, PAGE):
        spoken: list[_Spoken] = []
        for entry in chain.follow(_entries(page, chain)):
            spoken += [(entry, touched) for touched in entry.touched if touched.before != touched.after]
            for touched in entry.captures:
                if touched.after:
                    kept[touched.id] = (entry, touched)
                else:
                    kept.pop(touched.id, None)
        versions += len(spoken)
        _check_images(db, chain, spoken)
        last = page[-1][0]
    _check_captures(db, chain, list(kept.values()))
    return chain.report(_left_over(db, versions, len(kept)))


def _entries(page: Iterable[Any], chain: Chain) -> Iterator[tuple[Entry, bytes]]:
    for number, body, hash in page:
        try:
            entry = decode_entry(body, hash)
        except ValueError:
            chain.unreadable(number)
            continue
        yield entry, body.encode()


def _check_images(db: Db, chain: Chain, spoken: list[_Spoken]) -> None:
    asked = [touched.id for _, touched in spoken], [touched.after for _, touched in spoken]
    found = {(id, version): rest for id, version, *rest in db.rows(_SQL["images_of"], *asked)}
    for entry, touched in spoken:
        salt, body = found.get((touched.id, touched.after), (None, None))
        chain.image(entry, touched, salt=salt, body=body)


def _check_captures(db: Db, chain: Chain, kept: list[_Spoken]) -> None:
    for first in range(0, len(kept), PAGE):
        page = kept[first : first + PAGE]
        asked = [touched.id for _, touched in page]
        found = {id: rest for id, *rest in db.rows(_SQL["captures_of"], asked)}
        for entry, touched in page:
            salt, body = found.get(touched.id, (None, None))
            chain.image(entry, touched, salt=salt, body=body)


def _left_over(db: Db, versions: int, captures: int) -> Iterator[str]:
    """What stands in the tables and in no entry."""
    stored, quarantined = db.rows(_SQL["totals"])[0]
    if stored != versions:
        yield f"there are {stored:,} versions of memories, the ledger tells of {versions:,}"
    if quarantined != captures:
        yield f"there are {quarantined:,} captures in quarantine, the ledger tells of {captures:,}"
    last = 0
    while page := db.rows(_SQL["standing"], last, PAGE):
        for *listed, newest, body in page:
            yield from _standing(listed, newest, body)
        last = page[-1][0]


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
