"""Whatever is asked, and however many ask at once."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.engine import Holdfast
from holdfast.model.layer import Mode
from holdfast.profile import load as profiles
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

from .conftest import DAY, START, Fragile, QuietJudge, contents, kept

PRESETS = ("assistant", "entities", "personal", "care", "team", "companion")
TEXTS = (
    "我喜欢喝咖啡",
    "我喜歡喝拿鐵",
    "The blue key opens the shed",
    "料号 RM05-008 昨天到货",
    "[2026-03-01 18:00] 聊了电影",
)


@pytest.fixture(scope="module")
def full():
    """A small space of every preset."""
    with Holdfast(
        "memory://", Own(embedder=Fragile(), judge=QuietJudge(), clock=ManualClock(START))
    ) as house:
        for name in PRESETS:
            me = house.space(name, profile=name)
            for number, content in enumerate(TEXTS):
                layer = ("fact", "episode", "fact", "fact", "episode")[number]
                me.remember(
                    content, at=START - number * DAY, layer=layer, session=f"s{number % 2}", speaker="Ann"
                )
            me.store_entity("part_number", "RM05-008", confidence=0.9)
        yield house


asked = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 8),
        "mode": st.sampled_from(Mode),
        "layers": st.lists(st.sampled_from(["fact", "episode", "session"]), min_size=1),
        "session": st.sampled_from(["s0", "s9"]),
        "entity_type": st.sampled_from(["part_number", "x"]),
        "min_confidence": st.floats(0, 1),
        "at": st.integers(-400, 4000).map(lambda days: START + days * DAY),
        "language": st.sampled_from(["en", "zh", "zh-Hant"]),
    },
)
words = st.sampled_from([*TEXTS, "RM05-008", "昨天", "last May", "Ann's key?", "？", "' OR 1=1 --", "*", '"'])
queries = st.lists(words | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=9)).map(
    " ".join
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PRESETS), queries.filter(str.strip), asked)
def test_any_question_has_an_answer_in_order_within_its_limit(full, name, query, how):
    me = full.space(name)
    answer = me.recall(query, **how)
    cold = [hit for hit in answer if not hit.hot]
    assert len(cold) <= how.get("limit", 5)
    assert len({hit.memory.id for hit in answer}) == len(answer)
    scores = [hit.score for hit in cold]
    assert scores == sorted(scores, reverse=True)
    for hit in answer:
        assert hit.explain.arms
        assert hit.memory.layer in how.get("layers", ("fact", "episode", "session"))
    again = me.recall(query, **how)
    if name != "entities":  # there, being recalled is heat
        assert contents(again) == contents(answer)
    context = me.context(query, budget=300, **how)
    assert context.used <= 300


def test_a_question_as_long_as_a_page_is_read_at_both_ends(me):
    kept(me, "the blue key opens the shed")
    answer = me.recall("blah " * 3000 + "which key opens the shed?")
    assert contents(answer) == ["the blue key opens the shed"]
    assert answer.degraded == ("read the first and last 2,000 characters of the question",)


def test_a_profile_may_keep_the_constitution_from_a_role(house, entry, agent):
    care = profiles.load("care")
    me = house.space(
        "user:ada", profile=replace(care, name="quiet", denied={"agent": ("constitution.read",)})
    )
    entry(me, "Your daughter is Emily")
    assert len(me.recall("daughter").constitution) == 1
    answer = me.as_actor(agent).recall("daughter")
    assert answer.constitution == ()
    assert answer.degraded == ("the constitution is not shown to the role agent here",)
    assert "Emily" not in me.as_actor(agent).context("who is family").text


def test_readers_go_on_while_others_write(me):
    for number in range(20):
        kept(me, f"tea number {number}")
    problems, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            answer = me.recall("tea", limit=5)
            if len(answer) != 5 or answer.degraded:
                problems.append(answer)

    readers = [threading.Thread(target=read, daemon=True) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for number in range(20, 40):
            memory = kept(me, f"tea number {number}")
            assert memory.content in contents(me.recall(f"tea number {number}", limit=5))
            if number % 5 == 0:
                me.forget(memory.id)
                assert memory.content not in contents(me.recall(f"tea number {number}", limit=20))
    finally:
        stop.set()
        for reader in readers:
            reader.join()
    assert problems == []
