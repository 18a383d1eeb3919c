"""What of a conversation is not worth keeping (row M8).

Questions, requests, doubt, venting, passing states, secrets and family disputes, jokes, stories,
suppositions, common sayings, texts to work on.

Each answer is the name of the reason, or None. `extraction` asks before it looks for anything to keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.sensitivity import sensitivity
from holdfast.judge.rules.wordclass import look

if TYPE_CHECKING:
    from holdfast.judge.rules.wordclass import Hits

SECRET = 3

# Reasons that spoil a whole sentence, by the word class that shows them, and the classes that save it:
# "I love crime films" speaks of films but of a liking.
_OF_SENTENCE = (
    ("suppose", "only supposed", ("routine",)),
    ("vague", "vague", ()),
    ("vent", "venting", ("illness", "drug", "like")),
    ("saying", "common saying", ("my",)),
    ("deny", "set aside", ()),
    ("fiction", "fiction", ("like", "routine")),
)
_OF_CLAUSE = (("request", "request"), ("passing", "passing state"), ("small_talk", "small talk"))
# Classes that make even a passing word worth keeping: "I'm allergic", "every night".
_LASTING = ("routine", "like", "illness", "allergy", "drug", "called", "lives")


def of_dialogue(texts: list[str]) -> dict[int, str]:
    """Which of the user's turns are spoilt as a whole, and why; a joke spoils what came before."""
    spoilt: dict[int, str] = {}
    for index, text in enumerate(texts):
        hits = look(text)
        if "jest" in hits:
            spoilt |= dict.fromkeys(range(index + 1), "joke")
        elif "confide" in hits:
            spoilt[index] = "told in confidence"
        elif "foreign" in hits and ("request" in hits or _quotes(text)):
            spoilt[index] = "a text to work on"
        elif sensitivity(text).level >= SECRET:
            spoilt[index] = "secret"
    return spoilt


def _quotes(text: str) -> bool:
    return any(mark in text for mark in ':："“「')


def of_sentence(sentence: str, hits: Hits) -> str | None:
    """Why nothing of a sentence is kept."""
    forms = book("extraction")
    if forms["question"].search(sentence) or forms["question_begins"].search(hits.text):
        return "question"
    for name, reason, saved in _OF_SENTENCE:
        if name in hits and not hits.any(*saved):
            return reason
    return None


def of_clause(hits: Hits) -> str | None:
    """Why a clause by itself is not kept, though its sentence may hold something."""
    for name, reason in _OF_CLAUSE:
        if name in hits and not hits.any(*_LASTING):
            return reason
    if hits.any("you", "ask") and not hits.any("i", "my", *_LASTING):
        return "speaks to the assistant"
    return None
