"""Linear models shipped as numbers: weights by feature name.

They are learned by bench/judgement_examples/train.py; here is arithmetic on named features, the same on
every machine, and nothing is learned at run time.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Model:
    """For every label a bias and the weights of its features."""

    biases: dict[str, float]
    weights: dict[str, dict[str, float]]

    def parts(self, label: str, features: Mapping[str, float]) -> dict[str, float]:
        """What each feature adds for a label."""
        weights = self.weights[label]
        return {name: weights[name] * value for name, value in features.items() if name in weights}

    def odds(self, label: str, features: Mapping[str, float]) -> float:
        """The sum that speaks for a label, bias included."""
        return self.biases[label] + math.fsum(self.parts(label, features).values())

    def shares(self, features: Mapping[str, float]) -> dict[str, float]:
        """The probability of each label; together they make 1."""
        odds = {label: self.odds(label, features) for label in self.biases}
        highest = max(odds.values())
        raised = {label: math.exp(each - highest) for label, each in odds.items()}
        whole = math.fsum(raised.values())
        return {label: each / whole for label, each in raised.items()}

    def leading(self, label: str, features: Mapping[str, float]) -> list[str]:
        """The features that speak for a label, strongest first."""
        parts = self.parts(label, features)
        return sorted((name for name in parts if parts[name] > 0), key=lambda name: (-parts[name], name))


@cache
def model(name: str) -> Model:
    """One of the shipped models."""
    numbers = json.loads(files(__package__).joinpath("weights", f"{name}.json").read_text(encoding="utf-8"))
    return Model(numbers["biases"], numbers["weights"])


def certainty(odds: float) -> float:
    """The probability that odds of one label against its absence stand for."""
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0
