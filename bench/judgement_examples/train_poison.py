"""Learns the numbers of the poison rules from poison.tsv and writes them into the package.

    python bench/judgement_examples/train_poison.py

Logistic regression with an L2 penalty by Newton's method: deterministic, a second's work. Prints
the F1 of a five-fold cross-validation first, so that a change of words or features can be judged.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np

from holdfast.judge.rules.poison import features

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src/holdfast/judge/rules/poison_weights.json"
PENALTY = 1.5  # best of 0.5 1 1.5 2 4 8 by the cross-validation below
STEPS = 25
FOLDS = 5
LEAST_SEEN = 2  # examples in which a plain word must occur to be a feature


def examples() -> tuple[list[str], list[int]]:
    """Texts and labels (1 = poison)."""
    lines = [line.split("\t", 1) for line in (HERE / "poison.tsv").read_text(encoding="utf-8").splitlines() if line]
    return [text for _, text in lines], [int(label.startswith("p")) for label, _ in lines]


def fit(rows: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights and bias, by Newton's method; the bias is not penalised."""
    inputs = np.hstack([rows, np.ones((len(rows), 1))])
    weights = np.zeros(inputs.shape[1])
    penalty = np.diag([PENALTY] * rows.shape[1] + [1e-6])
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = inputs.T @ (said - labels) + penalty @ weights
        curve = (inputs * (said * (1 - said) + 1e-9)[:, None]).T @ inputs + penalty
        weights -= np.linalg.solve(curve, slope)
    return weights[:-1], float(weights[-1])


def f1(said: np.ndarray, labels: np.ndarray) -> float:
    """F1 of the class poison."""
    hit = float((said & (labels == 1)).sum())
    return 2 * hit / max(1.0, float(said.sum() + (labels == 1).sum()))


def main() -> None:
    texts, truth = examples()
    named = [features(text) for text in texts]
    seen = Counter(name for found in named for name in found)
    names = sorted(name for name in seen if seen[name] >= LEAST_SEEN or not name.startswith("word:"))
    rows = np.array([[found.get(name, 0.0) for name in names] for found in named])
    labels = np.array(truth)
    said = np.zeros(len(texts), dtype=bool)
    for fold in range(FOLDS):
        held = np.arange(len(texts)) % FOLDS == fold
        weights, bias = fit(rows[~held], labels[~held])
        said[held] = rows[held] @ weights + bias > 0
    benign_held = said[labels == 0].mean()
    print(f"{len(texts)} examples, cross-validated F1 {f1(said, labels):.3f}, benign held {benign_held:.3f}")
    weights, bias = fit(rows, labels)
    kept = {name: round(float(w), 3) for name, w in zip(names, weights, strict=True) if abs(w) >= 0.02}
    TARGET.write_text(json.dumps({"bias": round(float(bias), 3), "weights": kept}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
