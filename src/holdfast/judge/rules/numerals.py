"""Chinese and English numerals in words as whole numbers: 三百二十, 两千五, four hundred, third."""

from __future__ import annotations

import re

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0, "俩": 2, "仨": 3}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000, "亿": 100000000}
CHINESE = "零〇一二两三四五六七八九十百千万亿俩仨"

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_ORDINALS = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: number for number, word in enumerate(_ONES.split())}
_SMALL |= {word: number for number, word in enumerate(_ORDINALS.split(), start=3)}
_SMALL |= {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
_SMALL |= {"dozen": 12, "twice": 2, "decade": 10, "twins": 2}
_WORDS = "|".join(sorted([*_SMALL, "hundred", "thousand"], key=len, reverse=True))
# A pattern of a run of English number words.
ENGLISH = rf"(?:{_WORDS})(?:(?: |-| and )(?:{_WORDS}))*"


def chinese_number(text: str) -> int | None:
    """The value of a Chinese numeral; nothing when the text is none."""
    if not text or any(c not in _DIGITS and c not in _SCALES for c in text):
        return None
    if all(c in _DIGITS for c in text):
        return int("".join(str(_DIGITS[c]) for c in text))
    total = section = digit = 0
    scale = 1
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
            continue
        scale = _SCALES[c]
        if scale >= 10000:
            total, section = total + (section + digit) * scale, 0
        else:
            section += (digit or 1) * scale
        digit = 0
    if digit and scale > 10 and "零" not in text:
        digit *= scale // 10  # 两千五 is 2500
    return total + section + digit


def english_number(text: str) -> int | None:
    """The value of English number words; nothing when they are none."""
    total = current = 0
    for word in re.split(r"[ -]+", text):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word != "and":
            return None
    return total + current


def count(text: str) -> int:
    """A numeral in digits, Chinese or English words; 0 when it is none."""
    if text.isdecimal():
        return int(text)
    return chinese_number(text) or english_number(text) or 0
