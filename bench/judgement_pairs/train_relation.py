"""Learn which figure speaks for which relation, from the pairs beside this file.

    python bench/judgement_pairs/train_relation.py [--write] [--score FILE.jsonl]

Without --write it only measures: eight folds over our own pairs. --write learns from all of them and writes
`src/holdfast/judge/rules/weights/relation.json`. --score also measures the judge as it stands in the package
on a file of {"old", "new", "label", "lang"}. Same pairs, same numbers.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdfast.adapters.embed.use import UseEmbedder
from holdfast.judge.rules.features import features
from holdfast.judge.rules.pair import pair
from holdfast.judge.rules.relation import SURE, relation
from holdfast.judge.rules.text import is_chinese, language
from holdfast.ports.judge import Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
WEIGHTS = HERE.parents[1] / "src/holdfast/judge/rules/weights/relation.json"
LABELS = [str(each) for each in Relation]
PENALTY = 1 / 0.3  # of the squared weights; chosen by folds among 10, 3.3, 1
FOLDS = 8
STEPS = 1500
# Pairs of sentences that have nothing to do with each other, which a store is full of and pairs written to be
# compared are not: without, and (there they are told apart at once) with a similarity.
UNRELATED, UNRELATED_NEAR = 80, 200

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    old: str
    new: str
    label: str


def own_pairs() -> list[Example]:
    """Every pair of the files named for the labels."""
    found = []
    for label in LABELS:
        for line in (HERE / f"{label}.txt").read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                old, new = line.split(" → ")
                found.append(Example(old.strip(), new.strip(), label))
    return found


def unrelated(pairs: list[Example], count: int) -> list[Example]:
    """The old of one pair with the new of another, of one language."""
    generator = np.random.default_rng(7)
    found: list[Example] = []
    while len(found) < count:
        a, b = (pairs[int(place)] for place in generator.integers(0, len(pairs), 2))
        if a.old != b.old and is_chinese(a.old) == is_chinese(b.new):
            found.append(Example(a.old, b.new, "distinct"))
    return found


def similarities(pairs: list[Example]) -> list[float]:
    """The calibrated similarity of each pair by the default embedder."""
    embedder = UseEmbedder()
    old = embedder.embed([each.old for each in pairs])
    new = embedder.embed([each.new for each in pairs])
    return [embedder.calibration.similarity(float(cosine)) for cosine in (old * new).sum(axis=1)]


def rows(pairs: list[Example], near: list[float] | None) -> list[dict[str, float]]:
    """The figures of each pair."""
    known = near or [None] * len(pairs)
    return [features(pair(each.old, each.new), value) for each, value in zip(pairs, known, strict=True)]


def learn(figures: Array, labels: NDArray[np.int64], weight: Array) -> tuple[Array, Array]:
    """Softmax regression with a penalty on the weights, by Nesterov's gradient descent: weights and bias."""
    inputs = np.hstack([figures, np.ones((len(figures), 1))])
    target = np.eye(len(LABELS))[labels]
    decay = np.append(np.full(figures.shape[1], PENALTY), 0.0)[:, None]
    step = 1 / (0.5 * np.linalg.norm(inputs * np.sqrt(weight)[:, None], 2) ** 2 + PENALTY)
    now = ahead = np.zeros((inputs.shape[1], len(LABELS)))
    for turn in range(STEPS):
        scores = inputs @ ahead
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        slope = (
            inputs.T @ ((powers / powers.sum(axis=1, keepdims=True) - target) * weight[:, None])
            + decay * ahead
        )
        following = ahead - step * slope
        ahead = following + turn / (turn + 3) * (following - now)
        now = following
    return now[:-1], now[-1]


@dataclass(frozen=True)
class Table:
    """Figures of pairs: names, one row a pair, labels and how much each row counts."""

    names: list[str]
    figures: Array
    labels: NDArray[np.int64]
    weight: Array
    fold: NDArray[np.int64]  # -1: in every fold's training


def tabulate(pairs: list[Example]) -> Table:
    """Every pair twice, with and without similarity, and the unrelated ones."""
    strangers = unrelated(pairs, UNRELATED_NEAR)
    blocks = [
        (pairs, None, 0.5),
        (pairs, similarities(pairs), 0.5),
        (strangers[:UNRELATED], None, 1.0),
        (strangers, similarities(strangers), 0.5),
    ]
    told = [row for block, near, _ in blocks for row in rows(block, near)]
    names = list(told[0])
    labels = [LABELS.index(each.label) for block, _, _ in blocks for each in block]
    weight = [share for block, _, share in blocks for _ in block]
    order = np.random.default_rng(0).permutation(len(pairs)) % FOLDS
    fold = np.concatenate([order, order, np.full(UNRELATED + UNRELATED_NEAR, -1)])
    figures = np.array([[row[name] for name in names] for row in told])
    return Table(names, figures, np.array(labels), np.array(weight), fold)


def folds(table: Table) -> Iterator[tuple[str, list[str], list[str], list[float]]]:
    """What is answered for pairs not learnt from: without similarity, then with it."""
    half = int((table.fold >= 0).sum()) // 2
    chance = np.zeros((2 * half, len(LABELS)))
    for number in range(FOLDS):
        out = table.fold == number
        weights, bias = learn(table.figures[~out], table.labels[~out], table.weight[~out])
        places = np.flatnonzero(out)
        scores = table.figures[places] @ weights + bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        chance[places] = powers / powers.sum(axis=1, keepdims=True)
    gold = [LABELS[place] for place in table.labels[: 2 * half]]
    said = [LABELS[place] for place in chance.argmax(axis=1)]
    sure = [float(value) for value in chance.max(axis=1)]
    yield "folds, without similarity", gold[:half], said[:half], sure[:half]
    yield "folds, with similarity", gold[half:], said[half:], sure[half:]


def cautious(said: list[str], sure: list[float]) -> list[str]:
    """As the judge answers: what would retire a memory and is not sure enough is distinct."""
    return [
        "distinct" if Relation(label) in SURE and value < SURE[Relation(label)] else label
        for label, value in zip(said, sure, strict=True)
    ]


def report(title: str, gold: list[str], said: list[str]) -> None:
    """Precision, recall and F1 of each label, macro-F1, and the confusion."""
    count = np.zeros((len(LABELS), len(LABELS)), dtype=int)
    for a, b in zip(gold, said, strict=True):
        count[LABELS.index(a), LABELS.index(b)] += 1
    precision = np.diag(count) / np.maximum(1, count.sum(axis=0))
    recall = np.diag(count) / np.maximum(1, count.sum(axis=1))
    f1 = 2 * precision * recall / np.maximum(1e-9, precision + recall)
    print(f"\n{title}: {len(gold)} pairs, macro-F1 {f1[count.sum(axis=1) > 0].mean():.3f}")
    for place, label in enumerate(LABELS):
        figures = f"P {precision[place]:.2f}  R {recall[place]:.2f}  F1 {f1[place]:.2f}"
        print(f"  {label:12} {figures}   {' '.join(f'{n:4}' for n in count[place])}")


def score(path: Path, half: str) -> None:
    """The judge as it stands, on a file of labelled pairs, whole and by language."""
    lines = path.read_text(encoding="utf-8").splitlines()
    items = [json.loads(line) for line in lines if line.strip()]
    items = {"all": items, "even": items[::2], "odd": items[1::2]}[half]
    near = similarities([Example(item["old"], item["new"], item["label"]) for item in items])
    for kind, known in (("without similarity", [None] * len(items)), ("with similarity", near)):
        said = [str(relation(i["old"], i["new"], value).label) for i, value in zip(items, known, strict=True)]
        report(f"{path.name}, {half}, {kind}", [item["label"] for item in items], said)
        for tongue in ("zh-Hans", "zh-Hant", "en"):
            own = [place for place, i in enumerate(items) if i.get("lang", language(i["new"])) == tongue]
            report(f"  {tongue}", [items[place]["label"] for place in own], [said[place] for place in own])


def write(table: Table) -> None:
    """Learn from everything and write the numbers, three places each."""
    weights, bias = learn(table.figures, table.labels, table.weight)
    figures = {
        name: [round(float(value), 3) for value in row]
        for name, row in zip(table.names, weights, strict=True)
        if np.abs(row).max() >= 0.0005
    }
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in figures.items())
    bias_line = json.dumps([round(float(value), 3) for value in bias])
    text = (
        f'{{\n "relations": {json.dumps(LABELS)},\n "bias": {bias_line},\n "figures": {{\n{lines}\n }}\n}}\n'
    )
    WEIGHTS.write_text(text, encoding="utf-8")
    print(f"wrote {WEIGHTS}: {len(figures)} figures")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--score", type=Path)
    parser.add_argument("--half", choices=("all", "even", "odd"), default="all")
    asked = parser.parse_args()
    if asked.score is None or asked.write:
        table = tabulate(own_pairs())
        for title, gold, said, sure in folds(table):
            report(title, gold, said)
            report(f"{title}, cautious", gold, cautious(said, sure))
        if asked.write:
            write(table)
    if asked.score is not None:
        score(asked.score, asked.half)


if __name__ == "__main__":
    main()
