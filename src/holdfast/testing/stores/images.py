"""The contract of what images are built from: whole spaces, differences, rows that keep their numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.model.plan import Access
from holdfast.testing.stores.trial import Trial

if TYPE_CHECKING:
    from holdfast.ports.store import Batch


class ImageContract(Trial):
    """`sequence`, `batch`, `drift`, `reindex`."""

    def test_every_write_that_an_image_can_see_bumps_the_sequence(self) -> None:
        steps = [self.space.sequence()]
        (memory,) = self.some(1)
        steps.append(self.space.sequence())
        self.space.apply(self.samples.plan(indexed=(self.samples.indexed(memory.id, vector=None),)))
        steps.append(self.space.sequence())
        self.space.store_vectors("e", {memory.id: b"1234" * 4}, {memory.id: 1})
        steps.append(self.space.sequence())
        self.space.reindex({memory.id: (b"r", b"w")})
        steps.append(self.space.sequence())
        self.space.drop_vectors("e")
        steps.append(self.space.sequence())
        self.space.apply(self.samples.plan(purges=(memory.id,)))
        steps.append(self.space.sequence())
        assert steps == sorted(set(steps))

    def test_one_question_tells_the_last_write_and_the_embedder(self) -> None:
        assert self.space.standing() == (self.space.sequence(), self.space.record.embedder)
        self.some(1)
        self.store.update(replace(self.space.record, embedder="another"))
        assert self.space.standing() == (self.space.sequence(), "another")
        assert self.space.sequence() > 0

    def test_a_whole_space_comes_row_by_row_in_order(self) -> None:
        memories = [self.samples.memory() for _ in range(40)]
        rows = [self.samples.indexed(memory.id) for memory in memories]
        self.space.apply(self.samples.plan(*memories[:25], indexed=tuple(rows[:25]), embedder="e"))
        self.space.apply(self.samples.plan(*memories[25:], indexed=tuple(rows[25:]), embedder="e"))
        batch = self.space.batch(0, "e")
        assert batch.complete
        assert batch.sequence == self.space.sequence()
        assert list(batch.ids) == [memory.id for memory in memories]
        assert list(batch.rows) == sorted(set(batch.rows))
        assert list(batch.records) == [row.record for row in rows]
        assert list(batch.words) == [row.words for row in rows]
        assert list(batch.vectors) == [row.vector for row in rows]
        assert list(batch.access_counts) == [0] * 40
        assert all(math.isnan(at) for at in batch.accessed)

    def test_some_rows_are_what_a_whole_space_says_of_them(self) -> None:
        memories = self.some(20)
        self.space.apply(self.samples.plan(purges=(memories[7].id,)))
        self.space.touch({memories[3].id: Access(4, self.samples.clock.now())})
        whole = self.space.batch(0, "e")
        asked = [memories[place].id for place in (11, 3, 7, 3, 0)]
        found = self.space.rows([*asked, "nobody"], "e")
        places = [list(whole.ids).index(memories[place].id) for place in (0, 3, 11)]
        assert list(found.ids) == [memories[place].id for place in (0, 3, 11)]
        for name in ("rows", "records", "words", "vectors", "access_counts"):
            told = getattr(whole, name)
            assert list(getattr(found, name)) == [told[place] for place in places]
        assert (found.sequence, found.complete) == (whole.sequence, False)
        assert list(self.space.rows([], "e").ids) == []

    def test_access_counts_come_with_the_rows(self) -> None:
        first, second = self.some(2)
        at = self.samples.clock.now()
        self.space.touch({second.id: Access(4, at)})
        batch = self.space.batch(0, "e")
        assert list(batch.access_counts) == [0, 4]
        assert batch.accessed[1] == at.timestamp()
        assert self.space.get([first.id])[first.id].accessed_at is None

    def test_a_difference_holds_what_changed_and_what_went(self) -> None:
        first, second, third = self.some(3)
        rows = list(self.space.batch(0, "e").rows)
        before = self.space.sequence()
        self.put(self.samples.changed(second))
        self.space.apply(self.samples.plan(purges=(first.id,)))
        (new,) = self.some(1)
        batch = self.space.batch(before, "e")
        assert not batch.complete
        assert list(batch.ids) == [second.id, new.id]
        assert batch.rows[0] == rows[1]
        assert batch.rows[1] > rows[2]
        assert list(batch.removed) == [rows[0]]
        assert third.id not in batch.ids

    def test_nothing_new_is_an_empty_difference(self) -> None:
        self.some(3)
        batch = self.space.batch(self.space.sequence(), "e")
        assert (list(batch.ids), list(batch.removed), batch.complete) == ([], [], False)

    def test_a_sequence_from_elsewhere_gets_the_whole_space(self) -> None:
        memories = self.some(3)
        batch = self.space.batch(self.space.sequence() + 1, "e")
        assert batch.complete
        assert list(batch.ids) == [memory.id for memory in memories]
        assert list(batch.removed) == []

    def test_differences_add_up_to_the_whole(self) -> None:
        state: dict[int, tuple[str, bytes, bytes | None]] = {}
        at, memories = 0, []
        for step in range(12):
            memories += self.some(3)
            victim = memories[step]
            if step % 4 == 3:
                self.space.apply(self.samples.plan(purges=(victim.id,)))
            else:
                (row,) = (self.samples.indexed(victim.id, vector=None),)
                self.space.apply(
                    self.samples.plan(self.samples.changed(victim), indexed=(row,), embedder="e")
                )
            batch = self.space.batch(at, "e")
            at = batch.sequence
            _take(state, batch)
        whole: dict[int, tuple[str, bytes, bytes | None]] = {}
        _take(whole, self.space.batch(0, "e"))
        assert state == whole

    def test_a_memory_without_an_index_row_is_in_no_batch(self) -> None:
        hidden = self.samples.memory()
        self.space.apply(self.samples.plan(hidden))
        (shown,) = self.some(1)
        assert list(self.space.batch(0, "e").ids) == [shown.id]
        self.space.apply(self.samples.plan(indexed=(self.samples.indexed(hidden.id),), embedder="e"))
        assert list(self.space.batch(0, "e").ids) == [hidden.id, shown.id]

    def test_drift_is_what_index_rows_say_otherwise(self) -> None:
        same, changed, extra, missing = self.some(4)
        kept = self._packed()
        self.space.apply(self.samples.plan(purges=(missing.id,)))
        expected = {same.id: kept[same.id], changed.id: (b"other", b""), missing.id: kept[missing.id]}
        found = {(drift.what, drift.id) for drift in self.space.drift(expected)}
        assert found == {("changed", changed.id), ("extra", extra.id), ("missing", missing.id)}

    def test_index_rows_written_anew_heal_the_drift_and_keep_the_vectors(self) -> None:
        memories = self.some(3)
        vectors = list(self.space.batch(0, "e").vectors)
        right = {memory.id: (b"right", memory.id.encode()) for memory in memories}
        assert len(self.space.drift(right)) == 3
        self.space.reindex({**right, "nobody": (b"", b"")})
        assert self.space.drift(right) == []
        assert list(self.space.batch(0, "e").vectors) == vectors

    def test_an_index_row_can_be_written_where_there_was_none(self) -> None:
        memory = self.samples.memory()
        self.space.apply(self.samples.plan(memory))
        self.space.reindex({memory.id: (b"r", b"w")})
        batch = self.space.batch(0, "e")
        assert (list(batch.ids), list(batch.vectors)) == ([memory.id], [None])
        assert self.space.unembedded("e", 10) == [memory]

    def _packed(self) -> dict[str, tuple[bytes, bytes]]:
        batch = self.space.batch(0, "e")
        return {
            id: (record, words)
            for id, record, words in zip(batch.ids, batch.records, batch.words, strict=True)
        }


def _take(state: dict[int, tuple[str, bytes, bytes | None]], batch: Batch) -> None:
    if batch.complete:
        state.clear()
    for row in batch.removed:
        state.pop(row, None)
    state.update(zip(batch.rows, zip(batch.ids, batch.records, batch.vectors, strict=True), strict=True))
