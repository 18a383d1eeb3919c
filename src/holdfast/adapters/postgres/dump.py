"""A space told as pieces, in one snapshot; no more than a page of memories is held at a time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres import queue, read
from holdfast.model.codec import decode_capture, decode_entry, moment
from holdfast.ports import dump as pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from holdfast.adapters.postgres.pool import Db
    from holdfast.model.plan import WeightChange

PAGE = 512  # memories
_SQL = statements(__package__, "space.sql")


def dump(db: Db) -> Iterator[pieces.Piece]:
    """Everything, in the order of `ports.dump`."""
    number = -1
    while links := db.rows(_SQL["chain"], number, PAGE):
        for _, body, hash in links:
            yield pieces.Link(decode_entry(body, hash), body)
        number = links[-1][0]
    yield from _memories(db)
    last = ""
    while captures := db.rows(_SQL["raw_captures"], last, PAGE):
        for _, salt, body in captures:
            decode_capture(body)
            yield pieces.Captured(salt, body)
        last = captures[-1][0]
    for failed, *job in db.rows(_SQL["raw_jobs"]):
        yield pieces.Parked(queue.read_job(*job), failed)


def _memories(db: Db) -> Iterator[pieces.Kept]:
    embedders = [(number, name) for number, name, _ in db.rows(_SQL["embedders"])]
    last = 0
    while page := db.rows(_SQL["whole_page"], last, PAGE):
        span, ids = (page[0][0], page[-1][0]), {row[0]: row[1] for row in page}
        versions, weights = _versions(db, span), _weights(db, span, ids)
        made = {name: dict(db.rows(_SQL["vectors_between"], number, *span)) for number, name in embedders}
        for row, id, count, at, never, record, words in page:
            yield pieces.Kept(
                id=id,
                versions=tuple(versions[row]),
                access_count=count,
                accessed_at=None if at is None else moment(at),
                weights=tuple(weights[row]),
                index=None if never is None else (record, words),
                vectors={name: data[row] for name, data in made.items() if row in data},
                never=bool(never),
            )
        last = span[1]


def _versions(db: Db, span: tuple[int, int]) -> Mapping[int, list[pieces.Version]]:
    found: dict[int, list[pieces.Version]] = defaultdict(list)
    for memory, number, entry, at, salt, body in db.rows(_SQL["versions_between"], *span):
        found[memory].append(pieces.Version(number, entry, moment(at), salt, body))
    return found


def _weights(db: Db, span: tuple[int, int], ids: Mapping[int, str]) -> Mapping[int, list[WeightChange]]:
    found: dict[int, list[WeightChange]] = defaultdict(list)
    for memory, *weight in db.rows(_SQL["weights_between"], *span):
        found[memory].append(read.weight(ids[memory], *weight))
    return found
