"""Single-valued slots of a statement: residence, job, phone, dose, deadline, … from `lexicon/slots.toml`."""

from __future__ import annotations

from functools import lru_cache

from holdfast.judge.rules.lexicon import slots
from holdfast.judge.rules.text import fold


@lru_cache(maxsize=4096)
def told(text: str) -> tuple[str, ...]:
    """The names of the slots the text speaks of, narrow ones first."""
    folded = fold(text)
    return tuple(slot.name for slot in slots() if slot.told.either.search(folded))


def shared(old: str, new: str) -> tuple[str, ...]:
    """The slots both texts speak of, narrow ones first."""
    other = frozenset(told(new))
    return tuple(name for name in told(old) if name in other)


def kinds(names: tuple[str, ...]) -> frozenset[str]:
    """The kinds of the slots of these names."""
    return frozenset(slot.kind for slot in slots() if slot.name in names)
