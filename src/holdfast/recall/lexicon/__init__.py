"""Words about words: the tables of `lexicon/*.toml`, read once and kept. Pure but for that reading.

`words.toml` holds stop words and irregular forms, `concepts.toml` the everyday concepts that tie different
words together (glasses, specs, 老花镜), `asking.toml` what a question is after. Written for this package;
anyone may add to them: a changed table changes `VERSION`, and the words of stored memories are then cut
anew.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

VERSION = 1


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tables as the other modules use them."""

    stop_words: frozenset[str]
    stop_characters: frozenset[str]
    question_words: tuple[str, ...]
    """Longest first."""
    irregular: dict[str, str]
    concepts: dict[str, tuple[str, ...]]
    """What each word or phrase (words joined by "_", unstemmed) stands for."""
    broader: dict[str, tuple[str, ...]]
    """The concepts that a concept belongs to."""
    patterns: dict[str, str]
    """Regular expressions over folded text: what a question asks for ("recounts", "when", "number")."""
    kinds: dict[str, tuple[str, ...]]
    """The kinds of memory that answer a question about a concept."""
    times: dict[str, Any]
    """How times are named: pieces, hint and patterns, as `times.py` reads them."""


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{name}.toml").read_text("utf-8"))


@cache
def load() -> Lexicon:
    """All tables."""
    words, asking, concepts = _table("words"), _table("asking"), _table("concepts")
    broader = concepts.pop("broader")
    irregular = {form: base for base, forms in words["irregular"].items() for form in forms.split()}
    return Lexicon(
        stop_words=frozenset(words["stop_words"].split()),
        stop_characters=frozenset(words["stop_characters"]),
        question_words=tuple(sorted(words["question_words"].split(), key=len, reverse=True)),
        irregular=irregular,
        concepts=_concepts(concepts),
        broader=_concepts({"": broader}),
        patterns={name: "|".join(parts) for name, parts in asking["patterns"].items()},
        kinds=_concepts({"": asking["kinds"]}),
        times=_table("times"),
    )


def _concepts(table: dict[str, dict[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for group in table.values():
        for concept, entries in group.items():
            for entry in dict.fromkeys(entries.split()):
                found.setdefault(entry, []).append(concept)
    return {entry: tuple(names) for entry, names in found.items()}
