"""A steward killed in the middle of a run (kill -9): the next goes on with that run, and ends the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from holdfast import Holdfast, Settings
from holdfast.rounds.lease import SECONDS
from holdfast.settings import EmbedderSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

SAID = datetime(2026, 1, 1, tzinfo=UTC)
DUE = SAID + timedelta(days=400)
MANY = 1600  # four pages


def opened(place, now):
    own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing")), clock=ManualClock(now))
    return Holdfast(place, own)


def state(me):
    every = me.list(status=["active", "archived"], limit=10_000)
    return {m.id: (str(m.status), str(m.level), m.content) for m in every}


@pytest.mark.row("B10")
def test_a_killed_steward_is_followed_by_one_that_ends_where_an_unbroken_one_does(tmp_path):
    with opened(tmp_path / "house", SAID) as hf:
        me = hf.space("user:ada", profile="assistant")
        rows = np.random.default_rng(1).standard_normal((MANY, 256))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        told = {"kind": "note", "sensitivity": 0, "at": SAID}
        me.remember_many(
            [{"content": f"number {count}", "vector": row.tolist(), **told} for count, row in enumerate(rows)]
        )
    shutil.copytree(tmp_path / "house", tmp_path / "twin")
    with opened(tmp_path / "twin", DUE) as hf:
        hf.space("user:ada").steward.run(at=DUE, rules=["compress"])
        expected = state(hf.space("user:ada"))
    killed(tmp_path / "house")
    later = datetime.now(UTC) + timedelta(seconds=SECONDS + 1)
    with opened(tmp_path / "house", later) as hf:
        me = hf.space("user:ada")
        half = sum(level == "archive" for _, level, _ in state(me).values())
        assert 0 < half < MANY
        me.steward.run(at=DUE, rules=["compress"])
        assert state(me) == expected
        assert [(run.done, run.memories) for run in me.steward.log()] == [({"compress: archive": MANY}, MANY)]
        assert me.verify().ok
        assert hf.doctor() == []
        assert me.steward.run(at=DUE, rules=["compress"]).steps == ()


def killed(place):
    """Starts the steward from the terminal and kills it as soon as it has done its first page."""
    environment = {**os.environ, "HOLDFAST_HOME": str(place), "HOLDFAST_EMBEDDER": "hashing"}
    command = [sys.executable, "-m", "holdfast.serve.cli", "steward", "run", "--all", "--rule", "compress"]
    with opened(place, DUE) as hf:
        store = hf.space("user:ada")._scope.store
        before = store.sequence()
        with subprocess.Popen(
            [*command, "--at", DUE.isoformat()], env=environment, stdout=subprocess.DEVNULL
        ) as process:
            while store.sequence() == before and process.poll() is None:
                time.sleep(0.002)
            process.kill()
