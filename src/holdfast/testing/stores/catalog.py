"""The contract of the house: spaces by name, made once, with nothing in common."""

from __future__ import annotations

from dataclasses import replace

from holdfast.errors import InvalidInput, NotFound
from holdfast.testing.stores.trial import EVERYTHING, Trial, refused


class CatalogContract(Trial):
    """`Store`."""

    def test_a_space_is_made_once_and_found_by_its_name(self) -> None:
        record = self.samples.record("项目：甲")
        made = self.store.create(record)
        again = self.store.create(replace(self.samples.record("项目：甲"), profile="care"))
        assert made == again == record == self.store.find("项目：甲")

    def test_an_unknown_name_is_none_and_spaces_come_by_name(self) -> None:
        for name in ("b", "ä", "a", "甲"):
            self.store.create(self.samples.record(name))
        assert self.store.find("c") is None
        assert [record.name for record in self.store.spaces()] == ["a", "b", "ä", "甲"]

    def test_an_id_belongs_to_one_space(self) -> None:
        record = self.store.create(self.samples.record("a"))
        with refused(InvalidInput, "another space"):
            self.store.create(replace(record, name="b"))

    def test_an_update_changes_the_profile_and_keeps_the_name(self) -> None:
        record = self.store.create(self.samples.record("a"))
        self.store.update(replace(record, name="b", profile="care", profile_text="x = 1", user_factor=1.3))
        assert self.store.find("b") is None
        assert self.store.find("a") == replace(record, profile="care", profile_text="x = 1", user_factor=1.3)
        assert self.store.open(record).record.user_factor == 1.3

    def test_an_update_of_what_is_not_there_is_not_found(self) -> None:
        with refused(NotFound):
            self.store.update(self.samples.record())

    def test_a_key_is_put_over_the_one_it_was_meant_to_replace(self) -> None:
        record = self.store.create(self.samples.record("a"))
        assert self.store.rekey(record.id, "first", over="")
        assert not self.store.rekey(record.id, "second", over="")
        self.store.update(replace(record, user_factor=1.3))
        assert self.store.open(record).record.sealing == "first"
        assert self.store.find("a") == replace(record, user_factor=1.3, sealing="first")
        assert self.store.rekey(record.id, "", over="first")
        assert [known.sealing for known in self.store.spaces()] == [""]
        assert self.store.rekey(record.id, "", over="")
        with refused(NotFound):
            self.store.rekey("nobody", "x", over="")

    def test_a_space_is_opened_once(self) -> None:
        record = self.store.create(self.samples.record())
        assert self.store.open(record) is self.store.open(record)

    def test_a_space_that_was_never_made_is_not_opened(self) -> None:
        with refused(NotFound):
            self.store.open(self.samples.record())

    def test_nothing_of_one_space_is_seen_in_another(self) -> None:
        first, second = (self.store.open(self.store.create(self.samples.record(name))) for name in ("a", "b"))
        memory, capture = self.samples.memory(), self.samples.capture()
        row = (self.samples.indexed(memory.id),)
        first.apply(self.samples.plan(memory, captures=(capture,), indexed=row, embedder="e"))
        assert second.get([memory.id]) == {}
        assert second.list(EVERYTHING) == []
        assert second.captures() == []
        assert second.entries() == []
        assert second.sequence() == 0
        assert list(second.batch(0, "e").ids) == []
        second.apply(self.samples.plan(replace(memory, content="theirs")))
        assert first.get([memory.id])[memory.id].content == memory.content

    def test_the_head_of_the_ledger_is_anchored_outside_of_it(self) -> None:
        self.some(2)
        self.some(1)
        record = self.store.find(self.samples.space)
        assert record is not None
        assert (record.anchor_number, record.anchor_hash) == (2, self.space.entries()[-1].hash)

    def test_a_healthy_house_has_nothing_to_report(self) -> None:
        self.some(3)
        assert self.store.doctor() == []
