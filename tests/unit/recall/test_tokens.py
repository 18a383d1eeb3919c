"""The estimate of tokens against counts of real tokenizers, taken once and kept here."""

from __future__ import annotations

import pytest

from holdfast.recall.tokens import estimated

# Text; the most that any of seven vocabularies needs (GPT-4, GPT-4o, Claude 2, Llama 3, Qwen, DeepSeek,
# Mistral Tekken); and what the old one of 32,000 pieces needs.
COUNTED = [
    ("早上八点吃一片氨氯地平，饭后再吃二甲双胍", 31, 29),
    ("她对磺胺类药过敏，绝对不能用", 20, 19),
    ("搬到台北大安區以後，她每天走路去菜市場買菜", 29, 26),
    ("料號 RM05-008 的供應商是寧波恆力，交期三週", 27, 32),
    ("女儿的电话是 138-0013-8000，走丢了就打", 27, 27),
    ("外婆愛吃虱目魚粥，放薑絲，不放香菜", 30, 30),
    ("The spare key hangs behind the boiler in the utility room.", 12, 14),
    ("Mum takes warfarin with her supper", 9, 9),
    ("Grandpa Osgood repaired clarinets in Huddersfield until 1987.", 21, 21),
    ("It isn't the plumber who's coming on Thursday, it's the electrician.", 18, 21),
    ('- [018f3a6e-5b7c-7d2e-9f41-0a1b2c3d4e5f] 2026-01-31 (verified) "She likes oolong"', 60, 61),
    ('## 始终有效\n- "你叫王秀兰"\n- "你的女儿叫小芸"', 34, 28),
    ('def f(x: int) -> str:\n    return f"{x:,}" if x else ""\n', 22, 25),
    ("https://example.org/a/b?c=d&e=1#f", 19, 19),
    ("😀 party 🎉 tonight 👍", 12, 8),
    ("  two\n\n\n  blank\t\tlines  ", 9, 11),
    ("Привет, как дела?", 9, 7),
    ("こんにちは、お元気ですか", 12, 13),
    ("8:30 / 12,500.00 / 2026-01-31T09:00+08:00", 39, 40),
    ("a", 1, 1),
]


@pytest.mark.parametrize(("text", "most", "older"), COUNTED)
@pytest.mark.row("M12")
def test_the_estimate_is_never_five_percent_under_a_real_count(text, most, older):
    assert estimated(text) * 1.05 >= max(most, older)


def test_the_estimate_is_not_far_above_either():
    assert sum(map(estimated, (text for text, _, _ in COUNTED))) < 1.35 * sum(most for _, most, _ in COUNTED)


def test_nothing_takes_no_tokens():
    assert estimated("") == 0


@pytest.mark.parametrize("text", ["\ud800", "\0", "\U0010ffff", "好" * 10_000, "x" * 10_000])
def test_any_text_has_an_estimate(text):
    assert estimated(text) >= 1
