"""Kind, topic tags and single-valued slot of a statement (rows C8, "Kind").

A linear model weighs what is seen of the statement: the type of fact it would be in a conversation
(`stated`), the words of the kinds (`wordclasses/kinds.toml`) and the small rules below.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.judge.rules import slots
from holdfast.judge.rules.findings import Clause
from holdfast.judge.rules.logistic import model
from holdfast.judge.rules.patterns import book
from holdfast.judge.rules.stated import features as clause_features
from holdfast.judge.rules.wordclass import classes, look
from holdfast.ports.judge import Classified

if TYPE_CHECKING:
    from holdfast.judge.rules.wordclass import Hits

# Kind of a type of M8, where nothing says it better.
KINDS = {
    "relation": "relation",
    "place": "place",
    "event": "event",
    "habit": "preference",
    "medical": "medical",
}
LEAST_SHARE = 0.25  # of the kinds (15) the leading one must have so much, or the statement is just a fact
_RULE = 1.5  # a kind's own rule counts more than a class

# What a kind says of the topic (row C8).
_TAGS = {
    "preference": ("preference",),
    "interest": ("preference",),
    "identity": ("personal",),
    "relation": ("personal",),
    "medical": ("personal",),
    "place": ("personal",),
    "skill": ("personal",),
    "event": ("memory",),
}
# Slots that hold several values at once, or whose words are too common to tell a statement by.
_LOOSE = frozenset(
    {"password", "allergy", "amount", "retention", "role", "relationship", "storage", "location", "schedule"}
)


def classify(text: str) -> Classified:
    """Kind, tags and slot; `reasons` say what in the text spoke for them."""
    kind, why, sure = _kind(text)
    tags = _said(look(text)) | set(_TAGS.get(kind, ()))
    slot = next((name for name in slots.told(text) if name not in _LOOSE), None)
    return Classified(kind, tuple(sorted(tags)), slot, round(sure, 3), (why,) if why else ())


@lru_cache(maxsize=2048)
def _kind(text: str) -> tuple[str, str, float]:
    learned, found = model("kind"), features(text)
    shares = learned.shares(found)
    kind = max(shares, key=lambda each: shares[each])
    if shares[kind] < LEAST_SHARE:
        return "fact", "", shares[kind]
    named = [name for name in learned.leading(kind, found) if not name.startswith(("word:", "type:"))]
    return kind, ", ".join(name.replace("_", " ") for name in named[:2]), shares[kind]


def features(text: str) -> dict[str, float]:
    """What is seen of a statement, by name: what `stated` sees of a clause, and the words of the kinds."""
    hits = look(text)
    found = clause_features(Clause(text, 0, len(text), hits))
    found |= {name: 1.0 for name in hits.spans if name in classes("kinds")}
    found |= {f"form:{name}": 1.0 for name, form in book("kinds").items() if form.search(hits.text)}
    found |= {f"by rule: {kind}": _RULE for kind, test in _TESTS if test(hits, text)}
    return found


def _said(hits: Hits) -> set[str]:
    """The topic tags whose own words are said."""
    return {tag for tag, name in (("promise", "promise"), ("memory", "remembrance")) if name in hits}


def _bugfix(hits: Hits, _: str) -> str:
    return (
        "a fault mended" if hits.any("fault", "project") and "mend" in hits and "illness" not in hits else ""
    )


def _refactor(hits: Hits, _: str) -> str:
    return "code put in order" if "refactor" in hits else ""


def _decision(hits: Hits, _: str) -> str:
    return "a decision" if "decide" in hits and "suppose" not in hits else ""


def _discovery(hits: Hits, _: str) -> str:
    found = "discover" in hits and hits.any("project", "fault", "code") and "mend" not in hits
    return "a finding" if found else ""


def _identity(hits: Hits, text: str) -> str:
    if book("kinds")["identity"].search(hits.text):
        return "who the speaker is"
    own = hits.any("i") and not hits.any("family", "companion", "pet")
    return "who the speaker is" if own and "birthday" in text.lower() else ""


def _interest(hits: Hits, _: str) -> str:
    return "a liking of late" if hits.close("lately", "like", 12) or "taken_up" in hits else ""


def _temporary(hits: Hits, _: str) -> str:
    return "for a time" if "for_now" in hits and not hits.any("drug", "allergy") else ""


def _skill(hits: Hits, _: str) -> str:
    return "what somebody can" if "able" in hits and not hits.any("illness", "ask") else ""


_TESTS = (
    ("bugfix", _bugfix),
    ("refactor", _refactor),
    ("decision", _decision),
    ("discovery", _discovery),
    ("identity", _identity),
    ("interest", _interest),
    ("temporary", _temporary),
    ("skill", _skill),
)
