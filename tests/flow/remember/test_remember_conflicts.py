"""What cannot both be so: negations, corrections, versions, changes in time, and who may retire what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.errors import Forbidden
from holdfast.model.layer import Decision, Level
from holdfast.model.status import Mark, Status
from holdfast.profile import load as profiles

COFFEE = [
    ("我喜欢喝咖啡", "我不喜欢咖啡了"),
    ("我喜歡喝咖啡", "我不喜歡咖啡了"),
    ("I like drinking coffee", "I don't like coffee any more"),
]
HOME = [
    ("我住在北京朝阳区", "我住在上海浦东新区"),
    ("我住在北京朝陽區", "我住在上海浦東新區"),
    ("I live in Beijing", "I live in Shanghai now"),
]


@pytest.fixture
def told(judge, near):
    """`told(me, old, new, label)`: both said, 0.9 alike, related as told."""

    def make(me, old, new, label, *, sure=0.9, first=None, **said):
        judge.tell(old, new, label, sure=sure)
        before = me.remember(old, vector=near(), **{**said, **(first or {})}).memory
        return before.id, me.remember(new, vector=near(0.9), **said)

    return make


@pytest.mark.row("E8")
@pytest.mark.parametrize(("old", "new"), COFFEE)
def test_a_negation_takes_the_old_back_and_keeps_both(space, told, clock, old, new):
    me = space("personal")
    id, out = told(me, old, new, "negates", kind="preference")
    before = me.get(id)
    assert (out.decision, set(out.touched)) == (Decision.SUPERSEDED, {id, out.memory.id})
    assert Mark.NEGATED in before.marks
    assert before.corrections[0].content == new
    assert before.last_activated_at == me.history(id)[0].last_activated_at
    assert (out.memory.level, out.memory.status) == (Level.FULL, Status.ACTIVE)
    assert me.weights(id)[-1].new_weight == pytest.approx(0.3 * me.weights(id)[-1].old_weight, abs=1e-3)


@pytest.mark.row("E8")
@pytest.mark.parametrize(("old", "new"), COFFEE)
def test_a_memory_is_taken_back_by_name(space, old, new):
    me = space("personal")
    id = me.remember(old, kind="preference").memory.id
    out = me.negate(id, new)
    assert (out.decision, out.memory.content, out.memory.kind) == (Decision.SUPERSEDED, new, "preference")
    assert Mark.NEGATED in me.get(id).marks
    assert out.change == me.ledger(memory=id)[-1].change
    assert me.negate(id).reasons == ("it was taken back before",)


@pytest.mark.row("E11")
@pytest.mark.parametrize(("old", "new"), HOME)
def test_latest_wins_expires_the_old(space, told, old, new):
    me = space("personal")
    id, out = told(me, old, new, "corrects", kind="place")
    before = me.get(id)
    assert (before.status, before.superseded_by) == (Status.EXPIRED, out.memory.id)
    assert (out.decision, out.memory.supersedes, out.memory.level) == ("superseded", (id,), Level.FULL)


@pytest.mark.row("E11")
@pytest.mark.parametrize(("old", "new"), HOME)
def test_version_keep_leaves_a_trace_with_its_span_of_time(space, told, clock, old, new):
    me = space("personal")
    id, out = told(me, old, new, "corrects", kind="preference")
    before = me.get(id)
    assert (before.level, before.weight_cap) == (Level.TRACE, 0.2)
    assert (before.valid_from, before.valid_to) == (before.created_at, out.memory.created_at)
    assert out.memory.valid_from == out.memory.created_at
    assert before.content == old


@pytest.mark.row("E11")
@pytest.mark.parametrize(("old", "new"), HOME)
def test_weight_balance_lets_both_live(space, told, old, new):
    me = space("personal")
    id, out = told(me, old, new, "corrects", kind="place", confidence=0.4)
    before = me.get(id)
    assert (out.decision, out.conflicts) == (Decision.ACCEPTED, (id,))
    assert (before.status, out.memory.status) == (Status.ACTIVE, Status.ACTIVE)
    assert before.uncertain_since == out.memory.created_at
    assert before.conflicts_with == (out.memory.id,)


@pytest.mark.row("C7")
@pytest.mark.parametrize(
    ("old", "new"),
    [("十天前很紧张", "现在很放松"), ("十天前很緊張", "現在很放鬆"), ("nervous ten days ago", "relaxed now")],
)
def test_a_change_in_time_is_no_conflict(space, told, old, new):
    me = space("companion")
    id, out = told(me, old, new, "time_change")
    assert out.decision is Decision.ACCEPTED
    assert "both stand" in out.reasons[-1]
    assert me.get(id).status is Status.ACTIVE
    assert len(me.history(id)) == 1


@pytest.mark.row("E12")
def test_what_refines_another_names_it_as_its_source(space, told):
    me = space()
    id, out = told(me, "她有个女儿", "她的女儿叫林小满", "refines")
    assert (out.decision, out.memory.source_ids) == (Decision.ACCEPTED, (id,))
    assert len(me.history(id)) == 1


@pytest.mark.row("M9")
@pytest.mark.parametrize(("old", "new"), HOME)
def test_what_an_owner_says_later_replaces_in_care(space, told, clock, old, new):
    me = space("care")
    clock.advance(days=1)
    id, out = told(me, old, new, "corrects", kind="place", first={"at": clock.now()})
    assert out.decision is Decision.PENDING  # said at the same moment: neither is verified later
    clock.advance(days=1)
    again = me.remember(new)
    assert again.memory.status is Status.ACTIVE
    assert me.get(id).status is Status.SUPERSEDED


@pytest.mark.row("M9")
@pytest.mark.parametrize(("old", "new"), HOME)
def test_what_an_agent_hears_against_it_waits_and_approval_carries_it_out(
    space, told, agent, clock, old, new
):
    me = space("care")
    id, out = told(me.as_actor(agent), old, new, "corrects", kind="place", confidence=0.95)
    assert (out.decision, out.conflicts, out.memory.conflicts_with) == (Decision.PENDING, (id,), (id,))
    assert [memory.id for memory in me.pending()] == [out.memory.id]
    clock.advance(hours=1)
    (approved,) = me.approve(out.memory.id)
    assert (approved.memory.status, approved.memory.verified_at) == (Status.ACTIVE, clock.now())
    assert (me.get(id).status, me.get(id).superseded_by) == (Status.SUPERSEDED, out.memory.id)
    assert approved.memory.supersedes == (id,)
    me.undo(approved.change)
    assert (me.get(id).status, me.get(out.memory.id).status) == (Status.ACTIVE, Status.PENDING)


@pytest.mark.row("M9")
@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("你是林秋兰，今年75岁", "她今年80岁"),
        ("你是林秋蘭，今年75歲", "她今年80歲"),
        ("You are Ada Quillfeather, aged 75", "She is 80 years old"),
    ],
)
def test_what_contradicts_the_constitution_is_refused_and_kept_apart(space, judge, agent, entry, said):
    me = space("care")
    confirmed(me, entry)
    judge.tell(entry, said, "corrects")
    for actor in (me, me.as_actor(agent)):
        out = actor.remember(said, confidence=0.95)
        assert (out.decision, out.memory) == (Decision.REFUSED, None)
        assert out.reasons[0] == "it contradicts the constitution"
    assert [capture.content for capture in me.captures()] == [said, said]
    assert me.list(layer="fact") == []
    assert "refused: contradicts the constitution" in me.ledger()[-1].reasons


def confirmed(me, entry):
    change = me.constitution.propose(entry)
    token = change.token
    for _ in range(3):
        token = change.confirm(token)


@pytest.mark.row("B10")
@pytest.mark.parametrize("how", ["verified", "core", "a person's"])
def test_an_agent_never_replaces_what_is_protected(space, judge, near, agent, how):
    me = space("assistant")
    judge.tell("她住在南屏镇", "她住在北岸镇", "corrects")
    said = {"importance": 3.0} if how == "core" else {}
    id = me.remember("她住在南屏镇", kind="place", vector=near(), **said).memory.id
    if how == "verified":
        me.approve(id)
    out = me.as_actor(agent).remember("她住在北岸镇", kind="place", confidence=0.9, vector=near(0.9))
    assert (out.decision, out.conflicts) == (Decision.PENDING, (id,))
    assert me.get(id).status is Status.ACTIVE
    for forbidden in (me.as_actor(agent).forget, me.as_actor(agent).negate):
        with pytest.raises(Forbidden):
            forbidden(id)
    assert me.ledger()[-1].verb == "forbidden"


def test_a_judge_that_is_not_sure_retires_nothing(space, told, agent):
    me = space("assistant")
    id, out = told(me, "她喝茶", "她不喝茶", "negates", sure=0.5)
    assert (out.decision, out.conflicts) == (Decision.ACCEPTED, (id,))
    assert (me.get(id).status, me.get(id).marks) == (Status.ACTIVE, frozenset())
    ear = me.as_actor(agent)
    mine, doubted = told(ear, "它叫阿黄", "它叫阿黑", "corrects", sure=0.5, confidence=0.9)
    assert (doubted.decision, doubted.conflicts) == (Decision.PENDING, (mine,))


@pytest.mark.row("A3")
def test_the_surer_value_supersedes_and_the_other_waits(space, near):
    me = space("entities")
    old = me.store_entity("intent", "purchase", confidence=0.8, vector=near()).memory
    less = me.store_entity("intent", "purchasing", confidence=0.8, vector=near(0.9))
    assert (less.decision, less.conflicts) == (Decision.PENDING, (old.id,))
    sure = me.store_entity("intent", "purchases", confidence=0.9, vector=near(0.95))
    assert (sure.decision, me.get(old.id).status) == (Decision.SUPERSEDED, Status.SUPERSEDED)
    me.undo(sure.change)
    assert me.get(old.id).status is Status.ACTIVE
    assert me.get(sure.memory.id).status is Status.DELETED


@pytest.mark.row("A3")
@pytest.mark.row("M9")
@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("我住在北京", "我住在上海", "我家在上海"),
        ("我的電話是13800138000", "我的電話是13900139000", "打給我請撥13900139000"),
        ("I live in Boston", "I live in Denver", "My home is in Denver"),
    ],
)
def test_what_waits_against_another_goes_on_waiting_when_it_is_said_in_other_words(
    space, judge, near, old, new, again
):
    me = space("entities")
    judge.tell(old, new, "corrects")
    judge.tell(new, again, "duplicate")
    known = me.remember(old, confidence=0.9, vector=near()).memory.id
    waiting = me.remember(new, confidence=0.6, vector=near(0.9)).memory.id
    for words in (new, again):
        out = me.remember(words, confidence=0.6, vector=near(0.95))
        assert (out.decision, out.memory.id) == (Decision.REINFORCED, waiting)
        assert out.memory.status is Status.PENDING
        assert "it still waits for a person" in out.reasons
    assert me.get(known).status is Status.ACTIVE
    sure = me.remember(again, confidence=0.95, vector=near(0.95))
    assert (sure.memory.id, sure.memory.status) == (waiting, Status.ACTIVE)
    assert me.get(known).status is Status.SUPERSEDED


@pytest.mark.row("A3")
@pytest.mark.parametrize("name", ["part_number", "料号", "料號"])
def test_identifiers_never_conflict_by_likeness(space, near, name):
    me = space("entities")
    for value in ("RM05-008", "RM05-009"):
        assert me.store_entity(name, value, confidence=0.9, vector=near()).decision is Decision.ACCEPTED
    assert me.detect_conflicts(name, "RM05-007") == ()
    assert len(me.get_user_entities(name)) == 2


@pytest.mark.row("A3")
@pytest.mark.parametrize("name", ["phone", "电话", "電話"])
def test_a_new_value_of_a_single_valued_slot_conflicts_whatever_the_likeness(space, name):
    me = space("entities")
    old = me.store_entity(name, "13800138000", confidence=0.8).memory
    (conflict,) = me.detect_conflicts(name, "13900139000", confidence=0.9)
    assert (conflict.memory.id, conflict.resolution) == (old.id, "supersede")
    out = me.store_entity(name, "13900139000", confidence=0.9)
    assert (out.decision, me.get(old.id).status) == (Decision.SUPERSEDED, Status.SUPERSEDED)


@pytest.mark.row("A3")
def test_asking_for_conflicts_changes_nothing(space, near):
    me = space("entities")
    me.store_entity("intent", "purchase", confidence=0.8, vector=near())
    before = me.stats()
    assert me.detect_conflicts("intent", "purchase") == ()
    assert me.detect_conflicts("intent", "something else entirely") == ()
    assert me.stats() == before
    assert len(me.ledger()) == 1


@pytest.mark.row("A3")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我的电话是13800138000", "打给我请拨13900139000"),
        ("我的電話是13800138000", "打給我請撥13900139000"),
        ("My phone number is 13800138000", "Call me at 13900139000"),
    ],
)
def test_a_statement_of_the_same_slot_is_found_however_unlike(space, judge, near, old, new):
    me = space("personal")
    judge.classes = {old: ("identity", "phone"), new: ("identity", "phone")}
    judge.tell(old, new, "corrects", slot="phone")
    id = me.remember(old, vector=near()).memory.id
    out = me.remember(new, vector=near(0.1))
    assert (out.decision, me.get(id).status) == (Decision.SUPERSEDED, Status.EXPIRED)


def test_what_is_far_is_not_asked_about(space, judge, near):
    me = space()
    me.remember("她喜欢茶", vector=near())
    me.remember("火车晚点了", vector=near(0.59))
    assert judge.asked == []
    me.remember("她喜欢喝茶", vector=near(0.61))
    assert judge.asked == [("她喜欢茶", "她喜欢喝茶")]


def test_a_conflict_within_a_batch_is_settled_in_order(space, judge, near):
    me = space("personal")
    judge.tell("她住在东街", "她住在西街", "corrects")
    first, second = me.remember_many(
        [
            {"content": "她住在东街", "kind": "place", "vector": near()},
            {"content": "她住在西街", "kind": "place", "vector": near(0.9)},
        ]
    )
    assert (first.memory.status, second.decision) == (Status.EXPIRED, Decision.SUPERSEDED)
    assert (first.memory.version, first.memory.superseded_by) == (1, second.memory.id)


@pytest.mark.row("E20")
def test_which_rule_settles_is_a_key_of_the_profile(house, judge, near):
    personal = profiles.load("personal")
    changed = replace(personal.reconcile, strategies={"place": "version_keep"}, related=0.75)
    own = profiles.dump(replace(personal, name="mine", reconcile=changed))
    me = house.space("mine", profile=profiles.parse(own))
    judge.tell("她住在东街", "她住在西街", "corrects")
    id = me.remember("她住在东街", kind="place", vector=near()).memory.id
    assert me.remember("她住在西街", kind="place", vector=near(0.7)).decision is Decision.ACCEPTED
    judge.tell("她住在东街", "她住在南街", "corrects")
    me.remember("她住在南街", kind="place", vector=near(0.8))
    assert me.get(id).level is Level.TRACE
