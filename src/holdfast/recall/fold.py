"""Folding: the one form in which words are indexed and asked for.

Width (NFKC), case, and traditional characters as simplified ones, so that 數據庫, 数据库 and Ｐｙｔｈｏｎ,
python meet. Never raises on any `str`. The table of characters is read from OpenCC on first use (some 30
ms), then kept.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

# Characters which the standard table leaves alone, but which Taiwan and Hong Kong write for a common one.
VARIANTS = {"著": "着", "妳": "你", "牠": "它", "祂": "他", "甚": "什", "喫": "吃", "纔": "才", "臺": "台"}
# What NFKC leaves: quotes and dashes that join English words.
JOINERS = {
    "\u2019": "'",
    "\u2018": "'",
    "\u02bc": "'",
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\0": " ",
}


_KANA = re.compile("[\u3040-\u30ff]")


@cache
def character_table() -> dict[int, str]:
    """For `str.translate`: each traditional character to its simplified one, and the joiners."""
    from opencc import OpenCC

    characters = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
    simplified = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, simplified, strict=True)
    table = {ord(old): new for old, new in pairs if old != new and len(new) == 1}
    return table | {ord(old): new for old, new in (VARIANTS | JOINERS).items()}


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The folded text; not always as long as the text (NFKC writes some characters as several)."""
    if text.isascii():
        return text.lower().replace("\0", " ")
    return unicodedata.normalize("NFKC", text).lower().translate(character_table())


def simplified(text: str) -> str:
    """The text as it stands but in simplified characters: what goes to the embedder, so that a memory and a
    question meet whichever script they are in (households: .978 and, converted, .956 as written; .989 and
    .989 so). Japanese is left alone.
    """
    if text.isascii() or _KANA.search(text):
        return text
    return text.translate(character_table())


def is_han(character: str) -> bool:
    """Whether a character is Chinese: cut into single characters and pairs, not into words by spaces."""
    return "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003134f"
