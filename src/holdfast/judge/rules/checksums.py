"""Checksums and spelled digits: whether a bare number is a card, an identity number, an account.

Pure arithmetic on strings of digits; nothing here knows of words. Used by `formats`.
"""

from __future__ import annotations

import re

# First digits of payment cards (ISO/IEC 7812 issuers): Visa, Mastercard, American Express, UnionPay,
# Discover, JCB, Diners Club, Maestro.
_ISSUER = re.compile(r"4|5[0-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6[0-9]|35|3[0689]")

_CHINESE_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)  # GB 11643-1999
_CHINESE_ID_CHECKS = "10X98765432"
_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # A = 10 … O = 35

_CHINESE_DIGITS = dict(
    zip("零〇一二三四五六七八九幺两", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2), strict=True)
)
_ENGLISH_DIGITS = {
    word: digit
    for digit, words in enumerate(
        ("zero oh o nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    )
    for word in words.split()
}


def luhn(digits: str) -> bool:
    """Whether the last digit is the Luhn check of the others."""
    total = 0
    for index, character in enumerate(reversed(digits)):
        value = int(character) * (2 if index % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def card(digits: str) -> bool:
    """A payment card: 13 to 19 digits, an issuer's beginning, the Luhn check, not one digit repeated."""
    plausible = 13 <= len(digits) <= 19 and len(set(digits)) > 1
    return plausible and bool(_ISSUER.match(digits)) and luhn(digits)


def chinese_id(text: str) -> bool:
    """A resident identity number of the mainland: 17 digits with a date in them and a check character."""
    text = text.upper()
    if not re.fullmatch(r"[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]", text):
        return False
    total = sum(int(d) * w for d, w in zip(text[:17], _CHINESE_ID_WEIGHTS, strict=True))
    return _CHINESE_ID_CHECKS[total % 11] == text[17]


def taiwan_id(text: str) -> bool:
    """A national identity number of Taiwan: a letter, nine digits, check digit included."""
    text = text.upper()
    if not re.fullmatch(r"[A-Z][1289]\d{8}", text):
        return False
    letter = _TAIWAN_LETTERS.index(text[0]) + 10
    digits = [letter // 10, letter % 10, *map(int, text[1:])]
    return sum(d * w for d, w in zip(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0


def nhs(digits: str) -> bool:
    """An NHS number of England: ten digits, modulus 11."""
    if len(digits) != 10:
        return False
    check = 11 - sum(int(d) * w for d, w in zip(digits[:9], range(10, 1, -1), strict=True)) % 11
    return check % 11 == int(digits[9]) and check != 10


def iban(text: str) -> bool:
    """An international account number: modulus 97 over its letters and digits."""
    text = re.sub(r"\s", "", text).upper()
    if not re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", text):
        return False
    return int("".join(str(int(c, 36)) for c in text[4:] + text[:4])) % 97 == 1


def spoken_digits(text: str) -> str:
    """The digits that a run of digit words says (`一三八`, `oh seven double nine`).

    Blank where another English word is among them.
    """
    if not text.isascii():
        return "".join(str(_CHINESE_DIGITS[c]) for c in text if c in _CHINESE_DIGITS)
    digits, repeat = "", 1
    for word in re.findall(r"[a-z]+", text):
        if word in ("double", "triple"):
            repeat = 2 if word == "double" else 3
        elif word == "hundred":
            digits += "00"
        elif word in _ENGLISH_DIGITS:
            digits, repeat = digits + str(_ENGLISH_DIGITS[word]) * repeat, 1
        else:
            return ""
    return digits
