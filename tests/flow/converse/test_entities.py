"""Entities in what is said, and what a reference to one means."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast import InvalidInput

from .conftest import EVENING

DAY = timedelta(days=1)


@pytest.fixture
def me(hf):
    return hf.space("user:wren", profile="entities")


@pytest.mark.row("A11")
@pytest.mark.row("M17")
@pytest.mark.parametrize(
    ("line", "reference", "intent"),
    [
        ("帮我查一下料号RM05-008的库存", "上次那个料号", "query"),
        ("幫我查一下料號RM05-008的庫存", "上次那個料號", "query"),
        ("Please order 40 of part RM05-008 for Mr Larkspur", "that part again", "purchase"),
    ],
)
def test_entities_of_a_turn_are_stored_behind_it_and_a_reference_means_the_last(
    hf, me, say, line, reference, intent
):
    talk = me.converse("orders")
    for before in ("RM05-007", "RM05-009"):
        me.store_entity("part_number", before, at=EVENING - DAY)
    say(talk, line, "> ok")
    assert [job.kind for job in me.jobs()] == ["entities", "end"]
    assert hf.work().errors == ()
    found = me.resolve(reference, at=EVENING + DAY)
    assert found.types == ("part_number",)
    assert found.memory.entity_value == "RM05-008"
    assert found.memory.metadata["intent"] == intent
    assert found.memory.source_ids == (talk.turns()[0].id,)
    assert next(one.memory.entity_value for one in found.candidates) == "RM05-008"


@pytest.mark.row("A11")
@pytest.mark.parametrize(
    ("lines", "reference", "means"),
    [
        (("电机的料号是RM05-008", "减速机的料号是RM05-009"), "电机的那个料号", "RM05-008"),
        (("電機的料號是RM05-008", "減速機的料號是RM05-009"), "電機的那個料號", "RM05-008"),
        (("the motor is part RM05-008", "the gearbox is part RM05-009"), "the part of the motor", "RM05-008"),
        (("料号RM05-008", "料号RM05-009"), "昨天那个料号", "RM05-008"),
        (("part RM05-008", "part RM05-009"), "yesterday's part", "RM05-008"),
        (("料号RM05-008", "料号RM05-009"), "008那个", "RM05-008"),
    ],
)
def test_what_was_said_with_it_and_when_tell_which_is_meant(me, lines, reference, means):
    for line, at in zip(lines, (EVENING - DAY, EVENING), strict=True):
        (out,) = me.note_entities(line, at=at)
        assert out.memory.entity_type == "part_number"
    assert me.resolve(reference, at=EVENING + timedelta(hours=1)).memory.entity_value == means


@pytest.mark.row("A11")
@pytest.mark.parametrize(
    ("text", "reference"),
    [("RM05-008 和 RM05-009 都缺货", "那个料号"), ("RM05-008 or RM05-009?", "that part")],
)
def test_two_that_are_as_near_come_back_as_two_with_their_scores(me, text, reference):
    assert len(me.note_entities(text, at=EVENING)) == 2
    found = me.resolve(reference, at=EVENING)
    assert found.memory is None
    assert {(one.memory.entity_value, one.score) for one in found.candidates} == {
        ("RM05-008", 1.0),
        ("RM05-009", 1.0),
    }
    assert all(one.reasons for one in found.candidates)
    accesses = [memory.access_count for memory in me.get_user_entities()]
    assert accesses == [0, 0], "a question of what is meant is no use of it"


@pytest.mark.row("A11")
@pytest.mark.row("A2")
def test_the_same_entity_again_is_a_mention_and_its_job_done_twice_none(hf, me, say):
    me.note_entities("查 RM05-008", at=EVENING - DAY)
    talk = me.converse("orders")
    (out,) = say(talk, "再查一下 rm05-008")
    job, _by_itself = me.jobs()
    hf.work()
    me._scope.store.enqueue([job])
    assert hf.work().done == 1
    (entity,) = me.get_user_entities()
    assert entity.mentions == 2
    assert out.memory.id in entity.source_ids
    assert me.resolve("that phone again").candidates == ()


def test_what_holds_a_secret_keeps_none_of_it_as_context(me):
    outs = me.note_entities("RM05-008 的查询密码是 Kx9#vq2")
    assert (outs[-1].decision, outs[-1].memory) == ("refused", None)
    assert "secret" in outs[-1].reasons[0]
    assert "Kx9" not in str(me.get_user_entities())
    with pytest.raises(InvalidInput, match="reference"):
        me.resolve("")
    with pytest.raises(InvalidInput, match="limit"):
        me.resolve("that part", limit=0)
    assert me.note_entities("嗯，好的") == []
