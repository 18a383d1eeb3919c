"""What had an end of its own and is past it stands no more: said again it is no mention that nobody sees."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.errors import IllegalChange
from holdfast.model.layer import Decision

PARCELS = ["包裹星期五到", "包裹禮拜五到", "the parcel comes on Friday"]


@pytest.fixture
def ended(space, clock):
    """A space, and a memory in it whose time has run out."""

    def make(words):
        me = space()
        kept = me.remember(words, expires_at=clock.now() + timedelta(days=2)).memory
        clock.advance(days=3)
        assert not me.recall(words).hits
        return me, kept

    return make


@pytest.mark.row("M3")
@pytest.mark.parametrize("words", PARCELS)
def test_said_again_after_its_end_it_stands_again(ended, words):
    me, kept = ended(words)
    out = me.remember(words)
    assert (out.decision, out.memory.id) == (Decision.REINFORCED, kept.id)
    assert [hit.memory.id for hit in me.recall(words).hits] == [kept.id]


@pytest.mark.parametrize("verb", ["affirm", "restore"])
def test_it_can_be_brought_back_after_its_end(ended, verb):
    me, kept = ended(PARCELS[2])
    getattr(me, verb)(kept.id)
    assert [hit.memory.id for hit in me.recall(PARCELS[2]).hits] == [kept.id]


def test_it_is_not_approved_unseen_after_its_end(ended):
    me, kept = ended(PARCELS[2])
    with pytest.raises(IllegalChange, match="expired; restore it first"):
        me.approve(kept.id)


def test_the_end_that_is_told_anew_holds(ended, clock):
    me, _ = ended(PARCELS[0])
    end = clock.now() + timedelta(days=1)
    assert me.remember(PARCELS[0], expires_at=end).memory.expires_at == end
    clock.advance(days=2)
    assert not me.recall(PARCELS[0]).hits


def test_another_wording_of_what_has_ended_is_new(ended, judge):
    me, kept = ended("the parcel comes on Friday")
    judge.tell("the parcel comes on Friday", "Friday the parcel comes", "duplicate")
    out = me.remember("Friday the parcel comes")
    assert (out.decision, out.memory.id == kept.id) == (Decision.ACCEPTED, False)


@pytest.mark.row("P2")
def test_working_memory_said_again_the_next_day_is_an_entry_of_its_own(space, clock):
    me = space("team")
    note = "The kiln controller was patched on Tuesday; the sensor still reads two degrees too low."
    first = me.remember(note, layer="session", confidence=0.9).memory
    clock.advance(hours=30)
    again = me.remember(note, layer="session", confidence=0.9)
    assert (again.decision, again.memory.id == first.id) == (Decision.ACCEPTED, False)
    assert [hit.memory.id for hit in me.recall("kiln").hits] == [again.memory.id]
