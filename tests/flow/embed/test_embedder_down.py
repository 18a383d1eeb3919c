"""An embedder that is down or missing never loses a write: kept, found by words, embedded later."""

from __future__ import annotations

import pytest

from holdfast import Decision, EmbedderSettings, Settings

WORDS = ("浓缩", "花蓮", "shoulder")


def found(space, question):
    return [hit.memory.content for hit in space.recall(question, limit=1).hits]


@pytest.mark.parametrize("where", ["memory", "directory"])
def test_what_is_told_while_the_embedder_is_down_is_kept_and_found_by_its_words(
    opened, embedder, facts, where, tmp_path
):
    hf = opened(embedder, "memory://" if where == "memory" else tmp_path / "house")
    me = hf.space("user:ada", profile="assistant")
    embedder.down = True
    outcomes = me.remember_many([{"content": fact, "kind": "fact"} for fact in facts])
    assert [outcome.decision for outcome in outcomes] == [Decision.ACCEPTED] * 3
    assert all("found by its words until it is embedded" in outcome.reasons[-1] for outcome in outcomes)
    assert [found(me, word) for word in WORDS] == [[fact] for fact in facts]
    assert me.recall("浓缩").degraded == ("words only: the embedder is being repaired",)
    assert [job.kind for job in me.jobs()] == ["embed"]
    assert me.stats().embedded == {}


def test_when_it_is_back_the_work_that_waited_makes_them_findable_by_meaning(
    opened, embedder, facts, meanings, clock
):
    hf = opened(embedder)
    me = hf.space("user:ada", profile="assistant")
    embedder.down = True
    for fact in facts:
        me.remember(fact, kind="fact")
    assert len(me.jobs()) == 1
    report = hf.work()
    assert (report.retried, report.parked) == (1, 0)
    assert "being repaired" in report.errors[0]
    embedder.down = False
    clock.advance(minutes=1)
    assert hf.work().done == 1
    assert me.jobs() == []
    assert [found(me, question) for question, _ in meanings] == [[fact] for fact in facts]
    assert me.recall("早上喝什么").degraded == ()
    assert me.stats().embedded == {embedder.name: 3}


def test_the_work_waits_through_the_end_of_the_process(opened, embedder, facts, meanings):
    embedder.down = True
    first = opened(embedder)
    first.space("user:ada", profile="assistant").remember_many(facts)
    first.close()
    embedder.down = False
    second = opened(embedder)
    me = second.space("user:ada")
    assert second.work().done == 1
    assert [found(me, question) for question, _ in meanings] == [[fact] for fact in facts]


def test_an_edit_while_it_is_down_is_embedded_anew(opened, embedder, facts, meanings):
    hf = opened(embedder)
    me = hf.space("user:ada", profile="assistant")
    memory = me.remember("The spare key hangs in the shed").memory
    embedder.down = True
    me.revise(memory.id, content=facts[2])
    assert found(me, "shoulder") == [facts[2]]
    embedder.down = False
    hf.work()
    assert found(me, meanings[2][0]) == [facts[2]]


def test_more_than_one_batch_of_work_is_done_by_as_many_jobs(opened, embedder):
    hf = opened(embedder)
    me = hf.space("user:ada", profile="assistant")
    embedder.down = True
    me.remember_many([{"content": f"note number {i} 记录", "layer": "episode"} for i in range(600)])
    embedder.down = False
    assert hf.work().done == 3
    assert me.stats().embedded == {embedder.name: 600}


def test_an_embedder_that_is_not_installed_is_one_that_is_down(opened, facts):
    settings = Settings(embedder=EmbedderSettings(name="sentence-transformers", model="all-mpnet-base-v2"))
    me = opened(settings=settings).space("user:ada", profile="assistant")
    outcome = me.remember(facts[0])
    assert outcome.decision is Decision.ACCEPTED
    assert "sentence-transformers" in outcome.reasons[-1]
    assert found(me, "浓缩") == [facts[0]]
    (reason,) = me.recall("浓缩").degraded
    assert "pip install" in reason
