"""A space's file told as pieces, in one snapshot; no more than a page of memories is held at a time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from holdfast.adapters.sqlite import queue, read, vectors
from holdfast.adapters.sqlite.statements import rows, statements
from holdfast.model.codec import decode_capture, decode_entry, moment
from holdfast.ports import dump as pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import apsw

    from holdfast.model.plan import WeightChange

PAGE = 512  # memories; whole blobs of vectors
_SQL = statements("space.sql")


def dump(db: apsw.Connection) -> Iterator[pieces.Piece]:
    """Everything, in the order of `ports.dump`."""
    db.execute("BEGIN")
    links: Any = db.execute(_SQL["chain"])
    for _, body, hash in links:
        yield pieces.Link(decode_entry(body, hash), body)
    yield from _memories(db)
    captures: Any = db.execute(_SQL["raw_captures"])
    for salt, body in captures:
        decode_capture(body)
        yield pieces.Captured(salt, body)
    jobs: Any = db.execute(_SQL["raw_jobs"])
    for failed, *job in jobs:
        yield pieces.Parked(queue.read_job(*job), bool(failed))


def _memories(db: apsw.Connection) -> Iterator[pieces.Kept]:
    embedders = [(number, name) for number, name, _ in rows(db, _SQL["embedders"])]
    last = 0
    while page := rows(db, _SQL["whole_page"], (last, PAGE)):
        span, ids = (page[0][0], page[-1][0]), {row[0]: row[1] for row in page}
        versions, weights = _versions(db, span), _weights(db, span, ids)
        made = _vectors(db, embedders, page=page)
        for place, (row, id, count, at, indexed, bits, record, words) in enumerate(page):
            yield pieces.Kept(
                id=id,
                versions=tuple(versions[row]),
                access_count=count,
                accessed_at=None if at is None else moment(at),
                weights=tuple(weights[row]),
                index=(record, words) if indexed else None,
                vectors={name: vector for name, data in made.items() if (vector := data[place])},
                never=bool(indexed) and bits is None,
            )
        last = span[1]


def _versions(db: apsw.Connection, span: tuple[int, int]) -> Mapping[int, list[pieces.Version]]:
    found: dict[int, list[pieces.Version]] = defaultdict(list)
    for memory, number, entry, at, salt, body in rows(db, _SQL["versions_between"], span):
        found[memory].append(pieces.Version(number, entry, moment(at), salt, body))
    return found


def _weights(
    db: apsw.Connection, span: tuple[int, int], ids: Mapping[int, str]
) -> Mapping[int, list[WeightChange]]:
    found: dict[int, list[WeightChange]] = defaultdict(list)
    for memory, *weight in rows(db, _SQL["weights_between"], span):
        found[memory].append(read.weight(ids[memory], *weight))
    return found


def _vectors(
    db: apsw.Connection, embedders: Sequence[tuple[int, str]], *, page: Sequence[Any]
) -> Mapping[str, Sequence[bytes | None]]:
    """By embedder, one for each row of the page."""
    numbers, made = [row[0] for row in page], {}
    for number, name in embedders:
        present = [int(bits is not None and bits >> number & 1) for *_, bits, _, _ in page]
        if any(present):
            made[name] = vectors.read(db, name, of=numbers, present=present)
    return made
