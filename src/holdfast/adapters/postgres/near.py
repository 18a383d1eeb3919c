"""pgvector beside the truth, in the same database: what finds by meaning in spaces too large for memory.

HNSW with iterative scans where pgvector has them (0.8); an exact scan of the space where it has not, and
where the index found fewer than were asked for.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.adapters.headings import statements
from holdfast.adapters.postgres.pool import NO_SPACE
from holdfast.errors import InvalidInput, NotFound
from holdfast.ports.index import Filter, Near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from holdfast.adapters.postgres.catalog import Catalog
    from holdfast.adapters.postgres.pool import Db, Pool
    from holdfast.ports.index import Point

PAGE = 500
BREADTH = 200
"""hnsw.ef_search at least: five times its default of 40. Not yet measured (`python -m bench postgres`)."""
ITERATES = (0, 8)
_SQL = statements(__package__, "space.sql")
_VERSION = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"


class PostgresIndex:
    """Implements `ports.index.VectorIndex` over the connections of a store, which closes them."""

    name = "pgvector"

    def __init__(self, pool: Pool, catalog: Catalog) -> None:
        self._pool = pool
        self._catalog = catalog
        self._numbers: dict[str, int] = {}

    def feed(
        self, space: str, embedder: str, *, puts: Iterable[Point], gone: Sequence[str], sequence: int
    ) -> None:
        number, coming = self._number(space), iter(puts)
        if number == NO_SPACE:
            raise NotFound(f"the catalog has no space with the id {space!r}; create it first")
        self._pool.write(number, lambda db: _remove(db, embedder, gone, sequence=sequence))
        while page := list(islice(coming, PAGE)):
            self._pool.write(number, _put(embedder, page, sequence))
        self._pool.write(number, lambda db: _note(db, embedder, sequence))

    def sequence(self, space: str, embedder: str) -> int:
        return int(self._read(space, lambda db: _fed(db, embedder)[1]))

    def search(
        self, space: str, embedder: str, *, vector: bytes, limit: int, filter: Filter | None = None
    ) -> list[Near]:
        filter = filter or Filter()
        asked, (where, values) = np.frombuffer(vector, "<f4"), _conditions(filter)
        sorted_too = "on" if filter.kinds or filter.session or filter.entity_type else "off"
        text, size = _text(asked), len(asked)

        def search(db: Db) -> list[Any]:
            found: list[Any] = []
            version = db.plain(_VERSION)[0][0]
            if tuple(int(part) for part in version.split(".")[:2]) >= ITERATES:
                db.rows(_SQL["scan_on"], str(min(max(BREADTH, limit), 1000)), sorted_too)
                quick = _SQL["near"].format(dimensions=size, conditions=where)
                found = db.rows(quick, embedder, limit, text, *values)
            if len(found) < limit:
                exact = _SQL["near_exactly"].format(conditions=where)
                found = db.rows(exact, embedder, limit, text, *values)
            return found

        near = [Near(id, float(cosine)) for id, cosine in self._read(space, search, [])]
        return sorted(near, key=lambda one: (-one.cosine, one.id))

    def count(self, space: str, embedder: str) -> int:
        return int(self._read(space, lambda db: db.rows(_SQL["point_count"], embedder)[0][0]))

    def stamps(self, space: str, embedder: str) -> Iterator[tuple[str, int]]:
        after = ""
        while page := self._read(space, partial(_page, embedder=embedder, after=after), []):
            yield from page
            after = page[-1][0]

    def embedders(self, space: str) -> list[str]:
        return [name for (name,) in self._read(space, lambda db: db.rows(_SQL["fed_embedders"]), [])]

    def drop(self, space: str, embedders: Iterable[str] | None = None) -> None:
        number = self._number(space)
        if number == NO_SPACE:
            return
        for name in self.embedders(space) if embedders is None else embedders:
            self._pool.write(number, partial(_drop, embedder=name))

    def close(self) -> None:
        """The store closes the connections."""

    def _number(self, space: str) -> int:
        """What its rows are told apart by; NO_SPACE where there is none."""
        if space not in self._numbers:
            try:
                self._numbers[space] = self._catalog.number(space)
            except NotFound:
                return NO_SPACE
        return self._numbers[space]

    def _read(self, space: str, work: Callable[[Db], Any], nothing: Any = 0) -> Any:
        number = self._number(space)
        return nothing if number == NO_SPACE else self._pool.read(number, work, snapshot=True)


def _fed(db: Db, embedder: str) -> tuple[int, int]:
    """Dimensions, and how far it was fed."""
    return (db.rows(_SQL["fed"], embedder) or [(0, 0)])[0]  # type: ignore[no-any-return]


def _put(embedder: str, page: Sequence[Point], sequence: int) -> Callable[[Db], None]:
    def put(db: Db) -> None:
        sizes = {len(point.vector) // 4 for point in page}
        known, _ = _fed(db, embedder)
        if len(sizes | {known or max(sizes)}) > 1:
            raise InvalidInput(
                "vector", f"of {embedder!r} has another size", "drop what was fed, and feed anew"
            )
        if not known:
            db.rows(_SQL["index_points"], max(sizes))
            db.send(_SQL["put_fed"], embedder, max(sizes), 0)
        db.many(_SQL["put_point"], [_row(embedder, point, sequence) for point in page])

    return put


def _row(embedder: str, point: Point, sequence: int) -> tuple[object, ...]:
    kinds = (point.layer, point.kind, point.status, point.entity_type, point.session, point.confidence)
    return (embedder, point.id, sequence, point.stamp, *kinds, _text(np.frombuffer(point.vector, "<f4")))


def _remove(db: Db, embedder: str, gone: Sequence[str], *, sequence: int) -> None:
    db.send(_SQL["drop_points"], embedder, list(gone), sequence)


def _note(db: Db, embedder: str, sequence: int) -> None:
    db.send(_SQL["put_fed"], embedder, 0, sequence)


def _page(db: Db, embedder: str, after: str) -> list[Any]:
    return db.rows(_SQL["stamps"], embedder, after, 10 * PAGE)


def _drop(db: Db, embedder: str) -> None:
    db.send(_SQL["drop_all_points"], embedder)
    db.send(_SQL["drop_fed"], embedder)


def _text(vector: Any) -> str:
    """As pgvector reads it; more digits than half precision has."""
    return f"[{','.join([format(value, '.6g') for value in vector.tolist()])}]"


def _conditions(filter: Filter) -> tuple[str, list[object]]:
    told: tuple[tuple[str, object], ...] = (
        ("layer = ANY (?::text[])", [str(one) for one in sorted(filter.layers)]),
        ("kind = ANY (?::text[])", sorted(filter.kinds)),
        ("status = ANY (?::text[])", [str(one) for one in sorted(filter.statuses)]),
        ("entity_type = ?", filter.entity_type),
        ("session = ?", filter.session),
        ("confidence >= ?", filter.min_confidence),
    )
    asked = [(text, value) for text, value in told if value]
    where = [f"AND {text.replace('?', f'${place}')}" for place, (text, _) in enumerate(asked, 5)]
    return " ".join(where), [value for _, value in asked]
