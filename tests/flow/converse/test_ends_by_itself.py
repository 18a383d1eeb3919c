"""A conversation that nobody ends is read all the same, before working memory lets its turns go (M7, M17)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from .conftest import EVENING

HOURS = timedelta(hours=12)  # half of what working memory keeps
LINES = {
    "zh-Hans": ("今天女儿小红来看我了", "我每天早上去公园散步"),
    "zh-Hant": ("今天女兒小紅來看我了", "我每天早上去公園散步"),
    "en": ("My daughter Rose came to see me today", "I walk in the park every morning"),
}


@pytest.mark.row("M7")
@pytest.mark.row("M17")
@pytest.mark.parametrize("language", LINES)
def test_what_nobody_ends_is_ended_once_and_what_follows_too(hf, clock, say, language):
    me = hf.space("user:wren", profile="personal")
    talk, (first, second) = me.converse("evening"), LINES[language]
    say(talk, first, "> oh")
    assert hf.work().done == 0
    clock.set(EVENING + HOURS)
    assert hf.work().done == 1
    (fact,) = me.list(layer="fact")
    (episode,) = me.list(layer="episode")
    assert (fact.content, first in episode.content) == (first, True)
    assert talk.end().repeated
    assert (len(me.list(layer="fact")), len(me.list(layer="episode"))) == (1, 1)
    say(talk, second, at=EVENING + HOURS)
    clock.set(EVENING + 2 * HOURS)
    assert hf.work().done == 1
    assert {one.content for one in me.list(layer="fact")} == {first, second}
    assert me.list(layer="fact")[0].mentions == 1
    assert me.jobs() == []


@pytest.mark.row("M7")
@pytest.mark.parametrize("language", LINES)
def test_what_somebody_ended_is_not_ended_again(hf, clock, say, language):
    me = hf.space("user:wren", profile="personal")
    talk = me.converse("evening")
    say(talk, LINES[language][0])
    talk.end()
    changes = len(me.ledger(limit=100))
    clock.set(EVENING + HOURS)
    assert hf.work().done == 1
    assert len(me.ledger(limit=100)) == changes


def test_one_end_waits_for_each_conversation_and_names_no_word(hf, say):
    me = hf.space("user:wren", profile="personal")
    for session in ("garden", "kitchen"):
        say(me.converse(session), *LINES["en"])
    waiting = [job for job in me.jobs() if job.kind == "end"]
    assert len(waiting) == 2
    assert not any(word in repr(waiting) for word in ("garden", "kitchen", "Rose"))
