"""The calendar (A7): Sunday at two, in the zone of the settings, caught up once, by one runner."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast import Holdfast, InvalidInput, Settings, Worker
from holdfast.settings import EmbedderSettings, StewardSettings
from holdfast.steward.calendar import calendar
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own
from holdfast.worker import Keeper
from rounds.conftest import START, STATUSES, day
from rounds.test_time import kept

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"


def house_of(clock, where="memory://", **told):
    settings = Settings(
        embedder=EmbedderSettings(name="hashing"), steward=StewardSettings(**{"jitter_minutes": 0.0, **told})
    )
    return Holdfast(where, Own(settings=settings, clock=clock))


@pytest.mark.parametrize(
    ("text", "zone", "after", "due"),
    [
        ("sunday 02:00", "UTC", "2026-01-01T12:00", "2026-01-04T02:00"),
        ("sunday 02:00", "UTC", "2026-01-04T02:00", "2026-01-11T02:00"),
        ("sunday 02:00", "Asia/Shanghai", "2026-01-01T12:00", "2026-01-03T18:00"),
        ("03:30", "UTC", "2026-01-01T12:00", "2026-01-02T03:30"),
        ("03:30", "America/New_York", "2026-01-01T08:00", "2026-01-01T08:30"),
        ("sunday 02:30", "Europe/Berlin", "2026-03-27T00:00", "2026-03-29T01:30"),  # the hour that is skipped
        (
            "sunday 02:30",
            "Europe/Berlin",
            "2026-10-24T00:00",
            "2026-10-25T00:30",
        ),  # the hour that comes twice
    ],
)
def test_the_calendar_knows_zones_and_changes_of_clocks(text, zone, after, due):
    told = calendar("weekly", text, zone).next(datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert told == datetime.fromisoformat(due).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "told", [{"weekly": "someday 02:00"}, {"daily": "25:00"}, {"daily": ""}, {"zone": "Mars/Olympus"}]
)
def test_a_calendar_that_is_none_is_named(told):
    with house_of(ManualClock(START), **told) as hf:
        hf.space("user:ada", profile="entities")
        with pytest.raises(InvalidInput, match=r"settings\.steward"):
            hf.steward.keep()


@pytest.mark.row("A7")
def test_the_review_runs_on_sunday_at_two_by_itself_and_once_where_turns_were_missed(clock):
    with house_of(clock) as hf:
        me = hf.space("desk", profile="entities")
        id = kept(me, "part RM05-008 was ordered", at=START - timedelta(days=100))
        list(hf.steward.keep())
        clock.set(datetime(2026, 1, 4, 1, 59, tzinfo=UTC))
        list(hf.steward.keep())
        assert me.get(id).status == "active"
        clock.set(datetime(2026, 1, 4, 2, 0, tzinfo=UTC))
        assert [one.done for one in hf.steward.keep()] == [{"review: archive": 1}]
        assert me.get(id).status == "archived"
        assert list(hf.steward.keep()) == []
        clock.advance(days=40)  # the machine was off
        assert len(list(hf.steward.keep())) == 2  # the day and the week, once each
        assert list(hf.steward.keep()) == []
        assert {job.run_at for job in me.jobs()} == {
            datetime(2026, 2, 15, 2, tzinfo=UTC), datetime(2026, 2, 13, 3, 30, tzinfo=UTC),
        }  # fmt: skip


def test_the_calendar_outlives_the_process_and_another_one_counts_at_once(clock, tmp_path):
    with house_of(clock, tmp_path / "h") as hf:
        hf.space("desk", profile="entities")
        list(hf.steward.keep())
    clock.advance(days=20)
    with house_of(clock, tmp_path / "h") as hf:
        assert len(list(hf.steward.keep())) == 2
    with house_of(clock, tmp_path / "h", weekly="monday 05:00", zone="Asia/Shanghai") as hf:
        list(hf.steward.keep())
        assert datetime(2026, 1, 25, 21, tzinfo=UTC) in {job.run_at for job in hf.space("desk").jobs()}


def test_each_space_has_its_turn_at_a_time_of_its_own(clock):
    with house_of(clock, jitter_minutes=60.0) as hf:
        turns = set()
        for name in ("a", "b", "c", "d"):
            me = hf.space(name, profile="entities")
            list(hf.steward.keep())
            turns |= {job.run_at for job in me.jobs() if job.kind == "steward.weekly"}
        assert len(turns) == 4
        start = datetime(2026, 1, 4, 2, tzinfo=UTC)
        assert all(start <= turn <= start + timedelta(hours=1) for turn in turns)


@pytest.mark.row("C8")
@pytest.mark.parametrize("kind", ["worker", "keeper"])
def test_decay_runs_by_itself_in_a_thread(clock, kind):
    with house_of(clock) as hf:
        me = hf.space("star", profile="companion")
        id = kept(me, "the user tried a new noodle shop", kind="event")
        list(hf.steward.keep())
        clock.set(day(40))
        tending = Worker(hf, steward=True) if kind == "worker" else Keeper(hf)
        with tending:
            for _ in range(600):
                if me.get(id).status == "deleted":
                    break
                tending.nudge()
        assert (me.get(id).status, me.get(id).deletion) == ("deleted", "auto_cleanup")


def commands():
    """Every command line of the files for cron and systemd."""
    found = re.findall(r"^[\d*][\d* ]+?\s+(holdfast .*)$", (DEPLOY / "crontab").read_text(), re.MULTILINE)
    service = (DEPLOY / "holdfast-steward@.service").read_text()
    (line,) = re.findall(r"^ExecStart=/usr/bin/env (.*)$", service, re.MULTILINE)
    for timer in sorted(DEPLOY.glob("*.timer")):
        (unit,) = re.findall(r"^Unit=holdfast-steward@(\w+)\.service$", timer.read_text(), re.MULTILINE)
        found.append(line.replace("%i", unit))
    return found


@pytest.mark.row("A7")
def test_the_command_lines_of_cron_and_systemd_do_the_review_and_twice_changes_nothing(clock, tmp_path):
    assert sorted(commands()) == sorted(
        2 * [f"holdfast steward run --all --rule {one}" for one in ("daily", "weekly")]
    )
    with house_of(clock, tmp_path / "h") as hf:
        me = hf.space("desk", profile="entities")
        id = kept(me, "part RM05-008 was ordered", at=START - timedelta(days=100))
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path / "h"), "HOLDFAST_EMBEDDER": "hashing"}
    states = []
    for command in sorted(set(commands())):
        words = [sys.executable, "-m", "holdfast.serve.cli", *shlex.split(command)[1:]]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with house_of(clock, tmp_path / "h") as hf:
            states.append(str(hf.space("desk").get(id).status))
            assert len(hf.space("desk").list(status=list(STATUSES))) == 1
    assert states[-1] == "archived"
    with house_of(clock, tmp_path / "h") as hf:
        assert len(hf.space("desk").steward.log()) == 1
