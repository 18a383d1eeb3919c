"""Who is recalled in which mode, by whom, and what an answer says about itself."""

from __future__ import annotations

import pytest

from holdfast.errors import Forbidden, InvalidInput, UnknownSpace
from holdfast.model.actor import Actor
from holdfast.model.status import Status

from .conftest import DAY, HOUR, START, contents, kept

COFFEE = [
    pytest.param("我喜欢喝咖啡", "我不喜欢咖啡了", "喝咖啡", id="simplified"),
    pytest.param("我喜歡喝咖啡", "我不喜歡咖啡了", "喝咖啡", id="traditional"),
    pytest.param("I like drinking coffee", "I don't like coffee any more", "coffee", id="english"),
]


@pytest.mark.row("E13")
@pytest.mark.parametrize(("liked", "disliked", "query"), COFFEE)
def test_a_negated_memory_is_out_of_normal_recall_and_in_review(space, liked, disliked, query):
    me = space("personal")
    old = kept(me, liked, kind="preference")
    new = me.negate(old.id, disliked).memory
    assert contents(me.recall(query)) == [new.content]
    assert set(contents(me.recall(query, mode="review"))) == {liked, disliked}


@pytest.mark.row("E13")
def test_normal_asks_a_weight_of_three_tenths_review_of_a_hundredth_and_debug_none(space):
    me = space("personal")
    fresh = kept(me, "coffee at seven", kind="temporary", at=START)
    faded = kept(me, "coffee with milk", kind="temporary", at=START - 300 * DAY)
    ask = {"at": START, "limit": 10}
    assert contents(me.recall("coffee", **ask)) == [fresh.content]
    assert set(contents(me.recall("coffee", mode="review", **ask))) == {fresh.content, faded.content}
    assert set(contents(me.recall("coffee", mode="debug", **ask))) == {fresh.content, faded.content}
    ((id, why),) = me.recall("coffee", **ask).cut
    assert id == faded.id
    assert "weight" in why
    assert "0.3" in why


@pytest.mark.row("E13")
def test_debug_sees_what_was_deleted_and_is_for_owners_and_auditors(me):
    gone = kept(me, "coffee at seven")
    me.forget(gone.id)
    for mode in ("normal", "review"):
        assert contents(me.recall("coffee", mode=mode)) == []
    (hit,) = me.recall("coffee", mode="debug")
    assert hit.memory.status is Status.DELETED
    assert hit.label == "deleted"
    assert me.as_actor(Actor("auditor", "ann")).recall("coffee", mode="debug").hits
    for role in ("user", "agent"):
        with pytest.raises(Forbidden, match="debug"):
            me.as_actor(Actor(role, "ben")).recall("coffee", mode="debug")


def test_what_waits_for_a_person_is_not_recalled_until_it_is_approved(space, agent):
    me = space("care")
    out = me.as_actor(agent).remember("爸爸对青霉素过敏", kind="medical", confidence=0.95)
    assert out.memory.status is Status.PENDING
    assert contents(me.recall("青霉素")) == contents(me.recall("青霉素", mode="review")) == []
    me.approve(out.memory.id)
    (hit,) = me.recall("青霉素")
    assert hit.label == "已验证"


def test_forgotten_is_hidden_at_once_and_restored_is_back(me):
    memory = kept(me, "coffee at seven")
    assert contents(me.recall("coffee")) == [memory.content]
    me.forget(memory.id)
    assert contents(me.recall("coffee")) == []
    me.restore(memory.id)
    assert contents(me.recall("coffee")) == [memory.content]


def test_what_expired_is_out_before_any_steward_has_been(me, clock):
    kept(me, "the plumber comes on Tuesday", expires_at=START + DAY)
    assert len(me.recall("plumber")) == 1
    clock.advance(days=2)
    assert len(me.recall("plumber")) == 0
    assert len(me.recall("plumber", mode="review")) == 1


def test_working_memory_ends_after_its_hours(me, clock):
    kept(me, "talking about trains", layer="session", session="s1")
    assert len(me.recall("trains")) == 1
    clock.advance(hours=25)
    assert len(me.recall("trains")) == 0


def test_filters_narrow_what_is_recalled(me):
    kept(me, "tea in the morning", kind="preference", session="a")
    kept(me, "tea with Ann", kind="event", session="b", confidence=0.6)
    assert contents(me.recall("tea", kinds=["event"])) == ["tea with Ann"]
    assert contents(me.recall("tea", session="a")) == ["tea in the morning"]
    assert contents(me.recall("tea", min_confidence=0.9)) == ["tea in the morning"]
    assert contents(me.recall("tea", layers="episode")) == []
    with pytest.raises(InvalidInput, match="quarantine"):
        me.recall("tea", layers=["quarantine"])


@pytest.mark.row("A1")
def test_nothing_is_recalled_across_spaces_and_an_unknown_one_is_an_error(house):
    ann, ben = house.space("user:ann", profile="assistant"), house.space("user:ben", profile="assistant")
    kept(ann, "the safe is behind the clock")
    assert contents(ben.recall("where is the safe")) == []
    assert contents(ann.recall("where is the safe")) == ["the safe is behind the clock"]
    with pytest.raises(UnknownSpace, match="user:ann"):
        house.space("user:anne")


@pytest.mark.row("B2")
def test_an_empty_answer_says_which_scope_was_searched(me):
    kept(me, "tea", kind="preference")
    answer = me.recall("coffee", layers=["episode"], kinds=["event"])
    assert len(answer) == 0
    assert answer.space == answer.searched["space"] == "user:assistant"
    assert answer.searched["layers"] == ("episode",)
    assert answer.searched["kinds"] == ("event",)
    assert answer.searched["memories"] == 0
    assert answer.searched["of"] == 1
    assert answer.searched["mode"] == "normal"


@pytest.mark.row("B2")
def test_explain_tells_arms_factors_trust_and_provenance(me):
    memory = kept(me, "Ann drinks oolong tea", source="ann", confidence=0.8, at=START - DAY)
    kept(me, "the train leaves at nine")
    (first, second) = me.recall("which tea does Ann drink", at=START)
    told = first.explain
    assert first.memory.id == memory.id
    assert told.arms["words"]["rank"] == told.arms["vectors"]["rank"] == 1
    assert told.factors["relevance"] > second.explain.factors["relevance"]
    assert set(told.factors) >= {
        "time_weight",
        "semantic_boost",
        "conflict_penalty",
        "importance",
        "momentum",
    }
    assert first.score == pytest.approx(told.factors["relevance"] * told.factors["salience"])
    assert told.trust["source"] == "ann"
    assert told.trust["confidence"] == 0.8
    assert told.provenance["version"] == 1
    assert "relevance" in told.formula


@pytest.mark.row("B2")
def test_what_the_limit_cut_is_named_nearest_first(me):
    for number in range(20):
        kept(me, f"tea number {number}", at=START - number * HOUR)
    answer = me.recall("tea", limit=3, at=START)
    assert len(answer) == 3
    assert len(answer.cut) == 10
    assert all("limit of 3" in why for _, why in answer.cut)
    assert not {id for id, _ in answer.cut} & {hit.memory.id for hit in answer}


def test_equal_hits_come_newest_first(me):
    for hours in (3, 1, 2):
        kept(me, f"tea{hours}", at=START - hours * HOUR)
    answer = me.recall("nothing of that", at=START, limit=3)
    assert contents(answer) == ["tea1", "tea2", "tea3"]


def test_fading_never_hides_the_only_answer_of_an_assistant(me):
    old = kept(me, "the allotment is number 41", at=START - 3650 * DAY)
    for number in range(30):
        kept(me, f"walked {number} miles", at=START)
    answer = me.recall("which number is the allotment", at=START, limit=5)
    assert answer.hits[0].memory.id == old.id
