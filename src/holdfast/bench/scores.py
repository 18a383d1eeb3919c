"""Scores of a ranking: recall, hit and NDCG, as plain functions of keys (pure)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

CUTS = (1, 5, 10, 20)


def score(found: Sequence[Collection[str]], expect: Sequence[str]) -> dict[str, float]:
    """recall@k: the share of what was expected among the first k; hit@k: whether any was; NDCG@10, binary.

    `found` are the keys each hit stands for: several where the same was said twice and kept once.
    """
    wanted = set(expect)
    out: dict[str, float] = {}
    for cut in CUTS:
        got = len(wanted & set[str]().union(*found[:cut]))
        out[f"recall@{cut}"] = got / len(wanted)
        out[f"hit@{cut}"] = float(got > 0)
    gain = sum(1 / math.log2(place + 2) for place, keys in enumerate(found[:10]) if wanted.intersection(keys))
    best = sum(1 / math.log2(place + 2) for place in range(min(len(wanted), 10)))
    out["ndcg@10"] = gain / best
    return out


def mean(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each score, and how many queries it is over."""
    rows = list(rows)
    if not rows:
        return {"queries": 0}
    out: dict[str, float] = {key: round(sum(row[key] for row in rows) / len(rows), 4) for key in rows[0]}
    out["queries"] = len(rows)
    return out


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
