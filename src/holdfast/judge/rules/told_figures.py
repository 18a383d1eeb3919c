"""Figures of what a pair tells: values and persons. `features` gathers them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.judge.rules.pair import Pair
    from holdfast.judge.rules.persons import Person

_CAP = 3  # counts above say no more
_SORTS = ("code", "phone", "date", "weekday", "time", "number")
_TOLD = ("phone", "date", "weekday", "time", "number")  # sorts that are told of a thing, not its name


def values(p: Pair) -> dict[str, float]:
    old, new = p.old.values, p.new.values
    old_left = [a for a in old if not any(a.equals(b) for b in new)]
    new_left = [b for b in new if not any(b.equals(a) for a in old)]
    figures: dict[str, float] = {}
    for sort in _SORTS:
        mine, theirs = [a for a in old if a.sort == sort], [b for b in new if b.sort == sort]
        rivals = any(a.rivals(b) for a in old_left for b in new_left if a.sort == sort)
        figures[f"{sort}_same"] = float(any(a.equals(b) for a in mine for b in new))
        figures[f"{sort}_differs"] = float(rivals)
        figures[f"{sort}_added"] = float(bool(theirs) and not mine and any(b in new_left for b in theirs))
        figures[f"{sort}_lost"] = float(bool(mine) and not theirs and any(a in old_left for a in mine))
    figures["value_differs"] = max(figures[f"{sort}_differs"] for sort in _TOLD)
    figures["value_added"] = min(float(_CAP), sum(figures[f"{sort}_added"] for sort in _TOLD))
    figures["value_same"] = max(figures[f"{sort}_same"] for sort in _SORTS)
    figures["value_more"] = float(bool(new_left) and not old_left)
    figures["value_all_same"] = float(bool(old) and not old_left and not new_left)
    return figures


def persons(p: Pair) -> dict[str, float]:
    old, new = p.old.others, p.new.others
    answered = any(a.may_be(b) for a in old for b in new)
    extra = any(not any(a.may_be(b) for a in old) for b in new)
    a, b = p.old.subject, p.new.subject
    return {
        **_subjects(a, b),
        "subject_stranger": float(a is not None and bool(b and b.kinds) and _stranger(b, p.old.persons)),
        "subject_new": float(_stranger(b, p.old.persons)),
        "subject_gone": float(b is not None and _stranger(a, p.new.persons)),
        "person_lost": float(bool(old) and not answered),
        "person_extra": float(extra),
        "person_same": float(answered),
        "person_swapped": float(bool(old) and not answered and extra),
    }


def _stranger(subject: Person | None, others: tuple[Person, ...]) -> bool:
    """Whether the subject is somebody whom the other statement does not mention."""
    return (
        subject is not None and not subject.is_self and not any(subject.may_be(person) for person in others)
    )


def _subjects(a: Person | None, b: Person | None) -> dict[str, float]:
    if a is None or b is None:
        names = ("same", "differs", "other_kin", "self_to_other", "other_to_self")
        return dict.fromkeys((f"subject_{name}" for name in names), 0.0)
    same = a.may_be(b)
    return {
        "subject_same": float(same),
        "subject_differs": float(not same),
        "subject_other_kin": float(not same and not a.is_self and not b.is_self),
        "subject_self_to_other": float(a.is_self and not b.is_self),
        "subject_other_to_self": float(b.is_self and not a.is_self),
    }
