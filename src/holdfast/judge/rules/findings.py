"""What sort of fact a clause states (row M8): medical, relation, place, event, habit, or none.

Where two could hold, the first in this order does. Base confidences are those of document 002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.judge.rules import formats
from holdfast.judge.rules.patterns import book

if TYPE_CHECKING:
    from holdfast.judge.rules.wordclass import Hits

CONFIDENCE = {"relation": 0.9, "place": 0.85, "event": 0.8, "habit": 0.75, "medical": 0.7}  # row M8


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as written with its word classes; `start` and `end` are its place in the turn."""

    text: str
    start: int
    end: int
    hits: Hits

    def says(self, pattern: str) -> bool:
        """Whether a pattern of `patterns/extraction.toml` is found (in the folded text)."""
        return bool(book("extraction")[pattern].search(self.hits.text))

    def dated(self) -> bool:
        """Whether a day or an hour is named."""
        return any(form.name in ("date", "time") for form in formats.find(self.hits.text))


def by_rule(clause: Clause) -> tuple[str, str] | None:
    """(type, why) of a clause by the rules below, or None."""
    for name, test in _TESTS:
        if why := test(clause):
            return name, why
    return None


def _someone(hits: Hits) -> bool:
    return hits.any("i", "my", "family", "companion", "she", "pet", "honorific")


def _medical(clause: Clause) -> str | None:
    hits = clause.hits
    if hits.any("care_about", "hides_body"):
        return None
    for name in ("allergy", "drug", "pregnant"):
        if name in hits and (_someone(hits) or hits.any("dose", "takes")):
            return name
    if "illness" in hits and (_someone(hits) or hits.any("told", "past_time") or clause.says("done")):
        return "illness"
    if hits.near("clinician", "told", 8):
        return "a clinician's word"
    for one, other in (
        ("measure", "reading"),
        ("measure", "told"),
        ("organ", "ailing"),
        ("takes", "medicine"),
    ):
        if hits.close(one, other, 12):
            return other
    if (
        hits.any("told")
        and hits.any("procedure", "drug", "medicine")
        and hits.any("illness", "ailing", "dose")
    ):
        return "what was found"
    return None


def _relation(clause: Clause) -> str | None:
    hits = clause.hits
    kin = hits.any("family", "companion", "pet")
    if "visit" in hits and (kin or "honorific" in hits or _named(clause)):
        return "a visitor"
    if "called" in hits and kin:
        return "a name"
    if kin and clause.says("is_my"):
        return "who somebody is"
    if kin and hits.any("my", "i") and _named(clause) and not hits.any("did", "plan"):
        return "a named person"
    if kin and hits.any("kinship", "met") and hits.any("i", "my"):
        return "kin"
    have = hits.any("pet", "family") and clause.says("has_one")
    return "somebody the speaker has" if have else None


def _named(clause: Clause) -> bool:
    forms = book("extraction")
    return bool(forms["named_relative"].search(clause.text) or forms["chinese_name"].search(clause.hits.text))


def _place(clause: Clause) -> str | None:
    hits = clause.hits
    if "lives" in hits and "plan" not in hits and (_someone(hits) or "town_mark" in hits):
        return "living"
    if "kept" in hits and hits.any("furniture", "town_mark"):
        return "where a thing is"
    return "where a thing is" if clause.says("is_at") and not hits.any("coming_time", "plan") else None


def _event(clause: Clause) -> str | None:
    hits = clause.hits
    if "routine" in hits:
        return None
    if "did" in hits and (hits.any("past_time", "guild", "project", "clinic", "plan") or clause.dated()):
        return "what happened"
    if hits.any("plan", "procedure", "clinic", "visit") and (
        hits.any("coming_time", "past_time") or clause.dated()
    ):
        return "what is fixed"
    if hits.any("coming_time") and clause.dated() and hits.any("did", "plan", "i", "my", "family"):
        return "what is fixed"
    if "clinic" in hits and clause.says("done"):
        return "a visit"
    return None


def _habit(clause: Clause) -> str | None:
    hits = clause.hits
    if "like" in hits and (hits.any("i", "my", "she", "family") or not clause.text.isascii()):
        return "taste"
    if "routine" in hits and hits.any("i", "my", "she", "family", "do_often", "like"):
        return "routine"
    return None


_TESTS = (
    ("medical", _medical),
    ("relation", _relation),
    ("place", _place),
    ("event", _event),
    ("habit", _habit),
)
