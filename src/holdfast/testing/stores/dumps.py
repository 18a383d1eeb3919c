"""The contract of a whole space carried over: everything arrives, or nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from holdfast.errors import Damaged, InvalidInput, StoreError
from holdfast.ports.dump import Captured, Kept, Link, Version
from holdfast.testing.stores.trial import Trial, carried, refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.model.space import SpaceRecord
    from holdfast.ports.dump import Piece


class DumpContract(Trial):
    """`SpaceStore.dump`, `Store.load`."""

    def copy(self, name: str = "copy") -> SpaceRecord:
        """A record for a copy of the space, under another id."""
        record = self.space.record
        return replace(record, id=self.samples.clock.new_id(), name=name, origin=record.lineage)

    def lived(self) -> None:
        """A space in which everything happened that can be carried."""
        memories = [self.samples.full_memory() for _ in range(40)]
        self.put(*memories, captures=(self.samples.capture(), self.samples.capture(content="第二")))
        first, second, third = memories[:3]
        self.put(self.samples.changed(first), self.samples.changed(second))
        weight = self.samples.weight(third.id)
        bare, never = self.samples.memory(), self.samples.memory()
        rows = (
            self.samples.indexed(bare.id, vector=None),
            self.samples.indexed(never.id, vector=b""),
        )
        self.space.apply(self.samples.plan(bare, never, self.samples.memory(), indexed=rows))
        self.space.apply(self.samples.plan(weights=(weight,), jobs=(self.job(), self.job(key="held"))))
        self.space.store_vectors("other", {first.id: b"o" * 8}, {first.id: 2})
        dropped = self.space.captures()[0].id
        self.space.apply(self.samples.plan(purges=(memories[5].id, memories[30].id), drops=(dropped,)))
        now = self.samples.clock.now()
        (held,) = self.space.lease(now=now, seconds=60)
        self.space.enqueue([self.job(key="broken", run_at=now - timedelta(days=1))])
        (broken,) = self.space.lease(now=now, seconds=60)
        self.space.fail(broken.id, error="no", retry_at=None)
        assert held.id != broken.id

    def test_a_loaded_space_is_the_one_that_was_dumped(self) -> None:
        self.lived()
        record = self.store.load(self.copy(), self.space.dump())
        assert record == self.store.find("copy") == replace(self.copy(), id=record.id)
        copied = self.store.open(record)
        assert carried(copied) == carried(self.space)
        assert copied.verify() == self.space.verify()
        assert copied.entries(memory=copied.batch(0, "e").ids[0])
        assert list(copied.dump()) == list(self.space.dump())
        assert self.store.doctor() == []

    def test_a_loaded_space_lives_on_and_its_chain_holds(self) -> None:
        self.lived()
        copied = self.store.open(self.store.load(self.copy(), self.space.dump()))
        since, many = copied.sequence(), len(copied.entries(limit=1000))
        memory = self.samples.memory()
        row = (self.samples.indexed(memory.id),)
        copied.apply(self.samples.plan(memory, indexed=row, embedder="e"))
        assert list(copied.batch(since, "e").ids) == [memory.id]
        assert copied.batch(0, "e").rows[-1] == max(copied.batch(0, "e").rows)
        report = copied.verify()
        assert (report.ok, report.entries) == (True, many + 1)
        again = self.store.open(self.store.load(self.copy("again"), copied.dump()))
        assert carried(again) == carried(copied)

    def test_an_empty_space_is_carried_too(self) -> None:
        copied = self.store.open(self.store.load(self.copy(), self.space.dump()))
        assert carried(copied) == carried(self.space)
        copied.apply(self.samples.plan(self.samples.memory()))
        assert copied.verify().problems == ()

    def test_a_dump_is_of_one_moment(self) -> None:
        self.some(3)
        record, pieces = self.copy(), self.space.dump()
        first = next(pieces)
        memory = self.some(1)[0]
        copied = self.store.open(self.store.load(record, (first, *pieces)))
        assert copied.get([memory.id]) == {}
        assert copied.verify().problems == ()

    def test_a_name_or_an_id_that_is_taken_is_refused(self) -> None:
        self.some(1)
        with refused(InvalidInput, "already", "another name"):
            self.store.load(self.copy(self.space.record.name), self.space.dump())
        with refused(InvalidInput, self.space.record.name, "new id"):
            self.store.load(replace(self.space.record, name="copy"), self.space.dump())
        assert [record.name for record in self.store.spaces()] == [self.space.record.name]

    def test_what_does_not_hold_together_is_not_loaded(self) -> None:
        self.lived()
        whole = list(self.space.dump())
        for broken in _broken(whole):
            with refused(Damaged):
                self.store.load(self.copy(), broken)
        record = self.copy()
        with refused(Damaged, "cut off"):
            self.store.load(replace(record, anchor_number=record.anchor_number + 1), whole)
        with refused(Damaged):
            self.store.load(replace(record, origin=""), whole)
        assert self.store.find("copy") is None
        assert self.store.doctor() == []
        self.store.load(record, whole)

    def test_pieces_that_fail_on_the_way_leave_nothing_behind(self) -> None:
        self.lived()

        def torn() -> Iterator[Piece]:
            yield from list(self.space.dump())[:-2]
            raise StoreError("the line was cut")

        with refused(StoreError, "the line was cut"):
            self.store.load(self.copy(), torn())
        assert self.store.find("copy") is None
        assert self.store.doctor() == []


def _broken(whole: list[Piece]) -> Iterator[list[Piece]]:
    """The same with one thing amiss each."""
    kinds = {kind: [place for place, piece in enumerate(whole) if isinstance(piece, kind)] for kind in _AMISS}
    for kind, amiss in _AMISS.items():
        place = kinds[kind][-1]
        yield whole[:place] + whole[place + 1 :]
        yield [*whole[:place], amiss(whole[place]), *whole[place + 1 :]]


def _other_words(kept: Any) -> Kept:
    last = kept.versions[-1]
    other: Version = replace(last, body=last.body.replace('"content":"', '"content":"not ', 1))
    changed: Kept = replace(kept, versions=(*kept.versions[:-1], other))
    return changed


_AMISS: dict[type, Any] = {
    Link: lambda link: replace(link, canonical=link.canonical, entry=replace(link.entry, hash="0" * 64)),
    Kept: _other_words,
    Captured: lambda one: replace(one, salt=bytes(len(one.salt))),
}
