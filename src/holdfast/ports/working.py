"""Working memory beside the truth: the newest entries of each space, ready to be handed out, for a while.

The truth stays where they are kept; this is a copy for whoever wants them quickly and from anywhere. It notes
the truth's sequence that it was told at: one that does not know the last write is not asked further. Every
method raises Unavailable where it cannot be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its id, when it was made, and the memory; None of a secret, whose words stay in the truth.
    Access counts are no part of it.
    """

    id: str
    at: datetime
    memory: Memory | None


class Working(Protocol):
    """The contract. `space` is the id of a space; nothing of another is ever seen."""

    @property
    def name(self) -> str:
        """What answers call it."""
        ...

    def keep(self, space: str, entries: Sequence[Entry], *, sequence: int, seconds: float) -> None:
        """Puts these, newest first, in place of what is there, unless that was told at a later sequence. All
        of it is gone after so many seconds.
        """
        ...

    def advance(self, space: str, sequence: int) -> None:
        """A write that touched no working memory: what was true just before `sequence` still is."""
        ...

    def newest(self, space: str, most: int, since: datetime) -> tuple[int, list[Entry]]:
        """The newest entries made at or after `since`, newest first, and the sequence they were told at; -1
        where nothing is known of the space.
        """
        ...

    def drop(self, space: str) -> None:
        """Forgets a space."""
        ...

    def close(self) -> None: ...
