"""What is there whatever fails: the constitution, and an answer that says what was missing."""

from __future__ import annotations

import socket

import apsw
import pytest

from holdfast.engine import Holdfast
from holdfast.wire import Own

from .conftest import DAY, START, Fragile, QuietJudge, contents, kept

ENTRIES = ["你叫林秋兰，今年75岁", "你叫林秋蘭，今年75歲", "You are Ada Quillfeather, aged 75"]


@pytest.mark.row("M1")
@pytest.mark.parametrize("words", ENTRIES)
def test_the_constitution_comes_whole_with_every_answer_and_is_never_searched(space, entry, words):
    me = space("care")
    low = entry(me, "low: " + words, priority="low")
    high = entry(me, words, priority="high")
    fact = kept(me, "阳台上的花要浇水")
    answer = me.recall(words)
    assert [memory.id for memory in answer.constitution] == [high.id, low.id]
    assert contents(answer) == [fact.content]
    assert me.context(words).text.count(words) == 3  # both entries, and the question
    with pytest.raises(ValueError, match="constitution"):
        me.recall(words, layers=["constitution"])


@pytest.mark.row("M1")
def test_the_constitution_needs_no_embedder_and_words_still_answer(space, entry, embedder):
    me = space("care")
    entry(me, "Your daughter is Emily")
    kept(me, "The blue key opens the shed")
    kept(me, "Dinner is at six")
    embedder.down = True
    answer = me.recall("which key opens the shed")
    assert [memory.content for memory in answer.constitution] == ["Your daughter is Emily"]
    assert answer.hits[0].memory.content == "The blue key opens the shed"
    assert answer.step in {"words", "latest"}
    assert answer.degraded == ("words only: the embedder is asleep",)
    context = me.context("which key opens the shed")
    assert "Emily" in context.text
    assert "blue key" in context.text


@pytest.mark.row("M1")
def test_the_constitution_needs_no_index(tmp_path, clock, entry):
    own = Own(embedder=Fragile(), judge=QuietJudge(), clock=clock)
    with Holdfast(tmp_path, own) as house:
        me = house.space("user:ada", profile="care")
        entry(me, "Your daughter is Emily")
        kept(me, "The blue key opens the shed")
    (path,) = _space_files(tmp_path)
    db = apsw.Connection(str(path))
    db.execute("DROP TABLE image")
    db.close()
    with Holdfast(tmp_path, own) as house:
        me = house.space("user:ada")
        answer = me.recall("which key")
        assert [memory.content for memory in answer.constitution] == ["Your daughter is Emily"]
        assert contents(answer) == []
        assert "the index cannot be read" in answer.degraded[0]
        context = me.context("which key")
        assert "Emily" in context.text
        assert "which key" in context.text


def _space_files(folder):
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.read_bytes()[:15] == b"SQLite format 3":
            db = apsw.Connection(str(path))
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            db.close()
            if "image" in tables:
                found.append(path)
    return found


@pytest.mark.row("M1")
def test_a_changed_constitution_is_in_the_next_answer(space, entry):
    me = space("care")
    first = entry(me, "Your daughter is Emily")
    assert len(me.recall("daughter").constitution) == 1
    entry(me, "Your son is Tom")
    assert [memory.content for memory in me.recall("daughter").constitution] == [
        first.content,
        "Your son is Tom",
    ]


@pytest.mark.row("B1")
def test_remembering_and_recalling_need_no_network_in_either_language(tmp_path, monkeypatch):
    def refused(*_):
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    with Holdfast(tmp_path) as house:
        me = house.space("user:ada", profile="assistant")
        me.remember("我早上喜欢喝拿铁咖啡", at=START)
        me.remember("我的自行车停在地下室", at=START)
        me.remember("My sister lives in Leeds", at=START)
        for query, content in [
            ("早上喝什么", "我早上喜欢喝拿铁咖啡"),
            ("早上喝什麼", "我早上喜欢喝拿铁咖啡"),
            ("腳踏車在哪裡", "我的自行车停在地下室"),
            ("where does my sister live", "My sister lives in Leeds"),
        ]:
            assert me.recall(query, at=START).hits[0].memory.content == content


def test_a_late_vector_joins_without_a_new_recall_being_wrong(me, embedder, house, clock):
    embedder.down = True
    kept(me, "The blue key opens the shed")
    assert contents(me.recall("blue key")) == ["The blue key opens the shed"]
    embedder.down = False
    clock.advance(days=1)
    house.work()
    (hit,) = me.recall("blue key")
    assert hit.explain.arms["similarity"]["score"] > 0.3


def test_two_houses_on_one_directory_see_each_others_writes(tmp_path, clock):
    own = lambda: Own(embedder=Fragile(), judge=QuietJudge(), clock=clock)
    with Holdfast(tmp_path, own()) as one, Holdfast(tmp_path, own()) as other:
        here, there = one.space("user:ada", profile="assistant"), other.space("user:ada", profile="assistant")
        memory = kept(here, "tea at four")
        assert contents(there.recall("tea")) == ["tea at four"]
        there.revise(memory.id, content="tea at five")
        assert contents(here.recall("tea")) == ["tea at five"]
        here.forget(memory.id)
        assert contents(there.recall("tea")) == []


def test_time_of_day_in_a_question_is_that_of_the_asker(me):
    kept(me, "went to the market", layer="episode", at="2026-03-01T00:30+08:00")
    kept(me, "went to the harbour", layer="episode", at="2026-02-28T00:30+08:00")
    answer = me.recall("去了哪里 yesterday", at="2026-03-02T09:00+08:00", limit=1)
    assert contents(answer) == ["went to the market"]


def test_recall_moves_no_clock_but_counts(me):
    memory = kept(me, "tea at four", at=START - 5 * DAY)
    me.recall("tea", at=START)
    again = me.get(memory.id)
    assert (again.access_count, again.accessed_at) == (1, START)
    assert (again.version, again.updated_at, again.last_activated_at) == (
        1,
        memory.updated_at,
        START - 5 * DAY,
    )
