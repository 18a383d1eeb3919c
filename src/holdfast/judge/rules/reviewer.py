"""The review of a memory by rules (row C6): what is core, what is kept, what may go.

Core is what lasts and matters: a name, a birthday, a lasting like, a promise, an allergy, the family. A mood,
a plan for next week or a topic of these days is not, however often it came up. Nothing goes but what has
passed by its own words, or what a later memory says again or corrects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.judge.rules.classify import classify
from holdfast.judge.rules.relation import relation
from holdfast.judge.rules.wordclass import look
from holdfast.ports.judge import Relation

if TYPE_CHECKING:
    from holdfast.ports.judge import Case

# Words that bind a statement to its days, and those that bind it to now.
_OF_ITS_DAYS = ("lately", "taken_up", "for_now", "passing", "vent", "coming_time", "past_time")
_MOODS = ("about_tension", "about_sadness", "about_joy", "about_anger", "about_tiredness")
_MOOD, _BOUND = "a mood", "bound to its days: "
_PAST = f"{_BOUND}past time"
_LASTING_KINDS = {"identity": "who somebody is", "preference": "a lasting like or dislike"}
_FAMILY = ("family", "companion", "pet")
_SURE = 0.8  # of the relation to a later memory, since the earlier one goes for it
_RETIRED_BY = {
    Relation.DUPLICATE: "says the same",
    Relation.CORRECTS: "corrects it",
    Relation.NEGATES: "takes it back",
}


def review(case: Case) -> str:
    """A reason and the decision; the rules search for nothing more."""
    text = case.memory.content
    if case.rising:
        lasting = _lasting(text)
        return f"{lasting}\n[PROMOTE]" if lasting else f"{_passing(text) or 'no lasting fact'}\n[KEEP]"
    gone = _replaced(case) or _over(text)
    return f"{gone}\n[DELETE]" if gone else "nothing says that it no longer matters\n[KEEP]"


def _passing(text: str) -> str:
    """What binds the statement to its days; empty where nothing does."""
    hits = look(text)
    if "promise" in hits and "coming_time" not in hits:
        return ""
    if "remembrance" in hits or "allergy" in hits or hits.any("age", "birthday"):
        return ""
    named = next((name for name in _OF_ITS_DAYS if name in hits), "")
    if not named:
        return ""
    return _MOOD if hits.any(*_MOODS) and "did" not in hits else f"{_BOUND}{named.replace('_', ' ')}"


def _over(text: str) -> str:
    """What has passed by its own words. What happened on a day stays: it happened."""
    why = _passing(text)
    return "" if why == _PAST else why


def _lasting(text: str) -> str:
    """Why the statement is core; empty where it is not."""
    if _passing(text):
        return ""
    hits, found = look(text), classify(text)
    if "promise" in found.tags:
        return "a promise"
    if "allergy" in hits:
        return "an allergy"
    if found.kind == "relation" and hits.any(*_FAMILY):
        return "somebody close"
    return _LASTING_KINDS.get(found.kind, "")


def _replaced(case: Case) -> str:
    """A later memory that says it again, corrects it or takes it back."""
    for other in case.related:
        if other.said < case.memory.said or other.id == case.memory.id:
            continue
        found = relation(case.memory.content, other.content)
        if found.label in _RETIRED_BY and found.confidence >= _SURE:
            return f"a later memory {_RETIRED_BY[found.label]}"
    return ""
