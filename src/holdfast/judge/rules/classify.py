"""Kind, topic tags and slot of a statement, by word classes. First version: to be deepened."""

from __future__ import annotations

import re

from holdfast.judge.rules.text import fold
from holdfast.ports.judge import Classified

_KINDS = (
    ("medical", "药|过敏|血压|医生|糖尿病|疼|allerg|medicine|doctor|pill|blood pressure|diabet|dose"),
    ("identity", "我叫|名字|生日|my name|birthday|i was born"),
    ("preference", "喜欢|爱吃|爱喝|讨厌|不吃|prefer|like|love|hate|can't stand|favourite|favorite"),
    (
        "relation",
        "女儿|儿子|妈|爸|老婆|丈夫|朋友|哥|姐|弟|妹|daughter|son|mother|father|wife|husband|friend|brother|sister",
    ),
    ("place", "住在|地址|搬|live|address|moved"),
    ("decision", "决定|decided|decision"),
    ("bugfix", "修复|fixed|bug"),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _KINDS)


def classify(text: str) -> Classified:
    """The first class whose words stand in the text; `fact` where none does."""
    folded = fold(text)
    for kind, pattern in _COMPILED:
        if found := pattern.search(folded):
            tags = ("preference",) if kind == "preference" else ("personal",)
            return Classified(kind, tags, None, 0.6, (f"says {found.group()}",))
    return Classified("fact", (), None, 0.5, ())
