"""The curator and the reviewer by rules: cautious, and the same in three scripts."""

from __future__ import annotations

import pytest

from holdfast.judge.rules import RulesJudge
from holdfast.ports.judge import Case, Shown, Turn

JUDGE = RulesJudge()

CORE = [
    "主人叫王小明", "主人的生日是3月5日", "主人最喜欢吃拉面", "我答应过主人每年一起看樱花", "我对花生过敏",
    "主人的女儿叫小红", "主人叫陳大文", "我的生日是三月五號", "主人喜歡爵士樂", "說好了每年一起看櫻花",
    "我對蝦過敏",
    "主人的太太叫阿珍", "My name is Ada Winterbourne", "The user's birthday is 5 March", "She loves ramen",
    "I promised to watch the sunrise with her every New Year", "I'm allergic to peanuts",
    "His daughter is called Juniper",
]  # fmt: skip
PASSING = [
    "主人今天很累", "我今天特别紧张", "主人明天要面试", "下周三要去看牙医", "最近一直在聊游戏",
    "这几天主人总是提到游戏",
    "主人今天很緊張", "明天要面試", "下禮拜三要去看牙醫", "最近總是在聊遊戲", "The user is tired today",
    "She is nervous today", "She has an interview tomorrow", "I'm going to the dentist next week",
    "We have been talking about games a lot lately",
]  # fmt: skip
HAPPENED = [
    "昨天奶奶走了",
    "去年我们一起去看海",
    "昨天我們搬家了",
    "Yesterday we moved house",
    "She was born in Leeds",
]


def decided(text, **case):
    return JUDGE.review(Case(memory=Shown("m1", text, said="2026-01-03"), **case)).splitlines()[-1]


@pytest.mark.row("C6")
@pytest.mark.parametrize("text", CORE)
def test_what_lasts_and_matters_is_core(text):
    assert decided(text, rising=True) == "[PROMOTE]"
    assert decided(text) == "[KEEP]"


@pytest.mark.row("C6")
@pytest.mark.parametrize("text", PASSING)
def test_moods_plans_and_topics_of_these_days_are_not_core_and_may_go(text):
    assert decided(text, rising=True) == "[KEEP]"
    assert decided(text) == "[DELETE]"


@pytest.mark.row("C6")
@pytest.mark.parametrize("text", HAPPENED)
def test_what_happened_stays_happened(text):
    assert decided(text) == "[KEEP]"


@pytest.mark.row("C6")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("主人住在北京", "主人不住在北京了"),
        ("主人喜歡喝咖啡", "主人不喜歡喝咖啡了"),
        ("She likes coffee", "She does not like coffee any more"),
    ],
)
def test_what_a_later_memory_takes_the_place_of_may_go(old, new):
    later = Shown("m2", new, said="2026-02-01")
    assert decided(old, related=(later,)) == "[DELETE]"
    assert decided(old, related=(Shown("m2", new, said="2025-12-01"),)) == "[KEEP]"


@pytest.mark.row("C4")
@pytest.mark.parametrize(
    ("memory", "used", "fetched"),
    [
        ("主人很紧张", "别这么绷着，深呼吸一下", "今天天气不错，适合出门"),
        ("主人很緊張", "別這麼繃著，放鬆一點", "今天天氣不錯，適合出門"),
        ("The user likes cats", "Shall we look at cat videos?", "It will rain tomorrow"),
        ("主人喜欢猫", "要不要去猫咖坐坐？", "明天会下雨"),
    ],
)
def test_only_a_memory_that_shaped_the_reply_is_boosted(memory, used, fetched):
    shown = [Shown("m1", memory)]
    assert JUDGE.curate([Turn("user", "在吗"), Turn("assistant", used)], shown) == "[BOOST:m1]"
    assert JUDGE.curate([Turn("user", "在吗"), Turn("assistant", fetched)], shown) == "[SKIP]"


@pytest.mark.row("C3")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我女儿小红住在上海", "我女儿小红住在上海"),
        ("我女兒小紅住在臺南", "我女兒小紅住在臺南"),
        ("My daughter lives in Leeds", "My daughter lives in Leeds"),
    ],
)
def test_what_the_user_told_is_added_in_the_words_it_was_told_in(said, kept):
    assert JUDGE.curate([Turn("user", said), Turn("assistant", "好的")], []) == f"[ADD] {kept}"
    assert JUDGE.curate([Turn("user", "你好"), Turn("assistant", said)], []) == "[SKIP]"
