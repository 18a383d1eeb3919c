"""Said again: a mention in place of an entry, believed by as many as said it, and nothing of it lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.model.layer import Decision
from holdfast.model.status import Mark, Status

WORDINGS = [
    ("我喜欢喝咖啡", "我喜歡喝咖啡"),
    ("我喜歡喝咖啡", "我喜欢喝咖啡"),
    ("I like COFFEE", "ｉ ｌｉｋｅ  coffee"),
]


@pytest.mark.parametrize(("first", "again"), WORDINGS)
def test_the_same_words_in_another_script_width_or_case_are_a_mention(space, clock, first, again):
    me = space()
    kept = me.remember(first, kind="preference").memory
    clock.advance(days=1)
    out = me.remember(again, kind="preference", source="note")
    assert (out.decision, out.memory.id, out.memory.mentions) == (Decision.REINFORCED, kept.id, 2)
    assert out.memory.last_activated_at == clock.now()
    assert out.memory.created_at == kept.created_at
    assert [(said.content, said.source) for said in out.memory.said] == [(again, "note")]
    assert len(me.list()) == 1


@pytest.mark.row("A2")
@pytest.mark.parametrize(
    ("first", "again"), [("RM05-008", "rm05-008"), ("龍井茶", "龙井茶"), ("ＡＢ１２", "ab12")]
)
def test_the_same_entity_makes_no_second_entry(space, first, again):
    me = space("entities")
    kept = me.store_entity("part_number", first, confidence=0.8, source="erp").memory
    out = me.store_entity("Part_Number", again, confidence=0.7, source="erp")
    assert (out.decision, out.memory.id, out.memory.mentions) == (Decision.REINFORCED, kept.id, 2)
    assert len(me.get_user_entities("part_number")) == 1


@pytest.mark.row("A2")
def test_one_source_that_repeats_itself_is_one_witness(space):
    me = space("entities")
    for confidence, believed in ((0.6, 0.6), (0.6, 0.6), (0.8, 0.8), (0.5, 0.8)):
        out = me.store_entity("part_number", "RM05-008", confidence=confidence, source="erp")
        assert out.memory.confidence == pytest.approx(believed)
    second = me.store_entity("part_number", "RM05-008", confidence=0.5, source="mail")
    assert second.memory.confidence == pytest.approx(1 - 0.2 * 0.5)
    for source in ("a", "b", "c", "d"):
        last = me.store_entity("part_number", "RM05-008", confidence=0.9, source=source)
    assert last.memory.confidence == pytest.approx(0.99)


def test_details_told_with_a_mention_are_joined(space):
    me = space()
    me.remember("茶在柜子里", tags=["home"], metadata={"room": "kitchen", "by": "ada"})
    out = me.remember("茶在櫃子裡", tags=["tea"], metadata={"room": "hall"}, priority="high")
    assert out.memory.tags == ("home", "tea")
    assert out.memory.metadata == {"room": "hall", "by": "ada"}
    assert out.memory.priority == "high"
    first, second = me.history(out.memory.id)
    assert (first.metadata["room"], second.metadata["room"]) == ("kitchen", "hall")


def test_another_speaker_kind_or_layer_is_another_memory(space):
    me = space()
    me.remember("喜欢喝茶", kind="preference", speaker="Ada")
    for said in (
        {"kind": "preference", "speaker": "Lin"},
        {"kind": "note", "speaker": "Ada"},
        {"kind": "preference", "speaker": "Ada", "layer": "episode"},
    ):
        assert me.remember("喜欢喝茶", **said).decision is Decision.ACCEPTED
    assert len(me.list()) == 4


def test_turns_of_a_conversation_are_each_kept(space):
    me = space("care")
    for _ in range(2):
        assert me.remember("好的", layer="session", session="morning").decision is Decision.ACCEPTED
    assert len(me.list(layer="session")) == 2


def test_members_of_a_batch_see_each_other(space):
    me = space()
    outs = me.remember_many(["她养了一只猫", "她養了一隻貓", "她养了一只狗", "她养了一只猫"])
    assert [out.decision for out in outs] == ["accepted", "reinforced", "accepted", "reinforced"]
    assert outs[0].memory == outs[1].memory == outs[3].memory
    assert (outs[0].memory.mentions, outs[0].memory.version) == (3, 1)
    assert len(me.ledger()) == 1


@pytest.mark.row("E7")
def test_the_third_saying_within_a_day_is_one_entry_that_is_lifted_less(space, clock):
    me = space("personal")
    me.remember("喝咖啡", kind="preference")
    clock.advance(hours=2)
    second = me.remember("喝咖啡", kind="preference").memory
    clock.advance(hours=2)
    out = me.remember("喝咖啡", kind="preference")
    assert "one entry in place of several" in out.reasons[0]
    assert (second.boost, out.memory.boost) == (0.5, 0.3)
    assert out.memory.momentum == 0.2
    assert len(me.list()) == 1


def test_a_duplicate_in_other_words_is_a_mention_that_keeps_them(space, judge, near):
    me = space()
    judge.tell("她每天早上散步", "每天清晨她都去走走", "duplicate")
    first = me.remember("她每天早上散步", vector=near()).memory
    out = me.remember("每天清晨她都去走走", vector=near(0.9))
    assert (out.decision, out.memory.id) == (Decision.REINFORCED, first.id)
    assert [said.content for said in out.memory.said] == ["每天清晨她都去走走"]


def test_who_may_not_replace_a_memory_may_repeat_it_and_not_change_its_details(space, agent):
    me = space("assistant")
    kept = me.remember("她住在南屏镇", metadata={"since": 2020}).memory
    out = me.as_actor(agent).remember("她住在南屏镇", metadata={"since": 1999}, priority="low")
    assert (out.decision, out.memory.mentions) == (Decision.REINFORCED, 2)
    assert (out.memory.metadata, out.memory.priority) == (kept.metadata, kept.priority)


@pytest.mark.row("E3")
def test_what_was_taken_back_and_is_said_again_stands_again(space, clock):
    me = space("personal")
    id = me.remember("我喜欢喝咖啡", kind="preference").memory.id
    clock.advance(days=1)
    me.negate(id)
    assert Mark.NEGATED in me.get(id).marks
    clock.advance(days=1)
    out = me.remember("我喜歡喝咖啡", kind="preference")
    assert (out.decision, out.memory.id) == (Decision.REINFORCED, id)
    assert Mark.NEGATED not in out.memory.marks
    assert out.memory.reaffirmed_at == clock.now()


def test_what_was_replaced_and_is_said_again_takes_its_place_back(space, judge, near, clock):
    me = space("personal")
    judge.tell("我住在北京", "我住在上海", "corrects")
    judge.tell("我住在上海", "我住在北京", "corrects")
    old = me.remember("我住在北京", kind="place", vector=near()).memory
    new = me.remember("我住在上海", kind="place", vector=near(0.9)).memory
    assert me.get(old.id).status is Status.EXPIRED
    clock.advance(days=30)
    out = me.remember("我住在北京", kind="place", vector=near())
    assert (out.decision, out.memory.id, out.memory.status) == (Decision.REINFORCED, old.id, Status.ACTIVE)
    assert me.get(new.id).status is Status.EXPIRED
    assert me.get(new.id).superseded_by == old.id


def test_what_a_person_rejected_is_not_asked_again_by_an_agent(space, agent):
    me = space("care")
    ear = me.as_actor(agent)
    id = ear.remember("她对花生过敏", confidence=0.8).memory.id
    me.reject(id, "not so")
    out = ear.remember("她对花生过敏", confidence=0.95)
    assert (out.decision, out.memory) == (Decision.LOGGED, None)
    assert me.pending() == []
    assert me.remember("她对花生过敏").memory.id == id


def test_what_was_forgotten_is_new_when_said_again(space):
    me = space()
    id = me.remember("她喜欢蓝色").memory.id
    me.forget(id)
    again = me.remember("她喜欢蓝色")
    assert again.decision is Decision.ACCEPTED
    assert again.memory.id != id


def test_a_mention_told_late_counts_and_turns_no_clock_back(space, clock):
    me = space()
    kept = me.remember("她会下棋").memory
    late = me.remember("她会下棋", at=clock.now() - timedelta(days=3))
    assert late.memory.mentions == 2
    assert late.memory.last_activated_at == kept.last_activated_at
