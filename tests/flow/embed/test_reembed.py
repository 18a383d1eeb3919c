"""Another embedder without downtime (B7): built beside, switched at once, rolled back, followed by all."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from holdfast import Actor, EmbedderSettings, Forbidden, InvalidInput, Settings
from holdfast.errors import Unavailable

MANY = 700


def found(space, question):
    return [hit.memory.content for hit in space.recall(question, limit=1).hits]


def used(space):
    return space.recall("anything").searched["embedder"]


@pytest.fixture
def filled(opened, embedder, facts):
    hf = opened(embedder)
    me = hf.space("user:ada", profile="assistant")
    me.remember_many([{"content": fact, "layer": "episode"} for fact in facts])
    return hf, me


@pytest.mark.row("B7")
@pytest.mark.parametrize("where", ["memory", "directory"])
def test_a_space_goes_over_to_another_embedder_and_back(
    opened, embedder, other, facts, meanings, where, tmp_path
):
    hf = opened(embedder, "memory://" if where == "memory" else tmp_path / "house")
    me = hf.space("user:ada", profile="assistant")
    me.remember_many([{"content": fact, "layer": "episode"} for fact in facts])
    gone = hf.reembed("user:ada", other)
    assert (gone.embedder, gone.before, gone.made, gone.dropped) == (other.name, embedder.name, 3, 0)
    assert used(me) == other.name
    assert [found(me, question) for question, _ in meanings] == [[fact] for fact in facts]
    new = me.remember("Der neue Nachbar heißt Jonas").memory
    assert me.stats().embedded == {embedder.name: 3, other.name: 4}
    back = hf.reembed("user:ada", back=True)
    assert (back.embedder, back.before, back.made) == (embedder.name, other.name, 1)
    assert used(me) == embedder.name
    assert me.recall("Der neue Nachbar heißt Jonas", limit=1).hits[0].memory.id == new.id
    assert me.verify().ok


@pytest.mark.row("B7")
def test_reads_and_writes_go_on_while_it_is_built_and_what_was_written_has_a_new_vector(
    filled, embedder, other, facts, meanings
):
    hf, me = filled
    me.remember_many([{"content": f"note number {i} 记录", "layer": "episode"} for i in range(MANY)])
    seen, kept = [], []

    def meanwhile():
        other.before = lambda: None
        seen.append((used(me), [found(me, question) for question, _ in meanings]))
        said = f"written meanwhile, {len(kept)} 其间"
        kept.append(me.remember(said, layer="episode").memory.id)
        other.before = meanwhile

    other.before = meanwhile
    result = hf.reembed("user:ada", other)
    other.before = lambda: None
    assert len(kept) >= MANY // 256
    assert all(answers == [[fact] for fact in facts] for _, answers in seen)
    names = [name for name, _ in seen]
    assert names == sorted(names, key=(embedder.name, other.name).index)
    assert names.count(embedder.name) > MANY // 256
    total = MANY + len(facts) + len(kept)
    assert result.made >= MANY + len(facts)
    assert me.stats().embedded[other.name] == total
    assert used(me) == other.name
    hits = me.recall("written meanwhile 其间", limit=20).hits
    assert {hit.memory.id for hit in hits} >= set(kept)


@pytest.mark.row("B7")
def test_threads_that_read_and_write_all_the_time_never_see_half_a_switch(filled, embedder, other, meanings):
    hf, me = filled
    over, wrong, written = threading.Event(), [], []

    def use():
        while not over.is_set():
            answer = me.recall(meanings[0][0], limit=1)
            if answer.degraded or answer.hits[0].memory.content != meanings[0][1]:
                wrong.append(answer)
            written.append(me.remember(f"said in passing {len(written)} {threading.current_thread().name}"))

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        hf.reembed("user:ada", other)
        hf.reembed("user:ada", back=True)
    over.set()
    for thread in threads:
        thread.join()
    hf.reembed("user:ada")
    assert not wrong
    assert written
    assert me.stats().embedded[embedder.name] == len(me.list(limit=1000))


@pytest.mark.row("B7")
def test_what_was_stopped_half_way_goes_on_where_it_stopped(filled, opened, embedder, other, facts, meanings):
    hf, me = filled
    me.remember_many([{"content": f"note number {i} 记录", "layer": "episode"} for i in range(MANY)])
    rounds = iter(range(2))

    def fail():
        if next(rounds, None) is None:
            raise Unavailable("the power went")

    other.before = fail
    with pytest.raises(Unavailable, match="power"):
        hf.reembed("user:ada", other)
    other.before = lambda: None
    assert used(me) == embedder.name
    assert [found(me, question) for question, _ in meanings] == [[fact] for fact in facts]
    done = me.stats().embedded[other.name]
    assert 0 < done < MANY
    again = opened(embedder)
    assert again.reembed("user:ada", other).made == MANY + len(facts) - done
    assert again.space("user:ada").stats().embedded == dict.fromkeys(
        (embedder.name, other.name), MANY + len(facts)
    )


@pytest.mark.row("B7")
def test_a_house_that_has_the_space_open_follows_the_switch(opened, meanings, facts):
    use, fewer = (EmbedderSettings(name="hashing", dimensions=size) for size in (64, 32))
    mine, theirs = (opened(settings=Settings(embedder=use)) for _ in range(2))
    me = mine.space("user:ada", profile="assistant")
    me.remember_many(facts)
    other = theirs.space("user:ada")
    assert used(other) == "hashing/64"
    mine.reembed("user:ada", fewer)
    assert used(other) == "hashing/32"
    assert found(other, facts[2]) == [facts[2]]
    other.remember("Said by the other process after the switch")
    assert me.stats().embedded == {"hashing/64": 3, "hashing/32": 4}
    assert mine.reembed("user:ada", back=True).made == 1
    assert used(other) == "hashing/64"


@pytest.mark.row("B7")
def test_a_space_keeps_its_embedder_whatever_the_settings_say(opened, facts):
    old, new = (Settings(embedder=EmbedderSettings(name="hashing", dimensions=size)) for size in (64, 32))
    first = opened(settings=old)
    first.space("user:ada", profile="assistant").remember_many(facts)
    first.close()
    second = opened(settings=new)
    me = second.space("user:ada")
    me.remember("Said under other settings")
    assert (used(me), used(second.space("user:bo", profile="assistant"))) == ("hashing/64", "hashing/32")
    assert me.stats().embedded == {"hashing/64": 4}


@pytest.mark.row("B7")
def test_an_embedder_that_cannot_be_made_again_is_one_that_is_down_and_says_so(
    opened, filled, embedder, other, facts
):
    filled[0].close()
    hf = opened(other)
    me = hf.space("user:ada")
    outcome = me.remember("Said where the embedder is not")
    assert "found by its words until it is embedded" in outcome.reasons[-1]
    (reason,) = me.recall("浓缩").degraded
    assert "'meaning/64', which was brought along" in reason
    assert found(me, "浓缩") == [facts[0]]
    assert me.stats().embedded == {embedder.name: 3}
    assert hf.reembed("user:ada", other).made == 4
    assert me.recall("浓缩").degraded == ()


def test_old_vectors_are_dropped_only_when_asked(filled, embedder, other):
    hf, me = filled
    hf.reembed("user:ada", other)
    assert hf.reembed("user:ada", drop_old=True).dropped == 3
    assert me.stats().embedded == {other.name: 3}
    with pytest.raises(InvalidInput, match="no embedder before"):
        hf.reembed("user:ada", back=True)
    assert hf.reembed("user:ada", embedder, drop_old=True).made == 3
    assert me.stats().embedded == {embedder.name: 3}


def test_an_embedder_that_does_not_answer_is_not_gone_over_to(filled, embedder, other):
    hf, me = filled
    other.down = True
    with pytest.raises(Unavailable):
        hf.reembed("user:ada", other)
    assert used(me) == embedder.name
    other.down, other.dimensions = False, 95
    with pytest.raises(Unavailable, match="95"):
        hf.reembed("user:ada", other)
    assert used(me) == embedder.name


def test_only_who_may_manage_a_space_switches_it_and_the_ledger_says_so(filled, opened, embedder, other):
    hf, me = filled
    hf.reembed("user:ada", other)
    entry = me.ledger()[-1]
    assert (entry.verb, entry.reasons) == ("reembed", (f"from {embedder.name} to {other.name}",))
    agent = replace(Actor("agent", "ear"))
    with pytest.raises(Forbidden):
        opened(embedder, actor=agent).reembed("user:ada", back=True)


def test_both_ways_at_once_are_refused(filled, other):
    with pytest.raises(InvalidInput, match="beside back"):
        filled[0].reembed("user:ada", other, back=True)


def test_a_straggler_that_ends_after_the_switch_is_embedded_by_a_job(filled, clock, embedder, other, facts):
    hf, me = filled
    scope = me._scope
    hf.reembed("user:ada", other)
    late = type(me)(scope)
    late._known = _Pinned(scope)
    late.remember("说到一半时换了 embedder")
    assert me.stats().embedded == {embedder.name: 4, other.name: 3}
    clock.advance(minutes=5)
    hf.work()
    assert me.stats().embedded == {embedder.name: 4, other.name: 4}


class _Pinned:
    """A scope that does not look whether the embedder was switched: that of a verb already under way."""

    def __init__(self, scope):
        self._scope = scope

    def current(self):
        return self

    def __getattr__(self, name):
        return getattr(self._scope, name)
