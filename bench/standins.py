"""In place of an embedder and a judge, where what they cost is no part of what is measured."""

from __future__ import annotations

import numpy as np

from holdfast.judge.rules import RulesJudge
from holdfast.ports.embedder import Calibration
from holdfast.ports.judge import Classified, Related, Relation, Sensitivity, Verdict

DIMENSIONS = 512


def vectors(dice: np.random.Generator, count: int) -> np.ndarray:
    rows = dice.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Random:
    """An embedder whose vectors were made before anything was timed."""

    name, dimensions = "random/512", DIMENSIONS
    calibration = Calibration(((-1.0, 0.0), (0.0, 0.0), (0.45, 0.6), (0.75, 0.85), (1.0, 1.0)))

    def __init__(self) -> None:
        self.of: dict[str, np.ndarray] = {}
        self.dice = np.random.default_rng(1)

    def embed(self, texts) -> np.ndarray:
        for text in texts:
            if text not in self.of:
                self.of[text] = vectors(self.dice, 1)[0]
        return np.stack([self.of[text] for text in texts])


class Silent(RulesJudge):
    """A judge that has no opinion: what judging costs is measured apart (`python -m bench judgement`)."""

    name = "silent"

    def relation(self, *_) -> Related:
        return Related(Relation.DISTINCT, 1.0)

    def sensitivity(self, _: str) -> Sensitivity:
        return Sensitivity(0, (), ())

    def poison(self, _: str) -> Verdict:
        return Verdict(holds=False, score=0.0)

    def consistent(self, *_) -> Verdict:
        return Verdict(holds=True, score=1.0)

    def classify(self, _: str) -> Classified:
        return Classified("event", (), None, 1.0)
