"""The rules by name, in the order in which a round takes them: what was deleted first is not merged after it.

A rule looks through the columns (`due`), then decides of the memories themselves (`steward`). Those of
`ACTS` need the judge or the embedder and are acts of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from holdfast.rounds import due
from holdfast.steward import asking, cleanup, compress, expiry, fade, session, weekly
from holdfast.steward.steps import Answers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.ports.judge import Judge
    from holdfast.profile.schema import Profile
    from holdfast.rounds.held import Held
    from holdfast.steward.steps import Step


class Decide(Protocol):
    """Some memories, the time, the policy and what the judge said beforehand → steps."""

    def __call__(
        self, memories: Sequence[Memory], at: datetime, profile: Profile, *, answers: Answers
    ) -> list[Step]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule over pages of memories."""

    name: str
    due: Callable[[Held, float, Profile], NDArray[np.bool_]]
    decide: Decide
    whole: bool = False  # decides of all that is due at once, not page by page
    asks: bool = False  # changes nothing: a person is asked


def _plain(decide: Callable[[Sequence[Memory], datetime, Profile], list[Step]]) -> Decide:
    """A rule that needs nothing of the judge."""

    def decided(
        memories: Sequence[Memory], at: datetime, profile: Profile, *, answers: Answers
    ) -> list[Step]:
        del answers
        return decide(memories, at, profile)

    return decided


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(name=session.RULE, due=due.session, decide=_plain(session.ended)),
        Rule(name=expiry.RULE, due=due.expire, decide=_plain(expiry.expired)),
        Rule(name=fade.RULE, due=due.fade, decide=_plain(fade.faded)),
        Rule(name=weekly.RULE, due=due.review, decide=_plain(weekly.reviewed)),
        Rule(name=compress.RULE, due=due.compress, decide=compress.compressed),
        Rule(name=cleanup.RULE, due=due.purge, decide=_plain(cleanup.cleaned)),
        Rule(name=asking.RECHECK, due=due.recheck, decide=_plain(asking.rechecked), asks=True),
        Rule(name=asking.VERIFY, due=due.verify, decide=_plain(asking.asked), whole=True, asks=True),
    )
}

APPRAISE, MERGE, BRIEF, EMBED = "appraise", "merge", "brief", "embed"
ORDER = (
    EMBED,
    session.RULE,
    expiry.RULE,
    APPRAISE,
    fade.RULE,
    weekly.RULE,
    BRIEF,
    MERGE,
    compress.RULE,
    cleanup.RULE,
    asking.RECHECK,
    asking.VERIFY,
)
"""A round: what waits for a vector has one before anything is compared, and what has faded is looked at
before what has faded further goes (C6).
"""

WEEKLY = frozenset({weekly.RULE, BRIEF})
"""Those that the calendar takes once a week; the others every day."""

DAILY = frozenset(ORDER) - WEEKLY
GROUPS = {"daily": DAILY, "weekly": WEEKLY}
"""Names that stand for several rules."""


def answered(judge: Judge, memories: Sequence[Memory], at: datetime, *, profile: Profile) -> Answers:
    """What compressing these memories needs of the judge, asked before anything is decided."""
    summaries = {}
    for memory in memories:
        if len(compress.first_words(memory)) <= min(
            profile.compress.trace_chars, profile.compress.summary_chars
        ):
            continue  # short enough for every level
        level = compress.level_due(memory, at, profile)
        asked = compress.to_summarise(memory, level, profile.compress) if level else None
        if asked:
            summaries[memory.id, asked[1]] = judge.summarise([asked[0]], asked[1])
    return Answers(summaries=summaries)
