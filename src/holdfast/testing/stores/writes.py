"""The contract of writing: all of a plan or nothing, and only onto what the plan relied on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from holdfast.errors import HoldfastError, InvalidInput, NotFound, StaleWrite
from holdfast.model.ledger import shredded
from holdfast.model.plan import Access, Plan
from holdfast.testing.stores.trial import Trial, refused, seen


class WriteContract(Trial):
    """`apply` and `touch`."""

    def test_a_memory_comes_back_as_it_went_in_with_every_field(self) -> None:
        memories = [self.samples.full_memory() for _ in range(60)]
        self.put(*memories)
        assert self.space.get([memory.id for memory in memories]) == {
            memory.id: memory for memory in memories
        }

    def test_a_change_makes_the_next_version(self) -> None:
        (memory,) = self.some(1)
        changed = self.samples.changed(memory, content="改喝茶了")
        self.put(changed)
        assert self.space.get([memory.id]) == {memory.id: changed}
        assert self.space.versions(memory.id) == [memory, changed]

    def test_a_version_that_is_not_the_next_is_stale(self) -> None:
        (memory,) = self.some(1)
        self.put(self.samples.changed(memory))
        for version in (1, 2, 4):
            self._fails(self.samples.plan(replace(memory, version=version)), StaleWrite)

    def test_a_new_memory_starts_at_one(self) -> None:
        self._fails(self.samples.plan(self.samples.memory(version=2)), StaleWrite)

    def test_what_a_plan_read_must_still_be_so(self) -> None:
        first, second = self.some(2)
        new = self.samples.memory()
        self._fails(self.samples.plan(new, reads={first.id: 2}), StaleWrite)
        self._fails(self.samples.plan(new, reads={"nobody": 1}), StaleWrite)
        self._fails(self.samples.plan(new, reads={first.id: 0}), StaleWrite)
        self.space.apply(self.samples.plan(new, reads={first.id: 1, second.id: 1, "nobody": 0}))

    def test_a_plan_that_relied_on_an_absence_is_stale_after_any_write_an_image_can_see(self) -> None:
        before = self.space.sequence()
        self.some(1)
        self._fails(self.samples.plan(self.samples.memory(), seen=before), StaleWrite)
        self.space.apply(self.samples.plan(self.samples.memory(), seen=before + 1))

    def test_a_change_is_applied_once(self) -> None:
        plan = self.samples.plan(self.samples.memory())
        self.space.apply(plan)
        self._fails(replace(plan, puts=(self.samples.memory(),)), StaleWrite)

    def test_what_is_no_text_is_refused(self) -> None:
        old = self.samples.memory()
        self.put(old)
        for broken in (
            self.samples.memory(content="\ud800"),
            self.samples.memory(metadata={"k": ["\udfff"]}),
        ):
            self._fails(self.samples.plan(self.samples.changed(old), broken), InvalidInput)

    def test_one_plan_may_put_a_memory_twice(self) -> None:
        memory = self.samples.memory()
        changed = self.samples.changed(memory)
        entry = self.space.apply(self.samples.plan(memory, changed))
        assert [(t.before, t.after) for t in entry.touched] == [(0, 1), (1, 2)]
        assert self.space.versions(memory.id) == [memory, changed]

    def test_a_plan_that_fails_leaves_nothing_behind(self) -> None:
        old, gone = self.some(2)
        self.space.apply(self.samples.plan(captures=(capture := self.samples.capture(),)))
        new = self.samples.memory()
        whole = self.samples.plan(
            new,
            self.samples.changed(old),
            indexed=(self.samples.indexed(new.id), self.samples.indexed(old.id)),
            embedder="e",
            captures=(self.samples.capture(),),
            drops=(capture.id,),
            purges=(gone.id,),
            jobs=(self.job(),),
            weights=(self.samples.weight(old.id),),
        )
        self._fails(replace(whole, indexed=(*whole.indexed, self.samples.indexed("nobody"))), NotFound)
        self._fails(replace(whole, purges=(gone.id, "nobody")), NotFound)
        self._fails(replace(whole, drops=(capture.id, "nobody")), NotFound)
        self._fails(
            replace(whole, weights=(replace(self.samples.weight(old.id), memory="nobody"),)), NotFound
        )
        self._fails(replace(whole, captures=(capture,)), StaleWrite)
        self._fails(replace(whole, puts=(*whole.puts, self.samples.memory(id=old.id))), StaleWrite)
        self.space.apply(whole)

    def test_a_plan_without_anything_writes_an_entry_and_nothing_else(self) -> None:
        self.some(1)
        before = seen(self.space)
        entry = self.space.apply(self.samples.plan(verb="forbidden", reasons=("agents may not",)))
        assert (entry.number, entry.verb, entry.touched, entry.reasons) == (
            2,
            "forbidden",
            (),
            ("agents may not",),
        )
        after = seen(self.space)
        assert after.pop("entries")[:-1] == before.pop("entries")
        assert after == before

    def test_a_new_memory_brings_its_access_count_and_a_changed_one_keeps_it(self) -> None:
        at = self.samples.clock.now()
        memory = self.samples.memory(access_count=3, accessed_at=at)
        self.put(memory)
        self.space.touch({memory.id: Access(2, at + timedelta(seconds=1)), "nobody": Access(1, at)})
        self.put(self.samples.changed(memory))
        kept = self.space.get([memory.id])[memory.id]
        assert (kept.access_count, kept.accessed_at) == (5, at + timedelta(seconds=1))
        assert [version.access_count for version in self.space.versions(memory.id)] == [0, 0]

    def test_an_access_moves_the_time_forward_only_and_is_no_change(self) -> None:
        (memory,) = self.some(1)
        now, before = self.samples.clock.now(), self.space.sequence()
        for count, late in ((1, 60), (1, 5), (0, 30)):
            self.space.touch({memory.id: Access(count, now + timedelta(seconds=late))})
        touched = self.space.get([memory.id])[memory.id]
        assert (touched.access_count, touched.accessed_at) == (2, now + timedelta(seconds=60))
        assert self.space.sequence() == before
        assert len(self.space.entries()) == 1

    def test_a_purge_shreds_the_words_of_every_version(self) -> None:
        memory = self.samples.full_memory(
            content="秘密的话", label="机密", tags=("隐私",), metadata={"k": "v"}
        )
        changed = self.samples.changed(memory, content="secret words", corrections=(), access_count=0)
        self.put(memory)
        self.put(changed)
        entry = self.space.apply(self.samples.plan(purges=(memory.id,)))
        assert [(t.id, t.before, t.after, t.digest) for t in entry.touched] == [(memory.id, 2, 2, "")]
        bare = replace(memory, access_count=0, accessed_at=None)
        assert self.space.versions(memory.id) == [
            shredded(bare),
            shredded(replace(changed, accessed_at=None)),
        ]
        assert self.space.get([memory.id])[memory.id].content == ""
        assert [kept.content for kept in self.space.as_of(self.samples.clock.now())] == [""]
        assert self.space.verify().problems == ()
        assert [found.number for found in self.space.entries(memory=memory.id)] == [1, 2, 3]

    def test_what_is_put_and_purged_in_one_plan_leaves_no_words(self) -> None:
        memory = self.samples.memory()
        self.put(memory, purges=(memory.id,))
        assert self.space.versions(memory.id) == [shredded(memory)]
        assert list(self.space.batch(0, "e").ids) == []
        assert self.space.verify().ok

    def test_a_purged_memory_can_change_again(self) -> None:
        (memory,) = self.some(1)
        self.space.apply(self.samples.plan(purges=(memory.id,)))
        back = self.samples.changed(shredded(memory), content="new words")
        self.put(back)
        assert self.space.get([memory.id]) == {memory.id: back}
        assert list(self.space.batch(0, "e").ids) == [memory.id]
        assert self.space.verify().ok

    def test_weights_are_logged_in_order_for_the_memory_they_are_of(self) -> None:
        first, second = self.some(2)
        lines = [
            self.samples.weight(first.id),
            self.samples.weight(second.id),
            replace(self.samples.weight(first.id), new_weight=0.1),
        ]
        self.space.apply(self.samples.plan(weights=tuple(lines)))
        assert self.space.weights(first.id) == [lines[0], lines[2]]
        assert self.space.weights(second.id) == [lines[1]]
        assert self.space.weights("nobody") == []

    def _fails(self, plan: Plan, kind: type[HoldfastError]) -> None:
        before = seen(self.space)
        with refused(kind):
            self.space.apply(plan)
        assert seen(self.space) == before
