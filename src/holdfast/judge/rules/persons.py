"""Whom a statement is about: kin, roles and names, and which of them it speaks of first.

Two statements about different persons are distinct however alike they look; one in the first and one in the
third person (我 and 用户, "I" and "the user") are about the same one. `persons` is the only door.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from holdfast.judge.rules.lexicon import people, table
from holdfast.judge.rules.text import Word, fold_aligned, is_chinese, words

SELF = "self"


@dataclass(frozen=True, slots=True)
class Person:
    """One mention: the persons it may mean, which of several (大女儿, younger son), a name if it has one."""

    kinds: frozenset[str]
    which: str
    name: str
    start: int
    end: int

    @property
    def is_self(self) -> bool:
        """Whether the speaker is meant."""
        return SELF in self.kinds

    def may_be(self, other: Person) -> bool:
        """Whether both mentions can mean one person."""
        if self.name and other.name:
            return self.name == other.name
        if self.which and other.which and self.which != other.which:
            return False
        return bool(self.kinds & other.kinds)


@cache
def _which() -> dict[str, str]:
    return {word: rank for rank, line in table("persons")["which"].items() for word in line.split()}


@cache
def _name_shapes() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """小赵, 老王, 陈老师 in folded Chinese; Dr Amin, Aunt May in English as written."""
    book = table("persons")["names"]
    titles = "|".join(sorted(book["titles"].split(), key=len, reverse=True))
    prefixes = "".join(book["prefixes"].split())
    surname = f"[{book['surnames']}]"
    titled = f"[{prefixes}]?{surname}(?:{titles})"
    chinese = re.compile(f"{titled}|(?<![大老小])[{prefixes}]{surname}(?![\u4e00-\u9fff]?[们学时])")
    english = "|".join(book["english"].split())
    return chinese, re.compile(rf"(?i:\b(?:{english})\.? )([A-Z][a-zà-ÿ']+)")


@cache
def _never() -> frozenset[str]:
    """What looks like a name and is none."""
    return frozenset(table("persons")["names"]["never"].split())


@lru_cache(maxsize=4096)
def persons(text: str) -> tuple[Person, ...]:
    """Every person mentioned, in order of place."""
    found = _names(text) if is_chinese(text) else _english_names(text)
    taken = {place for person in found for place in range(person.start, person.end)}
    sequence = words(text)
    for index, word in enumerate(sequence):
        if word.start in taken:
            continue
        found.extend(_kin(sequence, index))
    return tuple(sorted(found, key=lambda person: person.start))


def _kin(sequence: tuple[Word, ...], index: int) -> list[Person]:
    word = sequence[index]
    before = sequence[index - 1].text if index else ""
    if word.kind == "en":
        return _english_kin(sequence, index)
    if word.kind != "zh":
        return []
    kinds = people().of(word.text)
    if kinds:
        which = _which().get(before, "")
        first = word.start - len(before) if which else word.start
        within = _which().get(word.text[0], "") if len(word.text) > 1 else ""
        return [Person(kinds, which or within, "", first, word.end)]
    return _kin_inside(word)


def _kin_inside(word: Word) -> list[Person]:
    """Kin at the end or the beginning of a longer word: 大女儿, 我妈, 女儿家."""
    if not 2 <= len(word.text) <= 4:
        return []
    for length in range(len(word.text) - 1, 0, -1):
        for start in (len(word.text) - length, 0):
            part = word.text[start : start + length]
            kinds = people().of(part)
            if not kinds or (length == 1 and word.text[:start] not in {"我", "你", "他", "她", "咱"}):
                continue
            which = _which().get(word.text[:start], "")
            first = word.start if which else word.start + start
            return [Person(kinds, which, "", first, word.start + start + length)]
    return []


def _english_kin(sequence: tuple[Word, ...], index: int) -> list[Person]:
    word = sequence[index]
    bare = word.text.removesuffix("'s")
    kinds = people().english.get(bare) or people().of(word.text)
    if index + 2 < len(sequence) and sequence[index + 1].text == "in" and sequence[index + 2].text == "law":
        kinds = people().of(f"{bare}-in-law")
    if not kinds:
        return []
    which = _which().get(sequence[index - 1].text, "") if index else ""
    return [Person(kinds, which, "", word.start, word.end)]


def _names(text: str) -> list[Person]:
    folded = fold_aligned(text).text
    shape, _ = _name_shapes()
    sequence = words(text)
    found = [
        Person(frozenset(), "", m.group(), m.start(), m.end())
        for m in shape.finditer(folded)
        if not any(word.start < m.start() < word.end < m.end() for word in sequence)  # 钓鱼|爷爷
    ]
    taken = {place for person in found for place in range(person.start, person.end)}
    found.extend(
        Person(frozenset(), "", word.text, word.start, word.end)
        for word in sequence
        if word.tag == "nr"
        and word.text not in _never()
        and 2 <= len(word.text) <= 4
        and not taken & set(range(word.start, word.end))
        and not people().of(word.text)
        and not _kin_inside(word)
    )
    return found


def _english_names(text: str) -> list[Person]:
    """Titled names, and a name that begins the statement as its subject (Leo is, Sam and I)."""
    known = text[: len(fold_aligned(text).starts) - 1]
    _, titled = _name_shapes()
    found = [Person(frozenset(), "", m[1].lower(), m.start(), m.end()) for m in titled.finditer(known)]
    first = _FIRST.match(known)
    if first is not None:
        name = first[1].lower()
        if name not in _never() and not people().of(name):
            found.append(Person(frozenset(), "", name, first.start(1), first.end(1)))
    return found


_VERBS = (
    "is|was|has|had|and|will|does|did|can|isn't|wasn't|doesn't|didn't|won't|can't|[a-z]{2,}(?:ed|(?<!s)s)|"
    "got|went|took|left|bought|sold|began|quit|gave|told|said|now|no longer|just|never|always|still|also|used"
)
# A time that an English statement may begin with.
OPENING = re.compile(r"(?:(?:Last|This) \w+,? |Yesterday,? |Today,? |Now,? )?")
_FIRST = re.compile(rf"{OPENING.pattern}([A-Z][a-z]+)(?:'s\b| and I\b| (?:{_VERBS})\b)")
