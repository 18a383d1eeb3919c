"""Words before meaning: folding, language, sentences, clauses and words, for every rule of this judge.

Every rule compares folded text: NFKC, lower case, traditional characters as simplified ones, NUL and lone
surrogates as spaces. `fold` gives the text alone; `fold_aligned` also tells where each folded character
stood, so that a quote or a span can be cut out of the text as written. Everything here is deterministic,
never raises on any `str`, and reads at most `LIMIT` characters.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

# Texts are at most a few thousand characters (ports/judge.py); longer ones are judged by their beginning.
LIMIT = 4000

Language = Literal["zh-Hans", "zh-Hant", "en"]

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"

# Characters the standard table leaves alone, but which Taiwan and Hong Kong write for a common one.
_VARIANTS = {"著": "着", "妳": "你", "牠": "它", "祂": "他", "甚": "什", "喫": "吃", "纔": "才", "臺": "台"}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text with the place of every character in the text as written."""

    text: str
    starts: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that `text[start:end]` came from."""
        if start >= end:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.starts[end - 1] + 1


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a folded text. `kind`: zh, en, number, code (letters with digits: RM05-008, 3.5.0).

    `tag` is the part of speech the segmenter gives a Chinese word (v, n, nr person, ns place, t time, …).
    """

    text: str
    start: int
    end: int
    kind: Literal["zh", "en", "number", "code"]
    tag: str = ""


@cache
def _simplified() -> dict[int, str]:
    """Character table traditional -> simplified, read once from OpenCC (0.03 s on first use)."""
    from opencc import OpenCC

    characters = [chr(code) for code in range(0x3400, 0xA000)]
    converted = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, converted, strict=True)
    table = {ord(a): b for a, b in pairs if a != b and len(b) == 1}
    table.update({ord(a): b for a, b in _VARIANTS.items()})
    return table


@cache
def _only_simplified() -> frozenset[str]:
    """Characters that traditional writing replaces: their presence means simplified text."""
    from opencc import OpenCC

    characters = [chr(code) for code in range(0x4E00, 0xA000)]
    converted = OpenCC("s2t").convert("\n".join(characters)).split("\n")
    ambiguous = set("后里干台余只面系谷松斗丑云几出卜曲舍累千秋回向咸症占吁")
    return frozenset(a for a, b in zip(characters, converted, strict=True) if a != b) - ambiguous


def _plain(character: str) -> str:
    code = ord(character)
    if code == 0 or 0xD800 <= code <= 0xDFFF:
        return " "
    return _QUOTES.get(character, character)


_QUOTES = {
    "\u2019": "'",
    "\u2018": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u2014": "-",
    "\u2013": "-",
    "\u3000": " ",
}


@lru_cache(maxsize=4096)
def fold_aligned(text: str) -> Folded:
    """The folded text with its alignment; characters that expand (½, ㈱) all point at where they stood."""
    table = _simplified()
    out: list[str] = []
    starts: list[int] = []
    for index, character in enumerate(text[:LIMIT]):
        if character.isascii() and character != "\0":
            folded = character.lower()
        else:
            folded = unicodedata.normalize("NFKC", _plain(character)).lower().translate(table)
        out.append(folded)
        starts.extend([index] * len(folded))
    starts.append(min(len(text), LIMIT))
    return Folded("".join(out), tuple(starts))


def fold(text: str) -> str:
    """The folded text: what every comparison, word list and pattern of the rules is written against."""
    return fold_aligned(text).text


@lru_cache(maxsize=4096)
def language(text: str) -> Language:
    """The language of a text: Chinese despite Latin names in it; simplified where the script is open."""
    text = text[:LIMIT]
    chinese = re.findall(f"[{CJK}]", text)
    if not chinese or len(chinese) < len(re.findall(r"[A-Za-z]+", text)):
        return "en"
    traditional, simplified = scripts(text)
    return "zh-Hant" if traditional > simplified else "zh-Hans"


def scripts(text: str) -> tuple[int, int]:
    """How many of its characters are written so in traditional text only, and in simplified text only."""
    table, simplified = _simplified(), _only_simplified()
    return sum(c > "\u2e7f" and ord(c) in table for c in text), sum(c in simplified for c in text)


def is_chinese(text: str) -> bool:
    """Whether the text reads as Chinese, in either script."""
    return language(text) != "en"


_ABBREVIATED = re.compile(r"\b(?:mr|mrs|ms|dr|prof|vs|e\.g|i\.e|etc|approx|[a-hj-z])\.$", re.IGNORECASE)
_STOP = re.compile(r"(?:[。！？!?；;…\n\r]+|(?<!\d)\.+(?=\s|$)|(?<=\d)\.(?=\s|$))[”’」』\"')）】]*\s*")
_PAUSE = re.compile(r"[，,、：:—–]+\s*|\s-\s|\s*[（(]|[）)]\s*")


def _cut(text: str, stop: re.Pattern[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for match in stop.finditer(text):
        if match.group().startswith(".") and _ABBREVIATED.search(text[: match.start() + 1]):
            continue
        if re.match(r"[:,]$", match.group()) and text[match.end() : match.end() + 1].isdigit():
            continue  # 8:30 and 1,200 are one thing
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    return [_trim(text, a, b) for a, b in spans if text[a:b].strip()]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


@lru_cache(maxsize=2048)
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """(start, end) of every sentence, closing mark included, blanks at its ends left out."""
    return tuple(_cut(text[:LIMIT], _STOP))


def sentences(text: str) -> list[str]:
    """The sentences of a text, as written."""
    return [text[a:b] for a, b in sentence_spans(text)]


def clause_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every clause: sentences cut again at commas, colons, dashes, brackets and quotes."""
    spans: list[tuple[int, int]] = []
    for a, b in sentence_spans(text):
        spans.extend((a + c, a + d) for c, d in _cut(text[a:b], _PAUSE))
    return spans


def clauses(text: str) -> list[str]:
    """The clauses of a text, as written (their closing comma included)."""
    return [text[a:b] for a, b in clause_spans(text)]


_UNITS = "mg|kg|g|ml|l|km|cm|mm|m|gb|mb|tb|kb|v|w|kw|am|pm|h|hrs?|mins?|s|ms|th|st|nd|rd|k|ft|lbs?|oz|x"
_TOKEN = re.compile(
    rf"(?P<zh>[{CJK}]+)"
    rf"|(?P<number>\d{{1,3}}(?:,\d{{3}})+(?![\d-])|\d+(?:\.\d+)?(?=(?:{_UNITS})(?![a-z0-9-])|[^a-z0-9.:/_#-]|$))"
    r"|(?P<code>[a-z]*\d[a-z0-9]*(?:[-./_:#]?[a-z0-9]+)*|[a-z]+(?:[-_./][a-z0-9]*\d[a-z0-9]*)+)"
    r"|(?P<en>[a-zà-öø-ÿ]+(?:'[a-z]+)?)"
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")  # what a code is, that turns out to be digits alone

# The segmenter would take 他会, 我大 or 妈用 for one word.
_PRONOUN = re.compile("([我你他她])(?!们)(?:([妈爸哥弟姐妹姊娘爹])(?![妈爸哥弟姐妹姊娘爹咪夫媳]))?")


def _apart(match: re.Match[str]) -> str:
    return f"{match[1]}\n{match[2]}\n" if match[2] else f"{match[1]}\n"


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[Word, ...]:
    """The words of `fold(text)`, in order, without punctuation; Chinese is segmented, English split."""
    from rjieba import tag

    found: list[Word] = []
    folded = fold(text)
    for match in _TOKEN.finditer(folded):
        start = match.start()
        if match.lastgroup == "zh":
            for piece, speech in tag(_PRONOUN.sub(_apart, match.group())):
                if piece != "\n":
                    found.append(Word(piece, start, start + len(piece), "zh", speech))
                    start += len(piece)
        elif match.lastgroup == "number" or _NUMBER.fullmatch(match.group()):
            found.append(Word(match.group().replace(",", ""), start, match.end(), "number"))
        else:
            found.append(Word(match.group(), start, match.end(), "en" if match.lastgroup == "en" else "code"))
    return tuple(found)


class _Stemmers(threading.local):
    """PyStemmer's stemmers are not safe to share between threads."""

    def __init__(self) -> None:
        from Stemmer import Stemmer

        self.english = Stemmer("english")


@cache
def _stemmers() -> _Stemmers:
    return _Stemmers()


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The stem of an English word (moved, moving, moves -> move); other words come back as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    return str(_stemmers().english.stemWord(word))
