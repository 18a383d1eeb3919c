"""The contract of the durable queue: leases that run out, keys that make work idempotent, kept failures."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.testing.stores.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.model.plan import Job

MINUTE = timedelta(minutes=1)


class QueueContract(Trial):
    """`enqueue`, `lease`, `finish`, `fail`, `jobs`."""

    def test_a_job_comes_back_as_it_went_in(self) -> None:
        job = self.job(payload={"ids": ["一", 2, None], "n": {"x": 1.5}})
        self.space.enqueue([job])
        assert self.space.jobs() == [job]

    def test_a_job_is_taken_once(self) -> None:
        self.space.enqueue([self.job(key="a")])
        (taken,) = self._lease()
        assert taken.attempts == 1
        assert self._lease() == []
        self.space.finish(taken.id)
        assert self.space.jobs() == []

    def test_a_dead_holder_loses_it_when_its_lease_runs_out(self) -> None:
        self.space.enqueue([self.job()])
        self._lease(seconds=60)
        self.samples.clock.advance(seconds=59)
        assert self._lease() == []
        self.samples.clock.advance(seconds=1)
        (taken,) = self._lease()
        assert taken.attempts == 2

    def test_jobs_are_taken_when_they_are_due_longest_due_first(self) -> None:
        now = self.samples.clock.now()
        later, sooner, now_due = (self.job(run_at=now + MINUTE * n, key=str(n)) for n in (3, 1, 0))
        self.space.enqueue([later, sooner, now_due])
        assert [job.id for job in self.space.jobs()] == [now_due.id, sooner.id, later.id]
        assert [job.id for job in self._lease(limit=5)] == [now_due.id]
        self.samples.clock.advance(minutes=3)
        assert [job.id for job in self._lease(limit=1)] == [now_due.id]
        assert [job.id for job in self._lease(limit=5)] == [sooner.id, later.id]

    def test_only_the_kinds_asked_for_are_taken(self) -> None:
        self.space.enqueue([self.job(kind="embed", key="1"), self.job(kind="judge", key="2")])
        assert [job.kind for job in self._lease(kinds=["judge", "brief"], limit=5)] == ["judge"]
        assert [job.kind for job in self._lease(limit=5)] == ["embed"]

    def test_a_key_that_waits_is_not_added_twice(self) -> None:
        first, second = self.job(key="embed"), self.job(key="embed")
        self.space.enqueue([first, second])
        self.space.enqueue([self.job(key="embed")])
        self.space.apply(self.samples.plan(jobs=(self.job(key="embed"),)))
        assert self.space.jobs() == [first]

    def test_an_empty_key_equals_none(self) -> None:
        self.space.enqueue([self.job(key=""), self.job(key="")])
        assert len(self.space.jobs()) == 2

    def test_the_same_work_can_be_asked_for_while_it_is_being_done(self) -> None:
        self.space.enqueue([self.job(key="embed")])
        self._lease()
        self.space.enqueue([self.job(key="embed")])
        assert len(self.space.jobs()) == 2

    def test_an_id_is_added_once(self) -> None:
        job = self.job(key="")
        self.space.enqueue([job, job])
        assert self.space.jobs() == [job]

    def test_a_failed_try_goes_back_with_its_error(self) -> None:
        self.space.enqueue([self.job()])
        (taken,) = self._lease()
        again = self.samples.clock.now() + MINUTE
        self.space.fail(taken.id, error="模型不在", retry_at=again)
        assert self._lease() == []
        self.samples.clock.advance(minutes=1)
        (second,) = self._lease()
        assert (second.attempts, second.error, second.run_at) == (2, "模型不在", again)

    def test_what_failed_for_good_is_parked_for_a_person_to_see(self) -> None:
        self.space.enqueue([self.job(key="embed")])
        (taken,) = self._lease()
        self.space.fail(taken.id, error="gave up", retry_at=None)
        self.samples.clock.advance(days=9)
        assert self._lease() == []
        assert self.space.jobs() == []
        assert [(job.id, job.error) for job in self.space.jobs(failed=True)] == [(taken.id, "gave up")]
        self.space.enqueue([self.job(key="embed")])
        assert len(self.space.jobs()) == 1

    def test_what_is_gone_is_passed_over(self) -> None:
        self.space.finish("gone")
        self.space.fail("gone", error="", retry_at=None)
        assert self.space.jobs() == self.space.jobs(failed=True) == []

    def test_jobs_of_a_plan_are_there_with_it(self) -> None:
        job = self.job()
        self.space.apply(self.samples.plan(self.samples.memory(), jobs=(job,)))
        assert self.space.jobs() == [job]

    def _lease(self, *, seconds: float = 60, kinds: Sequence[str] = (), limit: int = 1) -> list[Job]:
        return self.space.lease(now=self.samples.clock.now(), seconds=seconds, kinds=kinds, limit=limit)
