"""In which language a person asks: for labels and titles. Pure but for the table of characters."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.recall.fold import VARIANTS, character_table, is_han

if TYPE_CHECKING:
    from collections.abc import Mapping


class Language(StrEnum):
    """What labels and titles are written in."""

    ENGLISH = "en"
    SIMPLIFIED = "zh"
    TRADITIONAL = "zh-Hant"


LANGUAGES = tuple(Language)


def language_of(text: str, default: str = Language.ENGLISH) -> Language:
    """Chinese where any character is, in the script that they show; the default where no letter is."""
    han = {character for character in text if is_han(character)}
    if han:
        table = character_table()
        written = any(ord(character) in table and character not in VARIANTS for character in han)
        return Language.TRADITIONAL if written else Language.SIMPLIFIED
    if any(character.isalpha() for character in text):
        return Language.ENGLISH
    return Language(default) if default in LANGUAGES else Language.ENGLISH


def spoken(words: Mapping[str, str], language: Language) -> str:
    """The wording in a language; traditional falls back on simplified, anything on what there is."""
    for wanted in (language, language.split("-")[0], Language.ENGLISH):
        if wanted in words:
            return words[wanted]
    return next(iter(words.values()), "")
