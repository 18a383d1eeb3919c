"""Word classes: which words of a text belong to which class (family, illness, secret, …).

The classes are the tables of the files in the folder `wordclasses`; to teach the rules a word, add it to
its class there. A text is looked through once for all classes (about 0.1 ms for a sentence), the answer
is kept, and the modules of this judge ask it whether classes occur and how near to each other.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from holdfast.judge.rules.text import CJK, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]

_CHINESE = re.compile(f"[{CJK}]")
_TOKEN = re.compile(r"[a-zà-öø-ÿ]+(?:['&][a-zà-öø-ÿ]+)*|\d+")
_GAP = re.compile(r"[\s_-]+")  # what may stand between the tokens of one entry
_HIDES = "hides_"  # a class so named hides the shorter words that lie inside its own
_SHORTEST_PREFIX = 3
_PLURAL_ES = ("ses", "xes", "zes", "ches", "shes", "oes")


@dataclass(frozen=True, slots=True)
class Hits:
    """The words of known classes in a folded text: class name -> spans, in order."""

    text: str
    spans: dict[str, tuple[Span, ...]]

    def __contains__(self, name: str) -> bool:
        return name in self.spans

    def any(self, *names: str) -> bool:
        """Whether a word of any of these classes occurs."""
        return any(name in self.spans for name in names)

    def of(self, *names: str) -> list[Span]:
        """All spans of these classes, in order."""
        return sorted(span for name in names for span in self.spans.get(name, ()))

    def near(self, first: str, second: str, gap: int = 12) -> bool:
        """Whether `second` begins at most `gap` characters after `first` ends (or inside it)."""
        return any(
            b[0] >= a[0] and b[0] - a[1] <= gap and a != b
            for a in self.spans.get(first, ())
            for b in self.spans.get(second, ())
        )

    def close(self, one: str, other: str, gap: int = 12) -> bool:
        """Whether the two occur within `gap` characters, in whichever order."""
        return self.near(one, other, gap) or self.near(other, one, gap)

    def within(self, start: int, end: int) -> Hits:
        """The hits that lie inside a part of the text; their places stay those of the whole."""
        kept = {
            name: inside
            for name, spans in self.spans.items()
            if (inside := tuple(s for s in spans if start <= s[0] and s[1] <= end))
        }
        return Hits(self.text, kept)


@dataclass(slots=True)
class _Lexicon:
    """Chinese words by their text; English ones by their first token, then the tokens that follow."""

    chinese: dict[str, list[str]] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)  # first character -> length of its longest word
    english: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)

    def add(self, name: str, word: str) -> None:
        if _CHINESE.search(word):
            self.chinese.setdefault(word, []).append(name)
            self.longest[word[0]] = max(self.longest.get(word[0], 0), len(word))
            return
        first, *rest = _GAP.split(word)
        self.english.setdefault(first, []).append((tuple(rest), name))


@cache
def _lexicon() -> _Lexicon:
    lexicon = _Lexicon()
    for entry in sorted(files(__package__).joinpath("wordclasses").iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".toml"):
            continue
        for name, table in tomllib.loads(entry.read_text(encoding="utf-8")).items():
            for word in fold(table.get("zh", "").replace("\n", " ")).split():
                lexicon.add(name, word)
            for word in re.split(r"[,\n]", table.get("en", "")):
                if word.strip():
                    lexicon.add(name, word.strip().lower())
    return lexicon


@cache
def classes(file: str) -> frozenset[str]:
    """The names of the word classes of one file of the folder."""
    source = files(__package__).joinpath("wordclasses", f"{file}.toml")
    return frozenset(tomllib.loads(source.read_text(encoding="utf-8")))


@lru_cache(maxsize=4096)
def look(text: str) -> Hits:
    """Every word of every class in the text, folded first; what a `hides_` word covers is left out."""
    folded = fold(text)
    found = [*_chinese(folded), *_english(folded)]
    hiding = [(start, end) for name, start, end in found if name.startswith(_HIDES)]
    spans: dict[str, list[Span]] = {}
    for name, start, end in found:
        hidden = any(a <= start and end <= b for a, b in hiding)
        if not hidden or name.startswith(_HIDES):
            spans.setdefault(name, []).append((start, end))
    return Hits(folded, {name: tuple(sorted(set(each))) for name, each in spans.items()})


def _chinese(text: str) -> Iterator[tuple[str, int, int]]:
    lexicon = _lexicon()
    for start, character in enumerate(text):
        for length in range(min(lexicon.longest.get(character, 0), len(text) - start), 0, -1):
            for name in lexicon.chinese.get(text[start : start + length], ()):
                yield name, start, start + length


def _english(text: str) -> Iterator[tuple[str, int, int]]:
    lexicon = _lexicon()
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    for index, (token, start, end) in enumerate(tokens):
        for key in _keys(token):
            for rest, name in lexicon.english.get(key, ()):
                if not rest:
                    yield name, start, end
                elif (last := _follow(text, tokens[index : index + len(rest) + 1], rest)) is not None:
                    yield name, start, last


def _follow(text: str, tokens: list[tuple[str, int, int]], rest: tuple[str, ...]) -> int | None:
    """Where the entry ends whose first token leads these, if the others follow it."""
    for step, wanted in enumerate(rest, start=1):
        if step >= len(tokens) or not _GAP.fullmatch(text[tokens[step - 1][2] : tokens[step][1]]):
            return None
        if wanted not in _keys(tokens[step][0]):
            return None
    return tokens[len(rest)][2]


@lru_cache(maxsize=16384)
def _keys(token: str) -> tuple[str, ...]:
    """The forms under which an entry may stand: as written, singular, without 's, every beginning."""
    forms = [token, *(token.removesuffix(ending) for ending in ("'s", "s'"))]
    if token.endswith("s") and len(token) > _SHORTEST_PREFIX:
        forms.append(token[:-1])
    if token.endswith(_PLURAL_ES):
        forms.append(token[:-2])
    forms.extend(f"{token[:length]}*" for length in range(_SHORTEST_PREFIX, len(token) + 1))
    return tuple(dict.fromkeys(forms))
