"""All or nothing: late embeddings, writers at once, odd input: nothing is ever half written."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.engine import Holdfast
from holdfast.errors import HoldfastError, InvalidInput, Unavailable
from holdfast.model.draft import Draft
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own


class Sometimes(HashingEmbedder):
    """An embedder that can be away."""

    away = False

    def embed(self, texts):
        if self.away:
            raise Unavailable("the embedder is away")
        return super().embed(texts)


@pytest.fixture(params=["memory", "directory", "postgres"])
def late(request, place, judge, clock):
    embedder = Sometimes(32)
    with Holdfast(place(request.param), Own(embedder=embedder, judge=judge, clock=clock)) as hf:
        yield hf, embedder


@pytest.mark.parametrize("words", ["她喜欢龙井茶", "她喜歡龍井茶", "She likes green tea"])
def test_without_an_embedder_a_memory_is_kept_found_by_its_words_and_embedded_later(late, clock, words):
    hf, embedder = late
    me = hf.space("ada", profile="assistant")
    embedder.away = True
    out = me.remember(words)
    assert out.decision == "accepted"
    assert "embedder is away" in out.reasons[-1]
    me.remember(words)
    assert [hit.memory.id for hit in me.recall(words)] == [out.memory.id]
    assert (me.stats().embedded, me.stats().waiting_jobs) == ({}, 1)
    report = hf.work()
    assert (report.done, report.retried) == (0, 1)
    embedder.away = False
    assert hf.work().done == 0  # not before its time has come again
    clock.advance(minutes=5)
    assert hf.work().done == 1
    assert sum(me.stats().embedded.values()) == 1
    assert me.stats().waiting_jobs == 0


def test_a_job_that_keeps_failing_is_parked_for_a_person(late, clock):
    hf, embedder = late
    me = hf.space("ada", profile="assistant")
    embedder.away = True
    me.remember("她喜欢茶")
    tries = 0
    while me.stats().waiting_jobs:
        report = hf.work()
        tries += report.retried + report.parked
        clock.advance(days=1)
    assert report.parked == 1
    assert tries == 9


def test_a_ready_vector_is_not_embedded_again(late):
    hf, embedder = late
    me = hf.space("ada", profile="assistant")
    embedder.away = True
    vector = np.eye(32, dtype=np.float32)[0]
    out = me.remember("她喜欢茶", vector=vector * 7)
    assert out.reasons == ("new: nothing known says it or contradicts it",)
    assert sum(me.stats().embedded.values()) == 1
    assert me.revise(out.memory.id, content="她喜欢红茶").memory.version == 2
    assert me.stats().waiting_jobs == 1


@pytest.mark.parametrize(
    "vector", [[1.0] * 31, [], [0.0] * 32, [float("nan")] * 32, ["x"] * 32, [[1.0]] * 32, [10**400] * 32]
)
def test_a_vector_that_does_not_fit_is_named_and_nothing_is_written(space, vector):
    me = space()
    with pytest.raises(InvalidInput) as caught:
        me.remember_many(["她喜欢茶", {"content": "她喜欢花", "vector": vector}])
    assert caught.value.field == "items[1].vector"
    assert (me.list(), me.ledger()) == ([], [])


@pytest.mark.parametrize("spoilt", [{"kind": "nonsense"}, {"content": ""}, {"confidence": 2}, {"at": "soon"}])
def test_one_bad_item_and_nothing_of_the_batch_is_written(space, spoilt):
    me = space()
    items = [*(f"她说了第{n}句" for n in range(20)), {"content": "x", **spoilt}, "最后一句"]
    with pytest.raises(InvalidInput) as caught:
        me.remember_many(item for item in items)
    assert caught.value.field.startswith("items[20].")
    assert (me.list(), me.ledger()) == ([], [])


def test_a_generator_that_never_ends_writes_nothing(space):
    me = space()
    with pytest.raises(InvalidInput, match="smaller batches"):
        me.remember_many(f"第{n}句" for n in range(1_000_000))
    assert me.ledger() == []


def test_an_empty_batch_is_no_change(space):
    me = space()
    assert me.remember_many([]) == []
    assert me.ledger() == []


def test_writers_at_once_lose_nothing_and_keep_one_entry_of_the_same(space):
    me = space()
    failed = []

    def write(number):
        try:
            for turn in range(8):
                me.remember("大家都说的同一句话", source=f"writer-{number}")
                me.remember(f"第{number}人的第{turn}句话")
        except HoldfastError as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    memories = me.list()
    (shared,) = [memory for memory in memories if memory.content == "大家都说的同一句话"]
    assert (len(memories), shared.mentions, len(shared.sources)) == (33, 32, 4)
    assert me.verify().ok


odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(
        ["她喜欢茶", "她喜歡茶", "She likes tea", "fact", "session", "preference", "\ud800", "\x00"]
    ),
    st.datetimes(),
    st.datetimes(timezones=st.just(UTC)),
    st.lists(st.integers(0, 3) | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=2),
)
fields = st.sampled_from([*Draft.__dataclass_fields__, "colour"])
VERBS = [
    lambda me, it, said: me.remember(it, **{k: v for k, v in said.items() if k != "content"}),
    lambda me, it, said: me.remember_many([it, said]),
    lambda me, it, said: me.remember_many(it),
    lambda me, it, said: me.revise(
        known(me, it), **{k: v for k, v in said.items() if k not in ("at", "version")}
    ),
    lambda me, it, said: me.negate(known(me, said.get("kind")), it),
    lambda me, it, said: me.affirm(known(me, it), at=said.get("at")),
    lambda me, it, said: me.forget(known(me, it), said.get("label", "")),
    lambda me, it, said: me.restore(known(me, it), at=said.get("at")),
    lambda me, it, said: me.archive(known(me, it)),
    lambda me, it, said: me.mark_for_review(known(me, it), said.get("label")),
    lambda me, it, said: me.attach(known(me, it), modality=said.get("kind", "image"), text=said.get("label")),
    lambda me, it, said: me.approve(known(me, it), at=said.get("at")),
    lambda me, it, said: me.reject(known(me, it), said.get("label", "")),
    lambda me, it, said: me.undo(change(me, it)),
    lambda me, it, said: me.restore_to(said.get("at")),
    lambda me, it, said: me.store_entity(it, said.get("label"), confidence=said.get("confidence")),
    lambda me, it, said: me.detect_conflicts(it, said.get("label"), confidence=said.get("confidence")),
    lambda me, it, said: me.get_user_entities(it, limit=said.get("confidence")),
    lambda me, it, said: me.constitution.propose(it, priority=said.get("priority")),
    lambda me, it, said: me.constitution.propose_change(known(me, it), said.get("label")),
    lambda me, it, said: me.constitution.confirm(known(me, it), said.get("label")),
    lambda me, it, said: me.capture(it, metadata=said.get("metadata"), at=said.get("at")),
    lambda me, it, said: me.pending(after=it, limit=said.get("confidence")),
]


def known(me, it):
    """Often an id that is there, sometimes whatever came."""
    ids = [memory.id for memory in me.list(status=["active", "pending", "deleted", "archived"])]
    return ids[it % len(ids)] if isinstance(it, int) and ids else it


def change(me, it):
    entries = me.ledger()
    return entries[it % len(entries)].change if isinstance(it, int) and entries else it


def written(me):
    stats = me.stats()
    return stats.sequence, stats.memories, stats.quarantine, len(me.ledger(limit=10_000))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    calls=st.lists(
        st.tuples(st.sampled_from(VERBS), odd, st.dictionaries(fields, odd, max_size=4)),
        min_size=1,
        max_size=12,
    ),
    profile=st.sampled_from(["assistant", "care", "team", "entities"]),
)
def test_whatever_is_called_raises_only_named_errors_and_an_error_writes_nothing(judge, calls, profile):
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    with Holdfast("memory://", Own(embedder=HashingEmbedder(16), judge=judge, clock=clock)) as hf:
        me = hf.space("ada", profile=profile)
        me.remember("她喜欢茶", kind="preference")
        for verb, it, said in calls:
            clock.advance(minutes=1)
            before = written(me)
            failed = True
            with suppress(HoldfastError):
                verb(me, it, said)
                failed = False
            assert not failed or written(me) == before
        assert me.verify().ok
        assert hf.doctor() == []
