"""A process killed in the middle of an end, or of a job: the rest is done later, and nothing twice."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast import Holdfast
from holdfast.wire import Own

from .talker import QUICK

TALKER = Path(__file__).with_name("talker.py")
LATER = datetime.now(UTC) + timedelta(hours=1)  # the lease of whoever was killed has run out


def killed_at(house, where):
    command = [sys.executable, str(TALKER), str(house), where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said = process.stdout.readline()
        process.kill()
        _, err = process.communicate(timeout=60)
    assert said, err
    return said


def facts(me):
    return [(m.content, str(m.status), m.mentions) for m in me.list(layer="fact")]


@pytest.mark.row("M7")
@pytest.mark.row("M17")
@pytest.mark.parametrize("where", ["summary", "job"])
def test_an_end_that_was_killed_half_way_is_finished_and_nothing_is_there_twice(tmp_path, where):
    assert "between" in killed_at(tmp_path / "house", where)
    with Holdfast(tmp_path / "house", Own(settings=QUICK)) as hf:
        lin = hf.space("patient:lin")
        assert len(lin.list(layer="episode")) == 1
        assert facts(lin) == []
        if where == "job":
            assert hf.work().done == 0, "somebody holds it until the lease runs out"
            assert hf.work(at=LATER).errors == ()
        ended = lin.converse("evening").end()
        assert ended.repeated is (where == "job")
        assert [str(out.decision) for out in ended.observations] == ["accepted", "pending"]
        assert lin.converse("evening").end().repeated
        assert len(lin.list(layer="episode")) == 1
        assert facts(lin) == [("今天女儿小红来看我了", "active", 1), ("我喜欢吃拉面", "pending", 1)]
        assert lin.verify().ok


@pytest.mark.row("C3")
@pytest.mark.row("M17")
def test_a_job_that_was_done_but_not_said_to_be_is_not_done_twice(tmp_path):
    assert "not said so" in killed_at(tmp_path / "house", "commit")
    with Holdfast(tmp_path / "house", Own(settings=QUICK)) as hf:
        me = hf.space("patient:lin")
        before = {m.id: m.version for m in me.list(limit=100)}
        curated = [entry.change for entry in me.ledger(limit=100) if entry.verb == "curate"]
        assert len(curated) == 1
        assert hf.work(at=LATER).errors == ()
        assert [job.kind for job in me.jobs()] == ["end"]  # by itself, hours later
        after = [entry.change for entry in me.ledger(limit=100) if entry.verb == "curate"]
        assert len(after) == len(set(after)) == 2
        first = me._scope.store.change(curated[0])
        assert all(before[touched.id] == touched.after for touched in first.touched)
        assert me.verify().ok
