"""The contract of the ledger: an unbroken chain that holds no words."""

from __future__ import annotations

from holdfast.errors import NotFound
from holdfast.model.codec import encode_entry
from holdfast.model.ledger import entry_hash, genesis
from holdfast.testing.stores.trial import Trial, refused


class LedgerContract(Trial):
    """`entries`, `change`, `verify`."""

    def test_each_entry_names_the_one_before_it_and_hashes_its_own_bytes(self) -> None:
        for _ in range(4):
            self.some(2)
        previous = genesis(self.space.record.id)
        for number, entry in enumerate(self.space.entries(), 1):
            assert (entry.number, entry.previous) == (number, previous)
            assert entry.hash == entry_hash(encode_entry(entry).encode())
            previous = entry.hash
        report = self.space.verify()
        assert (report.entries, report.ok, report.head, report.problems) == (4, True, previous, ())

    def test_an_empty_ledger_holds(self) -> None:
        report = self.space.verify()
        assert (report.entries, report.ok, report.head) == (0, True, "")

    def test_an_entry_tells_who_did_what_under_which_policy(self) -> None:
        memory = self.samples.memory()
        plan = self.samples.plan(
            memory, verb="remember", reasons=("新的", "new"), profile="a" * 64, judge="rules/1", undoes="x"
        )
        entry = self.space.apply(plan)
        assert self.space.change(plan.change) == entry == self.space.entries()[0]
        assert (entry.change, entry.verb, entry.actor, entry.at) == (
            plan.change,
            "remember",
            "owner:local",
            plan.at,
        )
        assert (entry.reasons, entry.profile, entry.judge, entry.undoes) == (
            ("新的", "new"),
            "a" * 64,
            "rules/1",
            "x",
        )

    def test_an_unknown_change_is_not_found(self) -> None:
        with refused(NotFound, "nothing"):
            self.space.change("nothing")

    def test_entries_come_in_pages_and_by_memory(self) -> None:
        first, second = self.some(2)
        first = self.samples.changed(first)
        self.put(first)
        self.put(self.samples.changed(second))
        self.put(self.samples.changed(first))
        assert [entry.number for entry in self.space.entries(limit=2)] == [1, 2]
        assert [entry.number for entry in self.space.entries(after=2)] == [3, 4]
        assert [entry.number for entry in self.space.entries(memory=first.id)] == [1, 2, 4]
        assert [entry.number for entry in self.space.entries(memory=first.id, after=1, limit=1)] == [2]
        assert self.space.entries(memory="nobody") == []

    def test_no_word_of_a_memory_stands_in_the_ledger(self) -> None:
        memories = [self.samples.full_memory() for _ in range(20)]
        self.put(*memories, captures=(self.samples.capture(content="原始输出"),))
        text = "".join(encode_entry(entry) for entry in self.space.entries())
        assert "原始输出" not in text
        assert not [memory.id for memory in memories if memory.content in text]

    def test_equal_memories_have_different_digests(self) -> None:
        first = self.samples.memory(content="123456")
        self.put(first)
        self.put(self.samples.changed(first, content="123456", status=first.status))
        (one,), (two,) = (entry.touched for entry in self.space.entries())
        assert one.digest != two.digest
        assert len(one.digest) == len(two.digest) == 64

    def test_the_chain_holds_after_purges_and_drops(self) -> None:
        memories, capture = self.some(5), self.samples.capture()
        self.space.apply(self.samples.plan(captures=(capture,)))
        self.space.apply(self.samples.plan(purges=(memories[0].id, memories[3].id), drops=(capture.id,)))
        self.put(self.samples.changed(memories[1]))
        assert self.space.verify().problems == ()
