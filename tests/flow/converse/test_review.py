"""The reviewer: what is core and what is not, what is let go, in rounds, every one recorded."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast import Actor, Forbidden, NotFound
from holdfast.errors import IllegalChange
from holdfast.steward.salience import importance_now

from .conftest import EVENING

DAY = timedelta(days=1)


@pytest.fixture
def me(hf):
    return hf.space("user:wren", profile="companion")


CORE = [
    "我叫林小满",
    "我的生日是五月一日",
    "我一直喜歡吃拉麵",
    "我們約好每年一起去看海",
    "My name is Wren",
    "My birthday is on the first of May",
    "I have always loved ramen",
    "We promised to go to the sea together every year",
]
NOT_CORE = [
    "我今天很累",
    "我下周要去出差",
    "我今天很緊張",
    "最近一直在聊那款遊戲",
    "I am tired today",
    "I am going on a trip next week",
    "I feel nervous today",
    "Lately we keep talking about that game",
]


@pytest.mark.row("C6")
@pytest.mark.parametrize("words", CORE)
def test_what_lasts_and_matters_becomes_core_and_never_fades(me, words):
    id = me.remember(words, importance=2.5, at=EVENING).memory.id
    found = me.review(id, at=EVENING)
    assert (found.rising, found.decision) == (True, "PROMOTE")
    core = me.get(id)
    assert "core" in core.marks
    assert core.promoted_at == EVENING
    assert importance_now(core, EVENING + 400 * DAY, me.profile) == 2.5


@pytest.mark.row("C6")
@pytest.mark.parametrize("words", NOT_CORE)
def test_moods_plans_and_mere_frequency_are_not_core(me, words):
    id = me.remember(words, importance=2.5, at=EVENING).memory.id
    found = me.review(id, at=EVENING)
    assert (found.rising, found.decision) == (True, "KEEP")
    assert not me.get(id).marks
    assert me.get(id).version == 1


@pytest.mark.row("C6")
def test_what_fades_and_is_kept_begins_again_at_a_half(me):
    later = EVENING + 40 * DAY
    id = me.remember("我在柳溪住过三年", at=EVENING).memory.id
    assert importance_now(me.get(id), later, me.profile) < 0.5
    found = me.review(id, at=later)
    assert (found.rising, found.decision) == (False, "KEEP")
    kept = me.get(id)
    assert kept.importance == 0.5
    assert importance_now(kept, later + 7 * DAY, me.profile) == 0.5
    assert importance_now(kept, later + 8 * DAY, me.profile) == pytest.approx(0.5 * 0.95)
    me.undo(found.outcome.change)
    assert me.get(id).importance == 1.5


@pytest.mark.row("C6")
@pytest.mark.row("B10")
@pytest.mark.parametrize("words", ["我今天很累", "我今天很疲憊", "I am tired today"])
def test_what_has_passed_is_let_go_softly_unless_it_is_protected(me, words):
    later = EVENING + 40 * DAY
    id = me.remember(words, at=EVENING).memory.id
    found = me.review(id, at=later)
    assert found.decision == "DELETE"
    gone = me.get(id)
    assert (gone.status, gone.deletion, gone.content) == ("deleted", "auto_cleanup", words)
    me.undo(found.outcome.change)
    me.approve(id)
    assert me.get(id).status == "active"
    found = me.review(id, at=later)
    assert (found.decision, found.outcome.decision) == ("DELETE", "refused")
    assert me.get(id).status == "active"


@pytest.mark.row("C6")
def test_a_judge_may_search_twice_and_every_round_is_in_the_ledger(me, judge):
    id = me.remember("主人喜欢那家拉面馆", importance=2.6, at=EVENING).memory.id
    others = {me.remember(text, at=EVENING).memory.id for text in ("主人的猫叫团子", "主人怕黑")}
    judge.rounds = ["想想\n[SEARCH:猫]", "[SEARCH:怕黑]", "长期的喜好\n[PROMOTE]"]
    found = me.review(id, at=EVENING)
    assert [(step.said, step.words) for step in found.steps] == [
        ("SEARCH", "猫"),
        ("SEARCH", "怕黑"),
        ("PROMOTE", ""),
    ]
    assert found.steps[-1].reasons == ("长期的喜好",)
    assert [case.last for case in judge.cases] == [False, False, True]
    assert judge.cases[-1].searched == ("猫", "怕黑")
    assert others <= {other.id for other in judge.cases[-1].related}
    entry = me.ledger(limit=100)[-1]
    assert (entry.verb, entry.judge) == ("review", "scripted/1")
    assert [reason.split(";")[0] for reason in entry.reasons] == [
        "logged: round 1: SEARCH",
        "logged: round 2: SEARCH",
        "logged: round 3: PROMOTE",
        "accepted: promoted to core by a review",
    ]
    assert "猫" not in "".join(entry.reasons)
    me.undo(found.outcome.change)
    assert not me.get(id).marks


@pytest.mark.row("C6")
@pytest.mark.parametrize(
    "rounds",
    [
        ["[PROMOTE]\n[DELETE]"],
        ["delete everything"],
        ["[DELETE:all]"],
        ["[SEARCH:a]", "[SEARCH:b]", "[SEARCH:c]"],
        [""],
    ],
)
def test_an_answer_that_is_not_one_open_operation_keeps(me, judge, rounds):
    id = me.remember("主人喜欢拉面", importance=2.6, at=EVENING).memory.id
    judge.rounds = rounds
    found = me.review(id, at=EVENING)
    assert found.decision == "MALFORMED"
    assert me.get(id).version == 1
    assert "MALFORMED" in "".join(me.ledger(limit=100)[-1].reasons)


def test_only_facts_and_episodes_that_stand_are_reviewed_and_not_by_agents(me):
    turn = me.converse("evening").say("user", "晚上好").memory.id
    gone = me.remember("主人喜欢拉面").memory.id
    with pytest.raises(Forbidden):
        me.as_actor(Actor("agent", "eve")).review(gone)
    me.forget(gone)
    with pytest.raises(IllegalChange, match="session layer"):
        me.review(turn)
    with pytest.raises(IllegalChange, match="restore it first"):
        me.review(gone)
    with pytest.raises(NotFound):
        me.review("nobody")
