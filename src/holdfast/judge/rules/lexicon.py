"""The words of the relation rules: persons, cues, states, slots, synonyms and sorts, read from `lexicon/`.

To teach the rules a word, add it to its class in one of the .toml files there; nothing here names a word.
Chinese entries are matched anywhere in folded text, English ones by whole words.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from holdfast.judge.rules.text import stem


@cache
def table(name: str) -> dict[str, Any]:
    """One file of the lexicon as it stands."""
    source = files(__package__).joinpath("lexicon", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of one class, Chinese and English in one."""

    either: re.Pattern[str]

    def found(self, folded: str) -> tuple[str, ...]:
        """The words of the class that occur in a folded text, in order, as they stand there."""
        return tuple(match.group() for match in self.either.finditer(folded))


def _patterns(entry: dict[str, Any]) -> Patterns:
    chinese, english = entry.get("zh", []), entry.get("en", [])
    parts = [f"(?:{pattern})" for pattern in chinese]
    if english:
        parts.append(rf"(?<![a-z0-9'])(?:{'|'.join(english)})(?![a-z0-9])")
    return Patterns(re.compile("|".join(parts)))


@cache
def cues() -> dict[str, Patterns]:
    """Cue classes (negation, cessation, change, …) and state classes (good, bad, …) by name."""
    return {name: _patterns(entry) for book in ("cues", "states") for name, entry in table(book).items()}


@dataclass(frozen=True, slots=True)
class Slot:
    """A single-valued slot: its kind (fixed, chosen, placed, loose), and what tells that it is spoken of."""

    name: str
    kind: str
    told: Patterns


@cache
def slots() -> tuple[Slot, ...]:
    """All single-valued slots, narrow ones first."""
    return tuple(Slot(name, entry["kind"], _patterns(entry)) for name, entry in table("slots").items())


def root(word: str) -> str:
    """The form under which an English word is looked up and compared."""
    bare = word.removesuffix("'s")
    return stem(table("english")["irregular"].get(bare, bare))


def _entry_words(entry: str) -> list[str]:
    return [word.replace("_", " ") for word in entry.split()]


@dataclass(frozen=True, slots=True)
class Index:
    """Words to the names of the classes they belong to: Chinese by text, English by root or phrase."""

    chinese: dict[str, frozenset[str]]
    english: dict[str, frozenset[str]]
    longest: int

    def of(self, word: str) -> frozenset[str]:
        """The classes of one word, whichever its language."""
        if word.isascii():
            return self.english.get(root(word), frozenset())
        return self.chinese.get(word, frozenset())

    def inside(self, word: str) -> frozenset[str]:
        """The classes of a Chinese word and of every known word of two characters or more within it."""
        found = set(self.chinese.get(word, ()))
        for start in range(len(word)):
            for end in range(start + 2, min(len(word), start + self.longest) + 1):
                found |= self.chinese.get(word[start:end], frozenset())
        return frozenset(found)


def _index(entries: dict[str, tuple[str, str]]) -> Index:
    chinese: dict[str, set[str]] = {}
    english: dict[str, set[str]] = {}
    for name, (zh, en) in entries.items():
        for word in zh.split():
            chinese.setdefault(word, set()).add(name)
        for word in _entry_words(en):
            english.setdefault(" ".join(root(part) for part in word.split()), set()).add(name)
    longest = max(map(len, chinese), default=1)
    freeze = {word: frozenset(names) for word, names in chinese.items()}
    return Index(freeze, {word: frozenset(names) for word, names in english.items()}, longest)


@cache
def concepts() -> Index:
    """Synonyms: words of one line of `concepts.toml` share its name, across languages."""
    entries: dict[str, tuple[str, str]] = {}
    for part in table("concepts").values():
        for name, line in part.items():
            zh, _, en = line.partition("|")
            entries[name] = (" ".join(w for w in zh.split() if not w.isascii()), en)
            entries[name] = (entries[name][0], en + " " + " ".join(w for w in zh.split() if w.isascii()))
    return _index(entries)


@cache
def contrasts() -> Index:
    """Sorts of things: two words of one sort are alternatives to one another."""
    return _index({name: (entry["zh"], entry["en"]) for name, entry in table("contrasts").items()})


@cache
def people() -> Index:
    """Kin and roles by the word for them; `self` for the speaker."""
    book = table("persons")
    entries = {"self": (book["self"]["zh"], book["self"]["en"])}
    entries |= {name: (entry["zh"], entry["en"]) for name, entry in book["kin"].items()}
    entries |= {name: (entry["zh"], entry["en"]) for name, entry in book["role"].items()}
    return _index(entries)


@cache
def stopwords() -> frozenset[str]:
    """Words that carry no content of their own."""
    return frozenset(table("english")["stopwords"].split()) | frozenset(table("chinese")["stopwords"].split())


@cache
def light_words() -> frozenset[str]:
    """Words that carry little."""
    english = {root(word) for word in table("english")["light"].split()}
    return frozenset(english) | frozenset(table("chinese")["light"].split())
