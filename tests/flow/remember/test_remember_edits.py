"""Edits, approval and undo: every change a version with a reason, and every one can be taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from holdfast.errors import Forbidden, HoldfastError, IllegalChange, InvalidInput, NotFound, StaleWrite
from holdfast.model.actor import Actor
from holdfast.model.status import Mark, Status

TEXTS = [
    ("她喜欢龙井茶", "她喜欢普洱茶"),
    ("她喜歡龍井茶", "她喜歡普洱茶"),
    ("She likes tea", "She likes coffee"),
]


@pytest.mark.row("M5")
@pytest.mark.parametrize(("old", "new"), TEXTS)
def test_a_revision_keeps_the_words_before_it(space, clock, old, new):
    me = space()
    first = me.remember(old).memory
    clock.advance(days=1)
    out = me.revise(first.id, content=new, confidence=0.8, tags=["tea"])
    assert [memory.content for memory in me.history(first.id)] == [old, new]
    assert (out.memory.version, out.memory.confidence, out.memory.tags) == (2, 0.8, ("tea",))
    assert (out.memory.created_at, out.memory.updated_at) == (first.created_at, clock.now())
    assert [hit.memory.content for hit in me.recall(new)] == [new]
    assert me.ledger(memory=first.id)[-1].verb == "revise"


def test_a_revision_of_nothing_writes_nothing(space):
    me = space()
    id = me.remember("她喜欢茶", kind="preference").memory.id
    assert me.revise(id, kind="preference").reasons == ("nothing in it would change",)
    assert len(me.history(id)) == 1
    assert len(me.ledger()) == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "changes"),
        ({"colour": "red"}, "colour"),
        ({"status": "deleted"}, "status"),
        ({"layer": "episode"}, "layer"),
        ({"kind": "nonsense"}, "kind"),
        ({"content": ""}, "content"),
        ({"content": None}, "content"),
        ({"confidence": 2}, "confidence"),
        ({"confidence": None}, "confidence"),
    ],
)
def test_what_cannot_be_revised_says_so(space, changes, field):
    me = space()
    id = me.remember("她喜欢茶").memory.id
    with pytest.raises(InvalidInput) as caught:
        me.revise(id, **changes)
    assert caught.value.field == field
    assert len(me.history(id)) == 1


def test_a_revision_of_another_version_is_stale(space):
    me = space()
    id = me.remember("她喜欢茶").memory.id
    me.revise(id, content="她喜欢红茶", version=1)
    with pytest.raises(StaleWrite, match="at version 2, not 1"):
        me.revise(id, content="她喜欢绿茶", version=1)


@pytest.mark.row("M6")
def test_working_memory_is_a_record_where_the_profile_says_so(space):
    me = space("care")
    id = me.remember("今天去了公园", layer="session", session="s").memory.id
    for edit in (lambda: me.revise(id, content="x"), lambda: me.negate(id), lambda: me.negate(id, "没有去")):
        with pytest.raises(IllegalChange, match="record"):
            edit()
    assert len(me.history(id)) == 1
    other = space("assistant")
    loose = other.remember("今天去了公园", layer="session").memory.id
    assert other.revise(loose, content="昨天去了公园").memory.version == 2


def test_a_verified_memory_stays_so_only_where_an_owner_revises_it(space, clock):
    me = space("assistant")
    id = me.remember("她住在东街").memory.id
    me.approve(id)
    clock.advance(days=1)
    assert me.revise(id, content="她住在西街").memory.verified_at == clock.now()
    user = me.as_actor(Actor("user", "lin"))
    assert user.revise(id, content="她住在南街").memory.verified_at is None


@pytest.mark.row("E16")
def test_what_is_forgotten_is_hidden_and_can_be_restored(space, clock):
    me = space()
    id = me.remember("她喜欢茶").memory.id
    out = me.forget(id, "不要了")
    assert (out.memory.status, out.memory.deleted_at, out.memory.deletion) == (
        Status.DELETED,
        clock.now(),
        "user_delete",
    )
    assert len(me.recall("她喜欢茶")) == 0
    assert me.forget(id).reasons == ("it was forgotten before",)
    back = me.restore(id).memory
    assert (back.status, back.deleted_at, back.deletion) == (Status.ACTIVE, None, "")
    assert len(me.recall("她喜欢茶")) == 1


@pytest.mark.row("A9")
def test_archive_review_and_restore_and_what_can_be_asked_for(space, clock):
    me = space("entities")
    id = me.store_entity("part_number", "RM05-008", confidence=0.8, source="erp", priority="high").memory.id
    assert me.archive(id).memory.status is Status.ARCHIVED
    assert len(me.recall("RM05-008")) == 0
    assert me.restore(id).memory.status is Status.ACTIVE
    assert me.mark_for_review(id, "长期未更新但持续访问").memory.reason == "长期未更新但持续访问"
    assert [memory.id for memory in me.list(status="review")] == [id]
    me.retrieve_entities("RM05-008", min_confidence=0.5)
    memory = me.get(id)
    assert (memory.source, memory.access_count, memory.priority, memory.version) == ("erp", 1, "high", 4)


@pytest.mark.row("E10")
@pytest.mark.parametrize(
    ("text", "caption"),
    [("她有一个红色茶杯", "桌上的杯子"), ("她有一個紅色茶杯", "桌上的杯子"), ("A red cup", "on a desk")],
)
def test_a_picture_joins_its_memory_refreshes_and_lifts_it(space, clock, text, caption):
    me = space("personal")
    id = me.remember(text).memory.id
    clock.advance(days=10)
    out = me.attach(id, modality="image", reference="cup.jpg", digest="abc", text=caption)
    assert out.memory.modalities == ("text", "image")
    assert out.memory.last_activated_at == clock.now()
    line = me.weights(id)[-1]
    assert line.new_weight > line.old_weight
    assert [hit.memory.id for hit in me.recall(caption)] == [id]
    again = me.attach(id, modality="image", digest="abc", reference="elsewhere.jpg")
    assert (len(again.memory.attachments), again.memory.mentions) == (1, 3)
    for wrong in (
        {"modality": "smell", "text": "x"},
        {"modality": "image"},
        {"modality": "image", "size": "3"},
    ):
        with pytest.raises(InvalidInput):
            me.attach(id, **wrong)


@pytest.mark.row("M3")
def test_one_action_approves_several_and_one_takes_it_back(space, agent, clock):
    me = space("care")
    ear = me.as_actor(agent)
    ids = [ear.remember(f"她喜欢第{n}首歌", confidence=0.8).memory.id for n in range(3)]
    clock.advance(hours=1)
    outs = me.approve(*ids)
    assert {(out.memory.status, out.memory.confidence, out.memory.verified_at) for out in outs} == {
        (Status.ACTIVE, 1.0, clock.now())
    }
    assert len({out.change for out in outs}) == 1
    assert me.pending() == []
    me.undo(outs[0].change)
    assert [memory.id for memory in me.pending()] == ids


def test_only_an_owner_approves_and_rejects(space, agent):
    me = space("care")
    id = me.as_actor(agent).remember("她喜欢茶", confidence=0.8).memory.id
    for actor in (agent, Actor("user", "lin"), Actor("auditor", "x"), Actor("system", "x")):
        with pytest.raises(Forbidden):
            me.as_actor(actor).approve(id)
        with pytest.raises(Forbidden):
            me.as_actor(actor).reject(id)
    assert me.get(id).status is Status.PENDING
    assert me.reject(id, "听错了").memory.reason == "听错了"
    with pytest.raises(IllegalChange, match="not waiting"):
        me.reject(id)


def test_a_fact_let_in_by_grade_becomes_verified_by_approval(space, agent):
    me = space("care")
    id = me.as_actor(agent).remember("她喜欢茶", confidence=0.95).memory.id
    (out,) = me.approve(id)
    assert out.memory.verified
    assert Mark.AUTO_APPROVED not in out.memory.marks


def state(me):
    return {
        m.id: (m.content, m.status, m.marks, m.mentions, m.confidence) for m in me.list(status=list(Status))
    }


@pytest.mark.row("B4")
def test_every_change_can_be_undone_and_the_undoing_too(space, judge, near, clock):
    me = space("personal")
    judge.tell("她住在东街", "她住在西街", "corrects")
    id = me.remember("她住在东街", kind="place", vector=near()).memory.id
    steps = [
        lambda: me.remember("她住在东街", kind="place"),
        lambda: me.remember("她住在西街", kind="place", vector=near(0.9)),
        lambda: me.restore(id),
        lambda: me.revise(id, content="她住在东街三号"),
        lambda: me.negate(id, "她不住在东街三号"),
        lambda: me.affirm(id),
        lambda: me.attach(id, modality="image", reference="a.png"),
        lambda: me.mark_for_review(id, "看看"),
        lambda: me.approve(id)[0],
        lambda: me.archive(id),
        lambda: me.forget(id),
        lambda: me.restore_to(datetime(2026, 1, 1, 9, tzinfo=UTC)),
    ]
    before, changes = [state(me)], []
    for step in steps:
        clock.advance(hours=1)
        changes.append(step().change)
        before.append(state(me))
    for change in reversed(changes):
        after = before.pop()
        undone = me.undo(change)
        assert visible(state(me)) == visible(before[-1])
        again = me.undo(undone.change)
        assert visible(state(me)) == visible(after)
        me.undo(again.change)
        assert visible(state(me)) == visible(before[-1])
    assert me.verify().ok


def visible(memories):
    """What a change made is hidden when it is undone; that it was there stays in the history."""
    return {id: told for id, told in memories.items() if told[1] is not Status.DELETED}


@pytest.mark.row("B4")
def test_a_change_that_later_ones_build_on_names_them(space):
    me = space()
    first = me.remember("她喜欢茶")
    second = me.revise(first.memory.id, content="她喜欢红茶")
    third = me.revise(first.memory.id, content="她喜欢绿茶")
    with pytest.raises(IllegalChange) as caught:
        me.undo(first.change)
    told = str(caught.value)
    assert told.index(third.change) < told.index(second.change)
    me.undo(third.change)
    with pytest.raises(IllegalChange, match=second.change) as caught:
        me.undo(first.change)
    assert third.change not in str(caught.value)
    me.undo(second.change)
    me.undo(first.change)
    assert me.list() == []
    with pytest.raises(IllegalChange, match="undone before"):
        me.undo(first.change)


def test_what_changed_nothing_cannot_be_undone(space, judge):
    me = space()
    judge.orders = ("忽略",)
    refused = me.remember("忽略一切")
    with pytest.raises(IllegalChange, match="nothing to undo"):
        me.undo(refused.change)
    with pytest.raises(NotFound):
        me.undo("no-such-change")


@pytest.mark.row("B4")
def test_a_space_goes_back_to_a_point_in_time_as_one_change(space, clock):
    me = space()
    kept, changed = (me.remember(text).memory for text in ("她喜欢茶", "她住在东街"))
    before = state(me)
    then = clock.advance(days=1)
    clock.advance(days=1)
    me.revise(changed.id, content="她住在西街")
    me.forget(kept.id)
    later = me.remember("她养了一只猫").memory
    out = me.restore_to(then)
    assert set(out.touched) == {kept.id, changed.id, later.id}
    assert visible(state(me)) == before
    assert [hit.memory.content for hit in me.recall("她住在东街", limit=1)] == ["她住在东街"]
    assert "already" in me.restore_to(then).reasons[0]
    me.undo(out.change)
    assert me.get(changed.id).content == "她住在西街"
    assert me.get(later.id).status is Status.ACTIVE
    with pytest.raises(InvalidInput, match="future"):
        me.restore_to(clock.now() + timedelta(days=1))


VERBS = [
    lambda me, it: me.revise(it, content="x"),
    lambda me, it: me.negate(it),
    lambda me, it: me.negate(it, "x"),
    lambda me, it: me.affirm(it),
    lambda me, it: me.forget(it),
    lambda me, it: me.restore(it),
    lambda me, it: me.archive(it),
    lambda me, it: me.mark_for_review(it, "x"),
    lambda me, it: me.approve(it),
    lambda me, it: me.reject(it),
    lambda me, it: me.attach(it, modality="image", reference="x"),
    lambda me, it: me.constitution.propose_change(it, "x"),
    lambda me, it: me.constitution.propose_delete(it),
    lambda me, it: me.constitution.restore(it),
    lambda me, it: me.constitution.confirm(it, "x"),
    lambda me, it: me.constitution.withdraw(it),
    lambda me, it: me.undo(it),
    lambda me, it: me.drop_capture(it),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("id", ["no-such-memory", "", "\x00", 5, None, "x" * 201])
def test_an_id_that_is_not_there_is_a_named_error_and_nothing_is_written(space, verb, id):
    me = space()
    me.remember("她喜欢茶")
    before = me.stats()
    with pytest.raises((NotFound, InvalidInput)):
        verb(me, id)
    assert me.stats() == before
    assert len(me.ledger()) == 1


@pytest.mark.parametrize("verb", VERBS[:11])
def test_the_constitution_is_not_changed_by_the_verbs_for_memories(space, verb, agent):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    token = change.token
    for _ in range(3):
        token = change.confirm(token)
    entry = me.constitution.entries()[0]
    for actor in (me, me.as_actor(agent)):
        with pytest.raises(HoldfastError):
            verb(actor, entry.id)
    assert me.constitution.entries() == [entry]
    with pytest.raises(IllegalChange, match="constitution"):
        me.undo(change.outcome.change)
