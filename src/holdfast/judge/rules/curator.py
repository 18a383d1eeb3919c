"""The curator by rules (rows C3, C4): adds what the user told, boosts what shaped the reply, nothing else.

It never asks for an update or a deletion: what a new statement does to an old one is decided on the way in,
by the relation of the two and the strategy of the profile, where every safeguard stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.judge.rules.extraction import extract
from holdfast.judge.rules.shaped import shaped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.judge import Shown, Turn

_REPLIES = frozenset({"assistant"})


def curate(turns: Sequence[Turn], memories: Sequence[Shown]) -> str:
    """One line an operation; `[SKIP]` where there is none."""
    added = dict.fromkeys(" ".join(finding.quote.split()) for finding in extract(turns))
    reply = "\n".join(turn.text for turn in turns if turn.role in _REPLIES)
    used = [memory.id for memory in memories if reply and shaped(memory.content, reply).holds]
    lines = [f"[ADD] {words}" for words in added] + [f"[BOOST:{id}]" for id in dict.fromkeys(used)]
    return "\n".join(lines) or "[SKIP]"
