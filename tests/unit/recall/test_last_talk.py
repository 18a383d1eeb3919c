"""Which questions ask for the last talk, whatever it was about (C2)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.recall.intent import read_question

NOW = datetime(2026, 1, 3, 18, tzinfo=UTC)
ASKS = (
    "上次聊了什么",
    "上次我們聊了什麼",
    "我们上次聊了什么？",
    "你还记得我们上次聊了什么吗？",
    "上次聊到哪儿了",
    "上次咱们都聊了些什么呀",
    "上次说到哪了？",
    "上次聊天的内容是什么",
    "上一次聊天我们聊了什么话题",
    "上次我们在聊什么",
    "上次聊了啥",
    "上次談了什麼",
    "最近一次聊了些什么",
    "上次我们讨论的内容是什么？",
    "还记得上次聊什么了吗",
    "對了，上次聊的是什麼來著？",
    "上次见面的时候我们聊了什么",
    "what did we talk about last time",
    "What did we talk about last time?",
    "So what did we talk about in our last conversation?",
    "Do you remember what we talked about last time?",
    "what were we talking about last time",
    "what did we last talk about?",
    "what was our last conversation about?",
    "What was our last chat about?",
    "remind me what we discussed last time",
    "where did we leave off?",
    "what was the last thing we talked about",
    "最近一次聊了些什麼",
    "上次我們討論的內容是什麼？",
)
ASKS_SOMETHING_ELSE = (
    "上次聊游戏是什么时候",
    "上次聊游戏聊了什么",
    "上次和医生聊了什么",
    "上次去医院医生说了什么",
    "上次女儿来说了什么",
    "我上次体检是什么时候",
    "上次吃了什么",
    "刚才聊了什么",
    "上次在公园聊了什么",
    "上次买的是什么",
    "上次是什么",
    "上次什么",
    "what did we talk about yesterday",
    "what did the doctor say last time",
    "what did we talk about",
    "when did we last talk about the game?",
    "what did we talk about last time the plumber came?",
    "what did we say about the boiler last time",
    "what did we last eat?",
    "what was our last holiday about",
    "what did we decide last time",
    "上次聊遊戲聊了什麼",
    "上次和醫生聊了什麼",
    "上次吃了什麼",
    "我們聊了什麼",
)


@pytest.mark.parametrize("question", ASKS)
def test_it_asks_for_the_last_talk(question):
    assert read_question(question, NOW).last
    assert read_question(question, NOW).clauses[0].recounts


@pytest.mark.parametrize("question", ASKS_SOMETHING_ELSE)
def test_it_asks_for_something_else(question):
    assert not read_question(question, NOW).last
