"""The contract of vectors: by embedder, late ones, those that are never to be."""

from __future__ import annotations

from dataclasses import replace

from holdfast.errors import InvalidInput
from holdfast.testing.stores.trial import Trial, refused

SIZE = 16


class VectorContract(Trial):
    """`Indexed.vector`, `store_vectors`, `unembedded`, `embedders`, `drop_vectors`."""

    def test_a_vector_is_of_the_embedder_that_made_it(self) -> None:
        self.some(2)
        assert list(self.space.batch(0, "another").vectors) == [None, None]
        assert self.space.embedders() == {"e": 2}

    def test_the_vectors_of_a_batch_lie_end_to_end(self) -> None:
        memories = self.some(3)
        self.put(
            self.samples.changed(memories[1]), indexed=(self.samples.indexed(memories[1].id, vector=None),)
        )
        vectors = self.space.batch(0, "e").vectors
        assert (vectors.size, list(vectors.present)) == (SIZE, [1, 0, 1])
        absent = bytes(SIZE)
        assert bytes(memoryview(vectors.data)) == b"".join(vector or absent for vector in vectors)

    def test_the_vectors_of_many_rows_with_gaps_are_those_that_were_stored(self) -> None:
        memories = self.some(150)
        stored = dict(zip(self.space.batch(0, "e").ids, self.space.batch(0, "e").vectors, strict=True))
        gone, late = memories[5:90:7], memories[20:140:9]
        self.space.apply(self.samples.plan(purges=tuple(memory.id for memory in gone)))
        for memory in late:
            if memory not in gone:
                stored[memory.id] = None
                row = self.samples.indexed(memory.id, vector=None)
                self.space.apply(self.samples.plan(indexed=(row,), embedder="e"))
        batch = self.space.batch(0, "e")
        assert list(batch.ids) == [memory.id for memory in memories if memory not in gone]
        assert list(batch.vectors) == [stored[id] for id in batch.ids]

    def test_other_content_forgets_the_vectors_of_every_embedder(self) -> None:
        (memory,) = self.some(1)
        self.space.store_vectors("other", {memory.id: b"o" * 8}, {memory.id: 1})
        assert self.space.embedders() == {"e": 1, "other": 1}
        self.put(self.samples.changed(memory))
        assert self.space.embedders() == {"e": 1}

    def test_equal_content_keeps_them(self) -> None:
        (memory,) = self.some(1)
        (vector,) = self.space.batch(0, "e").vectors
        row = replace(self.samples.indexed(memory.id), vector=None, keep_vector=True)
        self.space.apply(self.samples.plan(self.samples.changed(memory), indexed=(row,), embedder="e"))
        batch = self.space.batch(0, "e")
        assert (list(batch.vectors), list(batch.records)) == ([vector], [row.record])

    def test_what_waits_for_a_vector_is_told_oldest_first(self) -> None:
        memories = [self.samples.memory() for _ in range(5)]
        rows = [self.samples.indexed(memory.id, vector=None) for memory in memories]
        self.space.apply(self.samples.plan(*memories, indexed=tuple(rows)))
        assert self.space.unembedded("e", 3) == memories[:3]
        self.space.store_vectors("e", {memories[0].id: bytes(SIZE)}, {memories[0].id: 1})
        assert self.space.unembedded("e", 10) == memories[1:]
        assert self.space.unembedded("another", 10) == memories

    def test_a_late_vector_is_stored_where_the_memory_is_what_it_was(self) -> None:
        first, second, third = (self.samples.memory() for _ in range(3))
        rows = tuple(self.samples.indexed(memory.id, vector=None) for memory in (first, second, third))
        self.space.apply(self.samples.plan(first, second, third, indexed=rows))
        self.space.apply(self.samples.plan(self.samples.changed(second)))
        before, entries = self.space.sequence(), len(self.space.entries())
        data = {memory.id: bytes([number]) * SIZE for number, memory in enumerate((first, second, third))}
        stored = self.space.store_vectors("e", {**data, "nobody": bytes(SIZE)}, {first.id: 1, second.id: 1})
        assert stored == 1
        assert list(self.space.batch(0, "e").vectors) == [data[first.id], None, None]
        assert list(self.space.batch(before, "e").ids) == [first.id]
        assert len(self.space.entries()) == entries

    def test_late_vectors_that_find_nothing_are_no_write(self) -> None:
        before = self.space.sequence()
        assert self.space.store_vectors("e", {"nobody": bytes(SIZE)}, {"nobody": 1}) == 0
        assert self.space.sequence() == before

    def test_what_is_never_to_have_a_vector_never_gets_one(self) -> None:
        (memory,) = self.some(1)
        row = self.samples.indexed(memory.id, vector=b"")
        self.space.apply(self.samples.plan(self.samples.changed(memory), indexed=(row,), embedder="e"))
        assert list(self.space.batch(0, "e").vectors) == [None]
        assert self.space.unembedded("e", 10) == []
        assert self.space.store_vectors("e", {memory.id: bytes(SIZE)}, {memory.id: 2}) == 0
        kept = replace(row, vector=None, keep_vector=True)
        self.space.apply(self.samples.plan(indexed=(kept,), embedder="e"))
        assert self.space.unembedded("e", 10) == []

    def test_a_purged_memory_waits_for_nothing(self) -> None:
        (memory,) = self.some(1)
        self.space.apply(self.samples.plan(purges=(memory.id,)))
        assert self.space.unembedded("another", 10) == []
        assert self.space.embedders() == {}
        assert self.space.store_vectors("e", {memory.id: bytes(SIZE)}, {memory.id: 1}) == 0

    def test_all_vectors_of_an_embedder_can_be_dropped(self) -> None:
        memories = self.some(20)
        versions = dict.fromkeys([memory.id for memory in memories], 1)
        self.space.store_vectors("new", {memory.id: b"n" * 8 for memory in memories}, versions)
        before = self.space.sequence()
        assert self.space.drop_vectors("e") == 20
        assert self.space.drop_vectors("e") == 0
        assert self.space.embedders() == {"new": 20}
        assert list(self.space.batch(before, "e").vectors) == [None] * 20
        assert list(self.space.batch(0, "new").vectors) == [b"n" * 8] * 20

    def test_the_vectors_of_one_embedder_have_one_size_until_they_are_dropped(self) -> None:
        (memory,) = self.some(1)
        with refused(InvalidInput, "stored have 16"):
            self.space.store_vectors("e", {memory.id: bytes(8)}, {memory.id: 1})
        new = self.samples.memory()
        row = self.samples.indexed(new.id, vector=bytes(8))
        with refused(InvalidInput, "stored have 16"):
            self.space.apply(self.samples.plan(new, indexed=(row,), embedder="e"))
        self.space.drop_vectors("e")
        self.space.apply(self.samples.plan(new, indexed=(row,), embedder="e"))
        assert list(self.space.batch(0, "e").vectors) == [None, bytes(8)]
