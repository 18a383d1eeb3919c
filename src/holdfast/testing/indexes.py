"""The contract of `ports.index` as tests. Whoever writes an index runs them against it, under pytest:

    class TestMyIndex(IndexContract):
        def make_index(self) -> VectorIndex:
            return MyIndex(…)   # an empty one, each time

Nothing here imports pytest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidInput
from holdfast.ports.index import Filter, Point
from holdfast.testing.stores.trial import refused

if TYPE_CHECKING:
    from holdfast.ports.index import VectorIndex

SIZE = 8
WHEN = datetime(2026, 3, 1, 12, 30, 0, 123456, tzinfo=UTC)


class IndexContract(ABC):
    """All of it."""

    @abstractmethod
    def make_index(self) -> VectorIndex: ...

    @cached_property
    def index(self) -> VectorIndex:
        return self.make_index()

    def feed(self, *points: Point, space: str = "甲", gone: tuple[str, ...] = (), sequence: int = 1) -> None:
        self.index.feed(space, "e/1", puts=points, gone=gone, sequence=sequence)

    def found(self, at: int, *, space: str = "甲", limit: int = 10, **filter: Any) -> list[str]:
        vector = point("asked", at).vector
        filters = Filter(**filter) if filter else None
        near = self.index.search(space, "e/1", vector=vector, limit=limit, filter=filters)
        return [one.id for one in near]

    def test_the_nearest_come_first_with_their_cosines(self) -> None:
        self.feed(*(point(f"p{n}", n) for n in range(6)))
        near = self.index.search("甲", "e/1", vector=point("", 2).vector, limit=3)
        assert near[0].id == "p2"
        assert abs(near[0].cosine - 1.0) < 1e-3
        assert [one.cosine for one in near] == sorted((one.cosine for one in near), reverse=True)
        expected = np.frombuffer(point("", 2).vector, "<f4") @ np.frombuffer(
            point("", int(near[1].id[1:])).vector, "<f4"
        )
        assert abs(near[1].cosine - float(expected)) < 1e-3

    def test_equal_cosines_fall_by_id(self) -> None:
        self.feed(point("b", 1), point("a", 1), point("c", 1))
        assert self.found(1) == ["a", "b", "c"]

    def test_nothing_of_another_space_or_embedder_is_seen(self) -> None:
        self.feed(point("mine", 1))
        self.feed(point("theirs", 1), space="乙")
        self.index.feed("甲", "f/1", puts=[point("other", 1, size=12)], gone=[], sequence=4)
        assert self.found(1) == ["mine"]
        assert self.found(1, space="丙") == []
        assert (self.index.count("甲", "e/1"), self.index.count("乙", "e/1")) == (1, 1)
        assert self.index.embedders("甲") == ["e/1", "f/1"]
        assert [self.index.sequence("甲", name) for name in ("e/1", "f/1", "g")] == [1, 4, 0]

    def test_a_point_is_replaced_and_removed_by_its_id(self) -> None:
        self.feed(point("a", 1), point("b", 2))
        self.feed(point("a", 3, stamp=9), gone=("b", "nobody"), sequence=7)
        assert self.found(3) == ["a"]
        assert dict(self.index.stamps("甲", "e/1")) == {"a": 9}
        assert self.index.sequence("甲", "e/1") == 7

    def test_what_is_told_twice_is_as_told_once(self) -> None:
        for _ in range(2):
            self.feed(point("a", 1), gone=("b",), sequence=3)
        assert (self.index.count("甲", "e/1"), self.index.sequence("甲", "e/1")) == (1, 3)

    def test_only_what_passes_the_filter_is_found_however_many_do_not(self) -> None:
        crowd = [point(f"x{n:03}", 1, status="archived") for n in range(300)]
        self.feed(*crowd, point("one", 5), point("two", 6, layer="episode", kind="event", session="s"))
        assert self.found(1, statuses=frozenset({"active"}), limit=2) == self.found(
            1, layers=frozenset({"fact", "episode"}), statuses=frozenset({"active"}), limit=2
        )
        assert set(self.found(1, statuses=frozenset({"active"}))) == {"one", "two"}
        assert self.found(1, layers=frozenset({"episode"})) == ["two"]
        assert self.found(1, kinds=frozenset({"event"})) == ["two"]
        assert self.found(1, session="s") == ["two"]

    def test_entities_and_confidence_are_filtered_by(self) -> None:
        self.feed(
            point("料号", 1, entity_type="part number", entity_value="RM05-008", confidence=0.9),
            point("plain", 1, confidence=0.4),
        )
        assert self.found(1, entity_type="part number") == ["料号"]
        assert self.found(1, min_confidence=0.5) == ["料号"]

    def test_all_that_it_holds_is_told_with_its_stamps(self) -> None:
        self.feed(*(point(f"p{n}", n, stamp=n) for n in range(5)))
        assert dict(self.index.stamps("甲", "e/1")) == {f"p{n}": n for n in range(5)}

    def test_a_feeder_that_was_held_up_spoils_nothing(self) -> None:
        self.feed(point("a", 1, stamp=7), point("b", 2), sequence=7)
        self.feed(point("a", 3, stamp=4), point("late", 4), gone=("b",), sequence=4)
        assert dict(self.index.stamps("甲", "e/1")) == {"a": 7, "b": 1, "late": 1}
        assert self.index.sequence("甲", "e/1") == 7

    def test_a_vector_of_another_size_is_refused(self) -> None:
        self.feed(point("a", 1))
        with refused(InvalidInput, "vector"):
            self.feed(point("b", 1, size=12))

    def test_a_space_is_dropped_with_all_it_had_and_fed_anew(self) -> None:
        self.feed(point("a", 1))
        self.feed(point("theirs", 1), space="乙")
        self.index.feed("甲", "f/1", puts=[point("other", 1, size=12)], gone=[], sequence=4)
        self.index.drop("甲", ["f/1"])
        assert self.index.embedders("甲") == ["e/1"]
        self.index.drop("甲")
        assert self.found(1) == []
        assert self.index.sequence("甲", "e/1") == 0
        assert self.found(1, space="乙") == ["theirs"]
        self.feed(point("again", 1))
        assert self.found(1) == ["again"]


def point(id: str, at: int, *, size: int = SIZE, stamp: int = 1, **fields: Any) -> Point:
    """A point that lies near those of near numbers."""
    angles = np.arange(1, size + 1, dtype=np.float32) * np.float32(at * 0.2)
    vector = np.cos(angles) + np.float32(0.1)
    unit = (vector / np.linalg.norm(vector)).astype("<f4")
    plain = {"layer": "fact", "kind": "fact", "status": "active", "created_at": WHEN, "updated_at": WHEN}
    return Point(id=id, vector=unit.tobytes(), stamp=stamp, **{**plain, **fields})
