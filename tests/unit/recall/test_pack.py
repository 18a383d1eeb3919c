"""The budget of a prompt: shares, leftovers, the constitution first, and what was left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.profile.schema import ContextBudget
from holdfast.recall.pack import SECTIONS, Parts, Piece, pack, shares

from .conftest import Room

TITLES = {name: f"# {name}" for name in SECTIONS if name != "reserve"}
PUBLISHED = {"constitution": 500, "fact": 2000, "session": 500, "question": 500, "reserve": 500}


def words(text):
    """One token a word; a line break is none."""
    return len(text.split())


def pieces(room, *sizes, start="w"):
    made = [room.memory(" ".join(f"{start}{n}x{i}" for i in range(size))) for n, size in enumerate(sizes)]
    return [Piece(memory, f"- {memory.content}") for memory in made]


def parts(*, constitution=(), fact=(), session=(), question="why", preface="quotes"):
    return Parts(preface, TITLES, constitution, fact, session, question)


def section(packed, name):
    return next(part for part in packed.sections if part.name == name)


def test_the_shares_are_the_published_ones():
    assert shares(ContextBudget(), 4000) == PUBLISHED


@given(st.integers(1, 10**6))
def test_shares_of_any_budget_add_up_to_it(budget):
    assert sum(shares(ContextBudget(), budget).values()) == budget


@pytest.mark.row("M12")
def test_what_a_section_leaves_goes_to_the_next(room):
    facts = pieces(room, *[90] * 28)
    packed = pack(
        parts(constitution=pieces(room, 100, start="c"), fact=facts), 4000, ContextBudget(), count=words
    )
    # 500 less the constitution's 103 words and line breaks go to the 2000 of the facts: 26 lines of 92.
    assert len(section(packed, "fact").memories) == 26
    assert packed.used <= 4000
    assert [id for id, _ in packed.left_out] == [piece.memory.id for piece in facts[26:]]


def test_unused_facts_make_room_for_sessions(room):
    packed = pack(parts(session=pieces(room, *[100] * 40)), 4000, ContextBudget(), count=words)
    assert len(section(packed, "session").memories) == 29


@pytest.mark.row("M12")
def test_the_constitution_is_never_cut_and_takes_from_the_reserve_first(room):
    constitution = pieces(room, *[100] * 9, start="c")  # 900 and more of 500: the reserve gives
    facts = pieces(room, *[95] * 30)
    packed = pack(parts(constitution=constitution, fact=facts), 4000, ContextBudget(), count=words)
    assert len(section(packed, "constitution").memories) == 9
    assert section(packed, "constitution").budget >= 900
    assert len(section(packed, "fact").memories) == 20  # their own share is whole
    assert packed.used <= 4000


@pytest.mark.row("M1")
def test_a_budget_too_small_for_anything_still_holds_the_constitution(room):
    constitution = pieces(room, 50, 50, start="c")
    packed = pack(parts(constitution=constitution, fact=pieces(room, 3)), 10, ContextBudget(), count=words)
    assert all(piece.line in packed.text for piece in constitution)
    assert section(packed, "fact").memories == ()
    assert packed.used > 10


def test_a_shorter_line_may_fit_where_a_longer_did_not(room):
    long, short = pieces(room, 5000, 5)
    packed = pack(parts(fact=[long, short]), 4000, ContextBudget(), count=words)
    assert section(packed, "fact").memories == (short.memory,)
    assert packed.left_out[0][0] == long.memory.id
    assert "needs 5002 tokens" in packed.left_out[0][1]


def test_what_the_constitution_says_is_not_said_again(room):
    (entry,) = pieces(room, 5)
    again = Piece(room.memory(entry.memory.content), "- again")
    packed = pack(parts(constitution=[entry], fact=[again]), 4000, ContextBudget(), count=words)
    assert packed.left_out == ((again.memory.id, "says what stands there already"),)


def test_a_question_longer_than_all_room_is_cut_at_its_end():
    question = " ".join(f"q{n}" for n in range(9000))
    packed = pack(parts(question=question), 4000, ContextBudget(), count=words)
    assert packed.used <= 4000
    assert packed.text.endswith("…")
    assert packed.left_out[0][0] == "question"
    assert section(packed, "question").used > 3900  # what nobody else wanted


def test_empty_sections_have_no_title():
    packed = pack(parts(), 4000, ContextBudget(), count=words)
    assert packed.text == "quotes\n\n# question\nwhy"
    assert [part.name for part in packed.sections] == list(SECTIONS)


@given(
    budget=st.integers(1, 400),
    sizes=st.lists(st.integers(1, 60), max_size=12),
    sessions=st.lists(st.integers(1, 60), max_size=6),
    entries=st.lists(st.integers(1, 30), max_size=4),
)
def test_never_over_budget_but_for_the_constitution(budget, sizes, sessions, entries):
    room = Room()
    counting = lambda text: (len(text) + 2) // 3  # does not add up line by line
    made = parts(
        constitution=pieces(room, *entries, start="c"),
        fact=pieces(room, *sizes),
        session=pieces(room, *sessions, start="s"),
    )
    packed = pack(made, budget, ContextBudget(), count=counting)
    assert packed.used == counting(packed.text)
    assert all(piece.line in packed.text for piece in made.constitution)
    others = section(packed, "fact").memories + section(packed, "session").memories
    if packed.used > budget:
        assert others == ()
    told = {id for id, _ in packed.left_out} | {memory.id for memory in others}
    assert told >= {piece.memory.id for piece in (*made.fact, *made.session)}
