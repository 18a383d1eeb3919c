"""Learns the numbers of the judge's linear models from the examples here and writes them into the package.

    python bench/judgement_examples/train.py poison extraction

Logistic regression with an L2 penalty, deterministic, some seconds' work. Before it writes, it prints how
well each fifth of the examples is told by a model of the other four, so that a change of word classes or
features can be judged.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import dialogues
import numpy as np

from holdfast.judge.rules import classify, exclusions, extraction, poison, stated
from holdfast.judge.rules.text import sentence_spans
from holdfast.judge.rules.wordclass import look

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.judge.rules.findings import Clause

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src/holdfast/judge/rules/weights"
PENALTY = {
    "poison": 0.75,
    "extraction": 1.0,
    "kind": 0.5,
}  # best of 0.5 0.75 1 1.5 2 4 by the figures printed here
STEPS = 600
FOLDS = 5
LEAST_SEEN = 2  # examples in which a plain word must occur to be a feature
SMALLEST = 0.02  # weights under this are left out

Example = tuple[dict[str, float], str]


def poison_examples() -> list[Example]:
    """Texts of poison.tsv; benign ones have the label `nothing`, which the package does not keep."""
    lines = [
        line.split("\t", 1) for line in (HERE / "poison.tsv").read_text(encoding="utf-8").splitlines() if line
    ]
    told = [(text, "poison" if label.startswith("p") else stated.NOTHING) for label, text in lines]
    told += [(text, stated.NOTHING) for text in ordinary_texts()]
    return [(poison.features(text), label) for text, label in told]


def ordinary_texts() -> list[str]:
    """What people say all day: ordinary.txt, and the texts written for the other models. Two of them together
    stand for a longer text, since attacks are longer than most statements.
    """
    lines = (HERE / "ordinary.txt").read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line and not line.startswith("#")]
    texts += [turn["text"] for dialogue in dialogues.read() for turn in dialogue["turns"]]
    for file in sorted((HERE.parent / "judgement_pairs").glob("*.txt")):
        pairs = [line for line in file.read_text(encoding="utf-8").splitlines() if " → " in line]
        texts += [side.strip() for line in pairs for side in line.split(" → ")]
    some = texts[: len(lines)] + texts[len(lines) :: 3]
    return some + [f"{one} {other}" for one, other in zip(some, some[len(some) // 2 :], strict=False)]


def extraction_examples() -> list[Example]:
    """Clauses of extraction.txt that no exclusion takes, with the type of the fact they belong to."""
    found: list[Example] = []
    for dialogue in dialogues.read():
        texts = [turn["text"] for turn in dialogue["turns"] if turn["role"] == "user"]
        spoilt = exclusions.of_dialogue(texts)
        for order, text in enumerate(texts):
            for start, end in sentence_spans(text):
                if order in spoilt or exclusions.of_sentence(text[start:end], look(text[start:end])):
                    continue
                clauses = extraction.clauses_of(text, start, end)
                found.extend(
                    (stated.features(clause), _label(text, clause, dialogue["expect"])) for clause in clauses
                )
    return found


def _label(text: str, clause: Clause, expected: list[dict[str, str]]) -> str:
    for fact in expected:
        start = text.find(fact["quote"])
        shared = min(clause.end, start + len(fact["quote"])) - max(clause.start, start)
        if start >= 0 and shared > (clause.end - clause.start) / 2:
            return fact["type"]
    return stated.NOTHING


def matrix(examples: list[Example], columns: dict[str, int]) -> np.ndarray:
    """One row an example, one column a feature, and a last column of ones for the bias."""
    rows = np.zeros((len(examples), len(columns) + 1))
    rows[:, -1] = 1
    for row, (features, _) in enumerate(examples):
        for name, value in features.items():
            if name in columns:
                rows[row, columns[name]] = value
    return rows


def columns_of(examples: list[Example]) -> dict[str, int]:
    """The features worth a weight."""
    seen = Counter(name for features, _ in examples for name in features)
    kept = sorted(name for name in seen if seen[name] >= LEAST_SEEN or not name.startswith("word:"))
    return {name: index for index, name in enumerate(kept)}


def fit(rows: np.ndarray, truth: np.ndarray, penalty: float) -> np.ndarray:
    """Weights, a column for each label, by accelerated gradient descent; the bias is not penalised."""
    step = 1 / (_stretch(rows) ** 2 / 2 + penalty)
    pull = np.full((rows.shape[1], 1), penalty)
    pull[-1] = 1e-6
    weights = ahead = np.zeros((rows.shape[1], truth.shape[1]))
    pace = 1.0
    for _ in range(STEPS):
        gradient = rows.T @ (shares(rows @ ahead) - truth) + pull * ahead
        following = ahead - step * gradient
        faster = (1 + (1 + 4 * pace**2) ** 0.5) / 2
        ahead = following + (pace - 1) / faster * (following - weights)
        weights, pace = following, faster
    return weights


def _stretch(rows: np.ndarray) -> float:
    """The largest singular value, a little too large, by power iteration."""
    direction = np.ones(rows.shape[1])
    for _ in range(50):
        direction = rows.T @ (rows @ (direction / np.linalg.norm(direction)))
    return 1.05 * float(np.linalg.norm(direction)) ** 0.5


def shares(odds: np.ndarray) -> np.ndarray:
    """Probabilities of the labels, row by row."""
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def learn(name: str, examples: list[Example]) -> None:
    """Prints the cross-validation of one model, then writes its numbers."""
    labels = sorted({label for _, label in examples})
    truth = np.array([[float(label == each) for each in labels] for _, label in examples])
    right = np.array([labels.index(label) for _, label in examples])
    nothing = (
        labels.index(stated.NOTHING) if stated.NOTHING in labels else -1
    )  # kinds: every statement has one
    said = np.zeros(len(examples), dtype=int)
    for fold in range(FOLDS):
        held = np.arange(len(examples)) % FOLDS == fold
        columns = columns_of([example for example, out in zip(examples, held, strict=True) if not out])
        rows = matrix(examples, columns)
        said[held] = (rows[held] @ fit(rows[~held], truth[~held], PENALTY[name])).argmax(axis=1)
    hit = ((said == right) & (right != nothing)).sum()
    f1 = 2 * hit / ((said != nothing).sum() + (right != nothing).sum())
    wrong = (said[right == nothing] != nothing).mean() if nothing >= 0 else 0.0
    print(f"{name}: {len(examples)} examples, F1 {f1:.3f}, of nothing taken for something {wrong:.3f}")
    columns = columns_of(examples)
    write(name, labels, columns, fit(matrix(examples, columns), truth, PENALTY[name]))


def write(name: str, labels: list[str], columns: dict[str, int], weights: np.ndarray) -> None:
    """The numbers as the package reads them. Of two labels the one that says something holds it all."""
    if len(labels) == 2:
        weights = weights - weights[:, [labels.index(stated.NOTHING)]]
        keep = [label for label in labels if label != stated.NOTHING]
    else:
        keep = labels
    numbers: dict[str, dict[str, object]] = {"biases": {}, "weights": {}}
    for label in keep:
        column = weights[:, labels.index(label)]
        numbers["biases"][label] = round(float(column[-1]), 3)
        worth = {
            feature: round(float(column[i]), 3)
            for feature, i in columns.items()
            if abs(column[i]) >= SMALLEST
        }
        numbers["weights"][label] = worth
    text = json.dumps(numbers, indent=1, ensure_ascii=False)
    (TARGET / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def kind_examples() -> list[Example]:
    """Statements of kinds.tsv, and the quotes of extraction.txt under the kinds of their types."""
    lines = [
        line.split("\t", 1) for line in (HERE / "kinds.tsv").read_text(encoding="utf-8").splitlines() if line
    ]
    quotes = [
        (classify.KINDS[e["type"]], e["quote"]) for dialogue in dialogues.read() for e in dialogue["expect"]
    ]
    return [(classify.features(text), label) for label, text in [*lines, *quotes]]


MODELS: dict[str, Callable[[], list[Example]]] = {
    "poison": poison_examples,
    "extraction": extraction_examples,
    "kind": kind_examples,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or MODELS:
        learn(wanted, MODELS[wanted]())
