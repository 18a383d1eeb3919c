"""A statement taken apart: content units, values, persons, cues and slots, as the comparison needs them.

`read` is the door; what it gives is kept, so a statement compared with many others is read once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from holdfast.judge.rules import lexicon
from holdfast.judge.rules.numbers import Value, values
from holdfast.judge.rules.persons import Person, persons
from holdfast.judge.rules.polarity import cue_words
from holdfast.judge.rules.slots import told
from holdfast.judge.rules.text import Word, fold, fold_aligned, is_chinese, words

# A word that says little counts for this much of one that says something.
_LIGHT = 0.4
# Names and identifiers count for more.
_NAME = 1.4
_NAME_TAGS = ("nr", "ns", "nt", "nz")
_WITHIN = re.compile(r"[^.!?:;\s\"'(]\s*$")
_NOT_NAMES = frozenset({"i", "mum", "dad", "mom", "grandma", "grandad", "grandpa", "nan", "gran", "granny"})


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of content: the key it is compared by, its meanings, its sorts, its weight and its place."""

    key: str
    meanings: frozenset[str]
    sorts: frozenset[str]
    weight: float
    tag: str
    proper: bool  # a name: capitalised within a sentence, or tagged as one
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """What the comparison knows of one text."""

    text: str
    folded: str
    chinese: bool
    words: tuple[Word, ...]
    units: tuple[Unit, ...]
    values: tuple[Value, ...]
    persons: tuple[Person, ...]
    cues: dict[str, tuple[str, ...]]
    slots: tuple[str, ...]

    @property
    def others(self) -> tuple[Person, ...]:
        """The persons mentioned besides the speaker."""
        return tuple(person for person in self.persons if not person.is_self)

    @property
    def subject(self) -> Person | None:
        """The first person mentioned; of "my mother" and 阿满姨的儿子 the one who is somebody's."""
        subject: Person | None = None
        for person in self.persons:
            if subject is not None and not self._owns(subject, person):
                break
            subject = person
        return subject

    @property
    def spoken_of(self) -> tuple[Person, ...]:
        """The persons mentioned, without those who are named only to say whose somebody is."""
        after = dict(pairwise(self.persons))
        return tuple(one for one in self.persons if one not in after or not self._owns(one, after[one]))

    def _owns(self, one: Person, other: Person) -> bool:
        """Whether nothing but a mark of possession stands between two persons (我妈, Mum's sister)."""
        between = self.folded[one.end : other.start].strip()
        kin = bool(other.kinds) or (one.is_self and not self.chinese)  # my sister Ann is a name with a title
        return between in {"", "的", "家", "家的", "s"} and kin and not other.is_self


# A statement says what it says in its beginning; comparing grows with the square of the length (20 ms here).
READ = 400


@lru_cache(maxsize=4096)
def read(text: str) -> Statement:
    """The statement of a text; equal texts give the same object."""
    text = text[:READ]
    found = values(text)
    valued = {place for value in found for place in range(value.start, value.end)}
    units = [unit for word in words(text) if word.start not in valued and (unit := _unit(text, word))]
    return Statement(
        text,
        fold(text),
        is_chinese(text),
        words(text),
        tuple(units),
        found,
        persons(text),
        cue_words(text),
        told(text),
    )


def _unit(text: str, word: Word) -> Unit | None:
    word = _bare(word)
    kin = lexicon.people().of(word.text)
    if word.text in lexicon.stopwords() or "self" in kin:
        return None
    sorts = _sorts(word)
    if word.kind == "zh":
        key, meanings = word.text, lexicon.concepts().inside(word.text) | kin
        weight = (
            _NAME
            if word.tag.startswith(_NAME_TAGS)
            else _LIGHT
            if word.text in lexicon.light_words()
            else 1.0
        )
        if word.tag in {"y", "uj", "ul", "c", "p", "e", "o", "d"} and len(word.text) == 1:
            return None
        if word.tag == "d":
            weight = _LIGHT
    else:
        key, meanings = lexicon.root(word.text), lexicon.concepts().of(word.text) | kin
        if key in lexicon.stopwords():
            return None
        weight = _LIGHT if key in lexicon.light_words() else 1.0
    proper = word.tag.startswith(_NAME_TAGS) or _capitalised(text, word)
    return Unit(key, meanings, sorts, max(weight, _NAME * proper), word.tag, proper, word.start, word.end)


def _bare(word: Word) -> Word:
    """Without the no or the may a Chinese word begins with (不用, 没去, 会拉): `polarity` tells those."""
    denied = len(word.text) > 1 and word.text[0] in "不没"
    able = len(word.text) == 2 and word.text[0] in "会能" and word.tag.startswith("v")
    if word.kind == "zh" and (denied or able):
        return Word(word.text[1:], word.start + 1, word.end, "zh", word.tag)
    return word


def _sorts(word: Word) -> frozenset[str]:
    """The sorts of a word, and of the side, size or colour it begins with (左膝盖, 东门)."""
    sorts = lexicon.contrasts().of(word.text)
    if word.kind == "zh" and len(word.text) > 1:
        sorts |= lexicon.contrasts().of(word.text[0]) & _QUALIFYING
    return sorts


_QUALIFYING = frozenset({"side", "place_side", "size", "colour", "height"})


def _capitalised(text: str, word: Word) -> bool:
    """Whether an English word bears a capital that no beginning of a sentence explains."""
    if word.kind != "en":
        return False
    place = fold_aligned(text).starts[word.start]
    return text[place].isupper() and bool(_WITHIN.search(text[:place])) and word.text not in _NOT_NAMES
