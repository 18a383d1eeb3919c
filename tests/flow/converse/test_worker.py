"""The worker: works behind the conversation, stops when told, and no broken job keeps others waiting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Holdfast, NotFound, Settings, Worker
from holdfast.model.plan import Job
from holdfast.settings import EmbedderSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

QUICK = Settings(embedder=EmbedderSettings(name="hashing"))
LONG = 30.0  # seconds that no quiet or busy machine needs


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def hf(tmp_path, clock):
    with Holdfast(tmp_path / "house", Own(settings=QUICK, clock=clock)) as house:
        yield house


def queued(me, clock, kind="embed", **how):
    job = Job(id=clock.new_id(), kind=kind, key="", payload={}, run_at=clock.now(), **how)
    me._scope.store.enqueue([job])
    return job


@pytest.mark.row("M17")
def test_a_worker_in_the_background_does_what_waits_and_ends_when_told(hf, clock):
    me, done = hf.space("user:ada", profile="assistant"), threading.Event()
    with Worker(hf, every=0.01, idle=0.02, told=lambda report: done.set()) as worker:
        queued(me, clock)
        assert done.wait(LONG)
    assert me.jobs() == []
    assert worker.stop()


@pytest.mark.row("M17")
def test_a_nudged_worker_does_not_sit_out_its_pause(hf, clock):
    me, done = hf.space("user:ada", profile="assistant"), threading.Event()
    with Worker(hf, every=3600.0, idle=3600.0, told=lambda report: done.set()) as worker:
        queued(me, clock)
        worker.nudge()
        assert done.wait(LONG)


def test_work_ends_between_two_jobs_when_it_is_told_to(hf, clock):
    me = hf.space("user:ada", profile="assistant")
    for _ in range(3):
        queued(me, clock)
    looks = iter([False, False, True])
    assert hf.work(until=lambda: next(looks, True)).done == 1
    assert len(me.jobs()) == 2


def test_a_space_that_cannot_be_read_keeps_no_other_waiting(tmp_path, clock):
    with Holdfast(tmp_path / "house", Own(settings=QUICK, clock=clock)) as hf:
        broken, sound = hf.space("a", profile="assistant"), hf.space("b", profile="assistant")
        place = {record.name: record.id for record in hf.spaces()}["a"]
        queued(broken, clock)
        queued(sound, clock)
    (file,) = (tmp_path / "house").rglob(f"{place}*.db")
    for other in file.parent.glob(f"{place}*"):
        other.write_bytes(b"rubbish" * 1000)
    with Holdfast(tmp_path / "house", Own(settings=QUICK, clock=clock)) as hf:
        report = hf.work()
        assert report.done == 1
        assert len(report.errors) == 1
        assert report.errors[0].startswith("a: ")
        assert hf.space("b").jobs() == []


@pytest.mark.row("M17")
def test_a_parked_job_is_tried_again_or_dropped_with_a_reason(hf, clock):
    me = hf.space("user:ada", profile="assistant")
    one, other = queued(me, clock), queued(me, clock)
    for job in (one, other):
        me._scope.store.fail(job.id, error="the model was away", retry_at=None)
    assert [job.error for job in me.jobs(failed=True)] == ["the model was away"] * 2
    assert hf.work().done == 0
    assert me.retry_job(one.id).run_at == clock.now()
    assert hf.work().done == 1
    me.drop_job(other.id, "no longer wanted")
    assert me.jobs(failed=True) == []
    entry = me.ledger(limit=100)[-1]
    assert (entry.verb, entry.reasons) == ("drop_job", ("dropped: embed", "no longer wanted"))
    with pytest.raises(NotFound, match="no such job"):
        me.retry_job(other.id)
    assert me.verify().ok


@pytest.mark.row("M17")
def test_a_worker_process_ends_in_peace_when_it_is_asked_to(tmp_path):
    now = datetime.now(UTC)
    with Holdfast(tmp_path / "house", Own(settings=QUICK)) as hf:
        me = hf.space("user:ada", profile="assistant")
        me._scope.store.enqueue([Job(id="j1", kind="embed", key="", payload={}, run_at=now)])
    environment = {
        **os.environ,
        "HOLDFAST_HOME": str(tmp_path / "house"),
        "HOLDFAST_EMBEDDER": "hashing",
        "PYTHONPATH": str(Path(__file__).resolve().parents[3] / "src"),
    }
    command = [sys.executable, "-c", "from holdfast.serve.cli.main import main; main()"]
    command += ["worker", "--json", "--every", "0.1"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        said = ""
        while '"done": 1' not in said:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=LONG)
    assert (process.returncode, err) == (0, "")
    with Holdfast(tmp_path / "house", Own(settings=QUICK)) as hf:
        assert "embed" not in [job.kind for job in hf.space("user:ada").jobs()]  # the calendar stays
