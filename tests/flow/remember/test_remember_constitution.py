"""The constitution through the library: owners only, few entries, three confirmations."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.errors import Forbidden, IllegalChange, InvalidInput
from holdfast.model.actor import Actor
from holdfast.model.status import Status

ENTRIES = ["你是林秋兰，今年75岁", "你是林秋蘭，今年75歲", "You are Ada Quillfeather, aged 75"]


def confirmed(change, **when):
    token = change.token
    while token:
        token = change.confirm(token, **when)
    return change.outcome.memory


@pytest.mark.row("M2")
@pytest.mark.parametrize("words", ENTRIES)
def test_an_entry_stands_after_the_third_confirmation_and_is_due_the_next_day(space, clock, words):
    me = space("care")
    change = me.constitution.propose(words, priority="high")
    token = change.token
    for times in range(3):
        assert (change.confirmations, change.done) == (times, False)
        assert me.constitution.entries() == []
        token = change.confirm(token)
    assert (token, change.done) == ("", True)
    (entry,) = me.constitution.entries()
    assert (entry.content, entry.priority, entry.status) == (words, "high", Status.ACTIVE)
    assert entry.due_at == clock.now() + timedelta(days=1)
    assert me.constitution.due() == []
    clock.advance(days=1)
    assert me.constitution.due() == [entry]
    me.constitution.checked(entry.id)
    assert me.constitution.due() == []
    assert me.context("天气").text.count(words) == 1


@pytest.mark.row("M2")
def test_no_loop_and_no_retry_confirms_by_accident(space):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    second = change.confirm(change.token)
    for wrong in (change.token, change.token, "", "x", second + "x"):
        with pytest.raises(InvalidInput):
            change.confirm(wrong)
    third = change.confirm(second)
    with pytest.raises(InvalidInput):
        change.confirm(second)
    change.confirm(third)
    with pytest.raises(IllegalChange):
        change.confirm(third)
    assert len(me.constitution.entries()) == 1


@pytest.mark.row("M2")
def test_confirmations_work_from_another_process_and_run_out(space, clock):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    assert [proposal.id for proposal in me.constitution.waiting()] == [change.id]
    token = me.constitution.confirm(change.id, change.token).token
    clock.advance(minutes=61)
    assert me.constitution.waiting() == []
    with pytest.raises(IllegalChange, match="out of time"):
        me.constitution.confirm(change.id, token)
    assert me.constitution.entries() == []


@pytest.mark.row("M2")
def test_a_change_and_a_delete_take_three_confirmations_and_a_delete_can_be_restored_for_a_week(space, clock):
    me = space("care")
    entry = confirmed(me.constitution.propose("她叫林秋兰"))
    change = me.constitution.propose_change(entry.id, "她叫林秋兰，女儿叫林小满")
    assert me.constitution.entries() == [entry]
    changed = confirmed(change)
    assert (changed.id, changed.content, changed.version) == (
        entry.id,
        "她叫林秋兰，女儿叫林小满",
        entry.version + 1,
    )
    assert me.history(entry.id)[0].content == "她叫林秋兰"
    gone = confirmed(me.constitution.propose_delete(entry.id))
    assert (gone.status, me.constitution.entries()) == (Status.DELETED, [])
    clock.advance(days=7)
    me.constitution.restore(entry.id)
    assert [memory.content for memory in me.constitution.entries()] == [changed.content]
    confirmed(me.constitution.propose_delete(entry.id))
    clock.advance(days=7, seconds=1)
    with pytest.raises(IllegalChange, match="over 7 days"):
        me.constitution.restore(entry.id)


@pytest.mark.row("M2")
def test_a_confirmation_is_for_the_words_that_were_proposed(space):
    me = space("care")
    entry = confirmed(me.constitution.propose("她叫林秋兰"))
    one = me.constitution.propose_change(entry.id, "她叫阿兰")
    other = me.constitution.propose_change(entry.id, "她叫秋兰")
    with pytest.raises(InvalidInput):
        one.confirm(other.token)
    confirmed(other)
    with pytest.raises(IllegalChange, match="changed since"):
        confirmed(one)
    assert me.constitution.entries()[0].content == "她叫秋兰"


@pytest.mark.row("M1")
def test_it_holds_twenty_entries_of_two_hundred_characters(space):
    me = space("care")
    with pytest.raises(InvalidInput, match="200"):
        me.constitution.propose("长" * 201)
    early = me.constitution.propose("第二十一条")
    entries = [confirmed(me.constitution.propose(f"第{n}条" + "长" * 195)) for n in range(20)]
    with pytest.raises(IllegalChange, match="20 entries"):
        me.constitution.propose("再来一条")
    with pytest.raises(IllegalChange, match="20 entries"):
        confirmed(early)
    confirmed(me.constitution.propose_delete(entries[0].id))
    confirmed(me.constitution.propose("再来一条"))
    with pytest.raises(IllegalChange, match="20 entries"):
        me.constitution.restore(entries[0].id)
    assert len(me.constitution.entries()) == 20


@pytest.mark.row("M1")
@pytest.mark.parametrize("role", ["agent", "user", "system", "auditor"])
def test_only_owners_write_it_and_every_attempt_is_recorded(space, role):
    me = space("care")
    entry = confirmed(me.constitution.propose("她叫林秋兰"))
    open_one = me.constitution.propose("她住在东街")
    other = me.as_actor(Actor(role, "x")).constitution
    attempts = [
        lambda: other.propose("x"),
        lambda: other.propose_change(entry.id, "x"),
        lambda: other.propose_delete(entry.id),
        lambda: other.confirm(open_one.id, open_one.token),
        lambda: other.withdraw(open_one.id),
        lambda: other.restore(entry.id),
        lambda: other.checked(entry.id),
    ]
    for attempt in attempts:
        with pytest.raises(Forbidden):
            attempt()
    recorded = [one for one in me.ledger() if one.verb == "forbidden" and one.actor == f"{role}:x"]
    assert len(recorded) == len(attempts)
    assert other.entries() == [entry]


@pytest.mark.row("M1")
def test_it_never_waits_with_other_memories_and_is_never_searched(space):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    assert me.pending() == []
    with pytest.raises(IllegalChange):
        me.approve(change.id)
    confirmed(change)
    assert len(me.recall("她叫林秋兰", mode="debug")) == 0
    assert [entry.content for entry in me.recall("完全无关").constitution] == ["她叫林秋兰"]


def test_a_proposal_can_be_withdrawn(space):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    me.constitution.withdraw(change.id)
    with pytest.raises(IllegalChange):
        change.confirm(change.token)
    assert me.constitution.waiting() == []


def test_what_stands_is_not_proposed_twice(space):
    me = space("care")
    confirmed(me.constitution.propose("她叫林秋兰"))
    with pytest.raises(InvalidInput, match="propose a change"):
        me.constitution.propose("她叫林秋蘭")
    (entry,) = me.constitution.entries()
    with pytest.raises(InvalidInput, match="already"):
        me.constitution.propose_change(entry.id, entry.content)


def test_no_token_is_stored(space, house, tmp_path):
    me = space("care")
    change = me.constitution.propose("她叫林秋兰")
    token = change.confirm(change.token)
    house.close()
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert token.encode() not in written
    assert change.token.encode() not in written
