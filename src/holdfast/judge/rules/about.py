"""Whether two statements are about different persons: what is known of one is not changed by another's news.

A person who is the value (项目经理是老周, "the gateway is Tom's") is not whom a statement is about; one who
holds something (小王负责网关) may be followed by another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.judge.rules.persons import OPENING, SELF, Person

if TYPE_CHECKING:
    from holdfast.judge.rules.pair import Pair
    from holdfast.judge.rules.statement import Statement

# Slots of a thing that one person holds after another: the person changes, the thing is what it is about.
HELD = frozenset({"owner", "doctor", "supplier"})

_SOMEBODY = "somebody"  # he or she: anybody but the speaker, and nobody in particular
_PRONOUN = re.compile(r"(?:[他她]|he|she)(?![a-z们])")


def handed_on(p: Pair) -> bool:
    """Whether they tell who holds a thing, which another may hold next."""
    return bool(HELD & set(p.slots))


def another_person(p: Pair) -> bool:
    """Whether each is about somebody of whom the other says nothing."""
    a, b = _topic(p.old), _topic(p.new)
    if a is None or b is None or _may_be(a, b):
        return False
    return not _spoken_of(a, p.new) and not _spoken_of(b, p.old)


def _topic(statement: Statement) -> Person | None:
    """The subject, where nothing but a time is told before it; else he or she who begins the statement."""
    subject = statement.subject
    if subject is None:
        begins = _PRONOUN.match(statement.folded)
        return Person(frozenset({_SOMEBODY}), "", "", 0, begins.end()) if begins else None
    opening = OPENING.match(statement.text)
    told = opening.end() if opening else 0
    before = (unit for unit in statement.units if told <= unit.start < subject.start)
    return None if any(unit.weight >= 1 and not unit.tag.startswith("t") for unit in before) else subject


def _may_be(a: Person, b: Person) -> bool:
    """He or she may be the kin last spoken of; that somebody with a name is meant, nothing says."""
    kinds = a.kinds | b.kinds
    if _SOMEBODY in kinds:
        return SELF not in kinds and not a.name and not b.name
    return a.may_be(b)


def _spoken_of(person: Person, statement: Statement) -> bool:
    """Whether the statement speaks of the person, other than as the one whose kin somebody is (我女儿)."""
    return any(person.may_be(other) for other in statement.spoken_of) or (
        bool(person.name) and person.name in statement.folded
    )
