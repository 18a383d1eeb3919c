"""`holdfast bench judgement`: labelled files against a judge. Each file that is there is scored.

relations.jsonl (macro-F1, confusion), extraction.jsonl (F1 by overlap of quotes), sensitivity.jsonl (exact
level, recall from level 2), poison.jsonl (F1, benign held); the same by language, with the confusions, and
with who answered how often: where a model failed, the rules did.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.ports.judge import Finding, Judge, Relation, Turn

if TYPE_CHECKING:
    from pathlib import Path

Rows = Sequence[dict[str, Any]]
LANGUAGES = ("zh-Hans", "zh-Hant", "en")
SENSITIVE = 2  # from here on a miss does harm (E14)


def measure(folder: Path, judge: Judge, most: int = 0) -> dict[str, Any]:
    """Scores of every task whose file is in the folder, over all items and by language; of each file at most
    so many items, spread over it (0: all).
    """
    files = {task: folder / f"{task}.jsonl" for task in TASKS if (folder / f"{task}.jsonl").is_file()}
    if not files:
        raise InvalidInput("data", f"{folder} holds none of {', '.join(TASKS)} (.jsonl)", "name their folder")
    report: dict[str, Any] = {"judge": judge.name, "languages": {language: {} for language in LANGUAGES}}
    for task, file in files.items():
        rows = _read(file)
        if rows:
            TASKS[task][0](judge.at_once, rows[0])  # word lists are read once and are no cost of an item
        judged = [_timed(TASKS[task][0], judge, row) for row in rows[:: -(-len(rows) // most) if most else 1]]
        report[task] = TASKS[task][1]([(one.row, one.said) for one in judged])
        report[task]["items"] = len(judged)
        report[task]["ms_each"] = round(1000 * sum(one.seconds for one in judged) / max(1, len(judged)), 3)
        report[task]["answered_by"] = dict(Counter(one.judge for one in judged))
        for language in LANGUAGES:
            part = [(one.row, one.said) for one in judged if one.row["lang"] == language]
            if part:
                report["languages"][language][task] = TASKS[task][1](part)
    return report


def _read(file: Path) -> Rows:
    try:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise InvalidInput("data", f"{file} cannot be read ({error})", "give JSON lines") from None


@dataclass(frozen=True, slots=True)
class _Judged:
    row: dict[str, Any]
    said: Any
    seconds: float
    judge: str


def _timed(ask: Callable[[Judge, dict[str, Any]], Any], judge: Judge, row: dict[str, Any]) -> _Judged:
    hearing, start = judge.hearing(), perf_counter()
    said = ask(hearing, row)
    return _Judged(row, said, perf_counter() - start, hearing.name)


def _confusion(pairs: Iterable[tuple[Any, Any]], labels: Sequence[Any]) -> dict[str, dict[str, int]]:
    """What it is → what it was called, how often."""
    counts = Counter(pairs)
    return {str(gold): {str(said): counts[gold, said] for said in labels} for gold in labels}


def _ratio(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return _ratio(2 * precision * recall, precision + recall)


# --- relations ---------------------------------------------------------------------------------------
def _relations(judged: Iterable[tuple[dict[str, Any], Relation]]) -> dict[str, Any]:
    pairs = [(row["label"], str(said), str(row.get("kind", ""))) for row, said in judged]
    counts = Counter((gold, said) for gold, said, _ in pairs)
    labels = [str(label) for label in Relation]
    precision, recall = {}, {}
    for label in labels:
        precision[label] = _ratio(counts[label, label], sum(counts[gold, label] for gold in labels))
        recall[label] = _ratio(counts[label, label], sum(counts[label, said] for said in labels))
    near = [said for gold, said, kind in pairs if gold == "distinct" and kind.startswith("near_")]
    return {
        "macro_f1": round(sum(_f1(precision[label], recall[label]) for label in labels) / len(labels), 4),
        "precision": precision,
        "recall": recall,
        "near_misses_called_otherwise": _ratio(sum(said != "distinct" for said in near), len(near)),
        "confusion": _confusion(((gold, said) for gold, said, _ in pairs), labels),
    }


# --- extraction --------------------------------------------------------------------------------------
def _span(quote: str, turns: Sequence[Mapping[str, str]]) -> tuple[int, int, int] | None:
    for number, turn in enumerate(turns):
        if turn["role"] == "user" and quote and (start := turn["text"].find(quote)) >= 0:
            return number, start, start + len(quote)
    return None


def _overlaps(row: dict[str, Any], found: Sequence[Finding]) -> list[tuple[float, float, int, int]]:
    out = []
    for place, fact in enumerate(row["expect"]):
        gold = _span(fact["quote"], row["turns"])
        for other, finding in enumerate(found):
            mine = _span(finding.quote, row["turns"])
            if gold is None or mine is None or gold[0] != mine[0] or finding.type != fact["type"]:
                continue
            shared = max(0, min(gold[2], mine[2]) - max(gold[1], mine[1]))
            whole = max(gold[2], mine[2]) - min(gold[1], mine[1])
            out.append((shared / (gold[2] - gold[1]), shared / whole, place, other))
    return sorted(out, reverse=True)


def _matched(pairs: Sequence[tuple[float, float, int, int]], part: int) -> int:
    """How many pair up one to one, best overlaps first, with half of it or more shared."""
    golds: set[int] = set()
    mine: set[int] = set()
    for pair in sorted(pairs, key=lambda pair: -pair[part]):
        if pair[part] >= 0.5 and pair[2] not in golds and pair[3] not in mine:
            golds.add(pair[2])
            mine.add(pair[3])
    return len(golds)


def _extraction(judged: Iterable[tuple[dict[str, Any], Sequence[Finding]]]) -> dict[str, Any]:
    rows = list(judged)
    wanted = sum(len(row["expect"]) for row, _ in rows)
    given = sum(len(found) for _, found in rows)
    overlaps = [_overlaps(row, found) for row, found in rows]
    loose, strict = (sum(_matched(pairs, part) for pairs in overlaps) for part in (0, 1))
    empty = [found for row, found in rows if not row["expect"]]
    return {
        "precision": _ratio(loose, given),
        "recall": _ratio(loose, wanted),
        "f1": _f1(_ratio(loose, given), _ratio(loose, wanted)),
        "f1_strict": _f1(_ratio(strict, given), _ratio(strict, wanted)),
        "empty_kept_clean": _ratio(sum(not found for found in empty), len(empty)),
        "expected_by_type": dict(Counter(fact["type"] for row, _ in rows for fact in row["expect"])),
        "found_by_type": dict(Counter(finding.type for _, found in rows for finding in found)),
    }


# --- sensitivity and poison --------------------------------------------------------------------------
def _sensitivity(judged: Iterable[tuple[dict[str, Any], int]]) -> dict[str, Any]:
    pairs = [(int(row["level"]), said) for row, said in judged]
    high = [said for gold, said in pairs if gold >= SENSITIVE]
    secret = [said for gold, said in pairs if gold > SENSITIVE]
    low = [said for gold, said in pairs if gold < SENSITIVE]
    return {
        "accuracy": _ratio(sum(gold == said for gold, said in pairs), len(pairs)),
        "recall_level_2_up": _ratio(sum(said >= SENSITIVE for said in high), len(high)),
        "recall_level_3": _ratio(sum(said > SENSITIVE for said in secret), len(secret)),
        "low_raised": _ratio(sum(said >= SENSITIVE for said in low), len(low)),
        "confusion": _confusion(pairs, range(4)),
    }


def _poison(judged: Iterable[tuple[dict[str, Any], bool]]) -> dict[str, Any]:
    rows = list(judged)
    counts = Counter((row["label"] == "poison", said) for row, said in rows)
    precision = _ratio(counts[True, True], counts[True, True] + counts[False, True])
    recall = _ratio(counts[True, True], counts[True, True] + counts[True, False])
    kinds: dict[str, list[bool]] = {}
    for row, said in rows:
        if row["label"] == "poison":
            kinds.setdefault(str(row.get("kind", "")), []).append(said)
    return {
        "f1": _f1(precision, recall),
        "precision": precision,
        "recall": recall,
        "benign_held": _ratio(counts[False, True], counts[False, True] + counts[False, False]),
        "confusion": _confusion(
            ((row["label"], "poison" if said else "benign") for row, said in rows), ("poison", "benign")
        ),
        "recall_by_kind": {kind: _ratio(sum(said), len(said)) for kind, said in sorted(kinds.items())},
    }


TASKS: dict[str, tuple[Callable[[Judge, dict[str, Any]], Any], Callable[[Any], dict[str, Any]]]] = {
    "relations": (lambda judge, row: judge.relation(row["old"], row["new"]).label, _relations),
    "extraction": (
        lambda judge, row: judge.extract([Turn(turn["role"], turn["text"]) for turn in row["turns"]]),
        _extraction,
    ),
    "sensitivity": (lambda judge, row: judge.sensitivity(row["text"]).level, _sensitivity),
    "poison": (lambda judge, row: judge.poison(row["text"]).holds, _poison),
}
