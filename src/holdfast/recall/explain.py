"""Why a memory was recalled (B2), worked out when somebody asks: arms with rank and score, factors, trust,
origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.model.hit import Explain
from holdfast.steward.weighing import confidence_now, needs_verification

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.model.memory import Memory
    from holdfast.profile.schema import Profile
    from holdfast.recall.fuse import Scores
    from holdfast.recall.rank import Ranked


@dataclass(frozen=True, slots=True)
class Reasons:
    """The numbers of one recall, kept as long as a hit of it is."""

    scores: Scores
    ranked: Ranked
    now: datetime
    profile: Profile

    def of(self, place: int, memory: Memory) -> Explain:
        """Of the candidate at a place of `ranked`."""
        found, ranked = self.ranked.found, self.ranked
        return Explain(
            arms=self._arms(int(found.rows[place])) | self._nearness(place),
            factors=ranked.factors_of(place),
            trust=trust(memory, self.now, self.profile),
            provenance=provenance(memory),
            formula=ranked.formula,
        )

    def _arms(self, row: int) -> dict[str, dict[str, float]]:
        """Rank among all candidates (from 1) and what the arm added; arms that added nothing are left out."""
        at = int(np.flatnonzero(self.scores.rows == row)[0])
        told = {}
        for name, values in self.scores.arms.items():
            mine = values[at]
            if mine:
                told[name] = {"rank": float(np.count_nonzero(values > mine) + 1), "score": float(mine)}
        return told

    def _nearness(self, place: int) -> dict[str, dict[str, float]]:
        found = self.ranked.found
        near = {"score": float(found.similarity[place])}
        near["rank"] = float(np.count_nonzero(found.similarity > found.similarity[place]) + 1)
        told = {"similarity": near} if near["score"] > 0 else {}
        return told | ({"exact": {"rank": 1.0, "score": 1.0}} if found.exact[place] else {})


def latest(memory: Memory, now: datetime, profile: Profile, *, place: int) -> Explain:
    """Of one of the newest, added because nothing else was found."""
    arms = {"latest": {"rank": float(place), "score": 0.0}}
    return _unasked(arms, memory, now, profile=profile, formula="the newest, since little was found")


def hot(memory: Memory, now: datetime, profile: Profile, *, place: int) -> Explain:
    """Of working memory, which comes unasked (P6)."""
    arms = {"hot": {"rank": float(place), "score": 1.0}}
    return _unasked(arms, memory, now, profile=profile, formula="the newest of working memory: 1")


def _unasked(
    arms: Mapping[str, Mapping[str, float]], memory: Memory, now: datetime, *, profile: Profile, formula: str
) -> Explain:
    return Explain(arms, {}, trust(memory, now, profile), provenance(memory), formula)


def trust(memory: Memory, now: datetime, profile: Profile) -> Mapping[str, Any]:
    """How far to believe it, and why."""
    return {
        "source": memory.source,
        "author": memory.author,
        "confidence": memory.confidence,
        "confidence_now": confidence_now(memory, now, profile),
        "verified_at": memory.verified_at,
        "needs_verification": needs_verification(memory, now, profile),
        "status": str(memory.status),
        "marks": tuple(sorted(memory.marks)),
        "sources": dict(memory.sources),
        "conflicts_with": memory.conflicts_with,
    }


def provenance(memory: Memory) -> Mapping[str, Any]:
    """Where it comes from; `why` follows the ids."""
    return {
        "version": memory.version,
        "source_ids": memory.source_ids,
        "merged_from": memory.merged_from,
        "compressed_from": memory.compressed_from,
        "supersedes": memory.supersedes,
        "level": str(memory.level),
        "mentions": memory.mentions,
    }
