"""Who asks for the last talk, and names no topic, is told the last one (C2)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from .conftest import EVENING

DAY = timedelta(days=1)
TALKS = {
    "zh-Hans": ("我们聊聊上次去海边的事吧，聊了好多", "我在学做面包", "阳台上的番茄红了"),
    "zh-Hant": ("我們聊聊上次去海邊的事吧，聊了好多", "我在學做麵包", "陽台上的番茄紅了"),
    "en": (
        "Let us talk about what we talked about last time",
        "I am learning to bake",
        "The tomatoes are red",
    ),
}
ASKED = {
    "zh-Hans": (
        "上次聊了什么",
        "上次我们聊了什么？",
        "你还记得我们上次聊到哪儿了吗",
        "早上好。上次说了些什么？",
    ),
    "zh-Hant": (
        "上次聊了什麼",
        "上次我們聊了什麼？",
        "你還記得我們上次聊到哪兒了嗎",
        "早安。上次說了些什麼？",
    ),
    "en": (
        "what did we talk about last time",
        "What was our last conversation about?",
        "do you remember what we last talked about?",
        "Good morning. What did we discuss last time?",
    ),
}


def told(hf, clock, say, *, language, profile, since=3):
    """A house with three talks, one a day, the last of them `since` days ago, and some facts."""
    me = hf.space(f"user:{profile}-{language}", profile=profile)
    me.remember_many(["我女儿叫小红", "The boiler was mended in May", "我喜歡喝茶"])
    for days, line in enumerate(TALKS[language]):
        at = EVENING + days * DAY
        clock.set(at)
        talk = me.converse(f"talk {days}")
        say(talk, line, at=at)
        talk.end()
    # An old one is dear, and the latest is not: neither counts here.
    (dear,) = [one for one in me.list(layer="episode") if TALKS[language][0] in one.content]
    for picture in ("sea", "beach", "boat"):
        me.attach(dear.id, modality="image", reference=f"{picture}.jpg")
    clock.set(EVENING + (2 + since) * DAY)
    return me


@pytest.mark.row("C2")
@pytest.mark.parametrize("profile", ["companion", "care", "assistant", "personal"])
@pytest.mark.parametrize("language", TALKS)
def test_the_last_talk_comes_first_where_no_topic_is_named(hf, clock, say, language, profile):
    me = told(hf, clock, say, language=language, profile=profile)
    for question in ASKED[language]:
        episodes = [hit.memory for hit in me.recall(question) if hit.memory.layer == "episode"]
        assert TALKS[language][2] in episodes[0].content, question
        assert TALKS[language][1] in episodes[1].content, question
        best = next(hit for hit in me.recall(question) if not hit.hot)
        assert best.memory.id == episodes[0].id, question


@pytest.mark.row("C2")
@pytest.mark.parametrize("language", TALKS)
def test_the_last_talk_is_told_though_it_is_weeks_ago(hf, clock, say, language):
    me = told(hf, clock, say, language=language, profile="care", since=12)
    best = next(iter(me.recall(ASKED[language][0])))
    assert TALKS[language][2] in best.memory.content
