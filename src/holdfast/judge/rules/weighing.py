"""The learnt weights of the relations: which figure speaks for which relation, and how loudly.

`weights/relation.json` holds one number a figure and relation; bench/judgement_pairs/train_relation.py writes
it. A figure without weight is ignored, a weight without figure too, so that either may be added first.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files

from holdfast.ports.judge import Relation


@cache
def _weights() -> tuple[tuple[Relation, ...], list[float], dict[str, list[float]]]:
    """The relations in the order of the numbers, the bias, and the numbers of every figure."""
    book = json.loads(files(__package__).joinpath("weights", "relation.json").read_text(encoding="utf-8"))
    return tuple(Relation(name) for name in book["relations"]), book["bias"], book["figures"]


def chances(figures: dict[str, float]) -> dict[Relation, float]:
    """How likely each relation is; the chances add up to one."""
    relations, bias, weights = _weights()
    sums = list(bias)
    for name, figure in figures.items():
        if figure and name in weights:
            for place, weight in enumerate(weights[name]):
                sums[place] += weight * figure
    highest = max(sums)
    powers = [math.exp(value - highest) for value in sums]
    total = sum(powers)
    return {relation: power / total for relation, power in zip(relations, powers, strict=True)}


def speaking_for(figures: dict[str, float], relation: Relation) -> list[str]:
    """The figures that speak for a relation more than for the others, the loudest first."""
    relations, _, weights = _weights()
    place = relations.index(relation)
    loud = {
        name: figure * (weights[name][place] - sum(weights[name]) / len(relations))
        for name, figure in figures.items()
        if figure and name in weights
    }
    return sorted((name for name, voice in loud.items() if voice > 0), key=lambda name: -loud[name])
