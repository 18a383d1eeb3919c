"""The truth of a house on disk or on a server, seen through the library: proven, whole, and nobody else's."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import apsw
import psycopg
import pytest

from holdfast import Holdfast
from holdfast.settings import EmbedderSettings, Settings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

SAID = (
    "我每天早上喝咖啡",
    "奶奶的藥在左邊的抽屜",
    "Alice lives in Berlin",
    "the spare key is under the pot",
    "我不吃香菜",
)
SMALL = Settings(embedder=EmbedderSettings(name="hashing", dimensions=32))


def opened(house):
    return Holdfast(house, Own(settings=SMALL, clock=ManualClock()))


@pytest.fixture(params=["directory", "postgres"])
def house(request, place):
    """A house with one space and one ledger entry for each thing said; closed."""
    where = place(request.param)
    with opened(where) as hf:
        me = hf.space("user:alice", profile="assistant")
        for said in SAID:
            assert me.remember(said).memory
        assert hf.verify("user:alice").ok
    return where


def behind(house):
    """A way into what is stored, past Holdfast and its rights."""
    if isinstance(house, str):
        superuser = house.replace("house@", "postgres@")
        return psycopg.connect(superuser, autocommit=True, options="-c search_path=holdfast")
    (file,) = (house / "spaces").glob("*.db")
    return apsw.Connection(str(file))


def tampered(house, *statements):
    """Changes what is stored behind Holdfast's back and says what verify finds."""
    with closing(behind(house)) as db:
        for statement in statements:
            db.execute(statement)
    with opened(house) as hf:
        return hf.verify("user:alice")


@pytest.mark.row("B3")
@pytest.mark.parametrize("column", ["body", "hash"])
def test_a_changed_entry_is_found_and_named(column, house):
    report = tampered(house, f"UPDATE entry SET {column} = replace({column}, '1', '2') WHERE number = 3")
    assert not report.ok
    assert "entry 3" in report.problems[0]
    assert report.entries == 2


@pytest.mark.row("B3")
def test_a_missing_entry_is_found_and_named(house):
    report = tampered(house, "DELETE FROM entry WHERE number = 2")
    assert not report.ok
    assert "entry 2 is missing" in report.problems[0]


@pytest.mark.row("B3")
def test_entries_that_changed_places_are_found_and_named(house):
    report = tampered(
        house,
        "UPDATE entry SET number = 99 WHERE number = 2",
        "UPDATE entry SET number = 2 WHERE number = 3",
        "UPDATE entry SET number = 3 WHERE number = 99",
    )
    assert not report.ok
    assert "entry 2 is missing before entry 3" in report.problems[0]
    assert any("out of order" in problem for problem in report.problems)


@pytest.mark.row("B3")
def test_entries_that_were_cut_off_are_found_by_the_anchor_in_the_catalog(house):
    report = tampered(
        house,
        "DELETE FROM entry WHERE number > 3",
        "DELETE FROM version WHERE entry > 3",
        "DELETE FROM image WHERE row NOT IN (SELECT memory FROM version)",
        "DELETE FROM memory WHERE row NOT IN (SELECT memory FROM version)",
    )
    assert not report.ok
    assert report.entries == 3
    assert "entries 4 to 5 are gone" in report.problems[0]


@pytest.mark.row("B3")
def test_words_that_were_changed_behind_the_ledger_are_found(house):
    report = tampered(house, "UPDATE version SET body = replace(body, 'Berlin', 'Munich')")
    assert not report.ok
    assert report.entries == len(SAID)
    assert "was changed" in report.problems[0]


@pytest.mark.row("B3")
def test_a_memory_that_was_hidden_behind_the_ledger_is_found(house):
    report = tampered(house, "UPDATE memory SET status = 'deleted' WHERE row = 1")
    assert not report.ok
    assert "listed as something else" in report.problems[0]


@pytest.mark.row("B11")
def test_a_house_without_its_indexes_is_rebuilt_from_the_truth(house):
    with opened(house) as hf:
        before = [
            hit.memory.content for hit in hf.space("user:alice").recall("where does Alice live", limit=3)
        ]
    assert before[0] == "Alice lives in Berlin"
    tampered(house, "DELETE FROM image", "DELETE FROM vector", "DELETE FROM embedder", "DELETE FROM removed")
    with opened(house) as hf:
        assert {drift.what for drift in hf.doctor()} == {"missing"}
        assert hf.repair("user:alice") == len(SAID)
        hf.work()
        assert hf.doctor() == []
        me = hf.space("user:alice")
        assert [hit.memory.content for hit in me.recall("where does Alice live", limit=3)] == before


@pytest.mark.row("M5")
def test_every_version_of_an_edit_and_a_soft_deletion_stays(house):
    with opened(house) as hf:
        me = hf.space("user:alice")
        (memory,) = [memory for memory in me.list() if "Berlin" in memory.content]
        revised = me.revise(memory.id, content="Alice lives in Munich").memory
        me.forget(revised.id)
        history = [version.content for version in me.history(revised.id)]
        assert "Alice lives in Munich" in history
        assert me.get(revised.id).status == "deleted"
        me.restore(revised.id)
        assert me.get(revised.id).content == "Alice lives in Munich"
        assert hf.verify("user:alice").ok


@pytest.mark.row("A1")
@pytest.mark.row("P7")
def test_two_spaces_are_two_files_that_hold_nothing_of_each_other(tmp_path):
    with opened(tmp_path) as hf:
        for name, said in (("project:甲", "甲的料号是 RM05-008"), ("project:乙", "乙的料号是 RM05-009")):
            hf.space(name, profile="team").remember(said, layer="fact")
        files = {record.name: tmp_path / "spaces" / f"{record.id}.db" for record in hf.spaces()}
    assert b"RM05-008" in files["project:甲"].read_bytes()
    assert b"RM05-009" not in files["project:甲"].read_bytes()
    assert b"RM05-008" not in files["project:乙"].read_bytes()
    assert "乙".encode() not in files["project:甲"].read_bytes()


PROGRAM = """
import sys
from holdfast import Holdfast
from holdfast.settings import EmbedderSettings, Settings
from holdfast.wire import Own

own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing", dimensions=32)))
with Holdfast(sys.argv[1], own) as hf:
    me = hf.space("user:alice", profile="assistant")
    for number in range(12):
        out = me.remember(f"process {sys.argv[2]} saw bird {number} on {number * 37 % 101}", kind="event")
        sys.stdout.write(out.memory.id + "\\n")
"""


@pytest.mark.parametrize("engine", ["directory", "postgres"])
def test_processes_that_remember_in_one_space_at_once_lose_nothing(engine, place):
    where = place(engine)
    command = [sys.executable, "-c", PROGRAM, str(where)]
    running = [
        subprocess.Popen([*command, str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    told = [process.communicate(timeout=120) for process in running]
    assert [err for _, err in told if err] == []
    ids = {id for out, _ in told for id in out.split()}
    with opened(where) as hf:
        me = hf.space("user:alice")
        assert ids <= {memory.id for memory in me.list(limit=1000)}
        assert hf.verify("user:alice").ok
        assert hf.doctor() == []
