"""How many tokens a text takes, for who brings no counter of their own: an estimate that errs upwards.
Pure.

Worked out against eight vocabularies (of GPT-4, GPT-4o, Claude 2, Llama 3, Qwen, DeepSeek, Mistral Tekken,
and the older one of 32,000 pieces of Llama 2 and Mistral) over 5,000 texts in both Chinese scripts, English
and code. None of the first seven took 5 % more than it says for any text with sense in it, the last none
for all of a kind together. It says a quarter too much for English and a seventh for Chinese. The test of
this module holds some of their counts.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Chinese characters that each of the seven vocabularies takes as one token; any other takes two or three.
_ONE_TOKEN = frozenset(
    "一万三上下不与专业东两个中为主么义之也书了事二于五些交产京人今从他付代以们件价任份企会传但位体何余作"
    "你使例供保信修值停像元先入全公共关其具内册再写出击分列则初利别到制前力功加务动動包化北区十华单南即历"
    "原去县参及反发取变口只可台右号司合同名后向否含启告员周命和品哈商器四回因国图土在地场型城基報場增处备"
    "复外多大天失头好如始子字存学安完定实客家容密对导将小少尔就局展山州工左已市布常平年并广序库应店度建开"
    "式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手打技投报拉持指按换据排接推提播支收改放政"
    "效数整文料断新方族无日时明易星是時景更最月有服期未本机权束条来板构果查标样格案模次止正此步段每比民水"
    "求江没治法注活流海消清游源点然片版物特率环现理生用由电画界登的目直相省看真知码确示社票种科秒称移程空"
    "立站章端符第等简算管类系素索约级线组经结给统编网置老考者而联能自至色节英藏行表装西要见规视角解言計计"
    "认议记论设证评试话该语误说请读调象责败费资起超路身车转载辑输达过运近还这进连述退送选通速造道部都配释"
    "里重量金错长開間関门闭问间队阳陆限院除集需非面音页项题首验高黑"
)
# A bit for each 64 characters from U+4E00 on: there some vocabulary needs three tokens a character.
_THREE_TOKENS = 0xB7FFFDB0C003EF701F001831FDFE407083C90009C1CE3CEDE0000FD4000900E400781F404784001400
_CHINESE_PUNCTUATION = frozenset("，。、；：！？“”‘’（）《》【】…—·「」『』～")
_WORD = re.compile(r"[A-Za-z]+")
_LINES = re.compile(r"[\r\n]+")
_GAPS = re.compile(r"[ \t]{2,}|(?<=\d)[ \t]")
_FIRST_HAN, _FIRST_UNIFIED, _LAST_HAN = 0x3400, 0x4E00, 0x9FFF


def estimated(text: str) -> int:
    """Tokens of the text, rounded up; an empty one takes none."""
    if not text:
        return 0
    rest, _ = _WORD.subn("", text)
    words = sum(map(_of_word, _WORD.findall(text)))
    gaps = len(_LINES.findall(text)) + len(_GAPS.findall(text))
    # Two for how a text begins and ends: short ones are where a single rare word weighs most.
    return int(2 + words + gaps + sum(map(_of_character, rest)) + 0.999)


@lru_cache(maxsize=8192)
def _of_word(word: str) -> float:
    """Common words are one token, longer ones more; with capitals inside it is a key or a code."""
    if word.islower():
        return 1 + max(0, len(word) - 4) / (4 if len(word) <= 10 else 3)
    if word[1:].islower():
        return 1 + max(0, len(word) - 3) / 3
    return max(1.0, 0.7 * len(word))


@lru_cache(maxsize=16384)
def _of_character(character: str) -> float:
    code = ord(character)
    if character in " \t\r\n":
        return 0  # one space goes with the word behind it; the rest is counted in runs
    if code < 0x370 or 0x400 <= code < 0x530:
        return 1  # digits, signs, accented Latin letters, Cyrillic
    if code < 0x800:
        return 1.4  # Greek, Hebrew, Arabic
    if _FIRST_HAN <= code <= _LAST_HAN:
        return _of_han(character, code)
    if character in _CHINESE_PUNCTUATION:
        return 1
    return 2 if 0x900 <= code < 0x3100 or 0xAC00 <= code < 0xD7A4 else 4 if code > 0xFFFF else 3


def _of_han(character: str, code: int) -> float:
    if character in _ONE_TOKEN:
        return 1
    dear = code < _FIRST_UNIFIED or _THREE_TOKENS >> ((code - _FIRST_UNIFIED) >> 6) & 1
    return 3 if dear else 2
