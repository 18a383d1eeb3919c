"""The words in which a model is asked: `prompts/*.toml`, one file a language, that of the memory.

What is judged stands in a message of its own, each text quoted on one line that it cannot leave.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from holdfast.judge.rules.text import language
from holdfast.recall.fence import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Roles that are written as they are; a speaker's own name is data and is quoted.
_ROLES = frozenset({"user", "assistant", "system", "tool"})


@cache
def book(language: str) -> Mapping[str, str]:
    """The prompts of a language."""
    file = resources.files("holdfast.judge.model") / "prompts" / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def task(verb: str, language: str, **told: object) -> str:
    """What is to be done, in the language of what it is done with."""
    words = book(language)
    asked = words[verb]
    for name, value in told.items():
        asked = asked.replace("{" + name + "}", str(value))
    return f"{words['frame'].strip()}\n\n{asked.strip()}"


def language_of(texts: Iterable[str]) -> str:
    """zh-Hans, zh-Hant or en."""
    return language("\n".join(texts))


def line(name: str, text: str) -> str:
    """One text as data, behind its name."""
    return f"{name}: {quoted(text)}"


def speaker(role: str) -> str:
    """Who says a turn, as the name of its line."""
    return role if role in _ROLES else quoted(role)
