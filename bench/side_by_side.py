"""Every contender on the same texts, vectors and questions, in one process, in turn. Run by
`python -m bench peers` inside the peers' environment. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from time import perf_counter

from contenders import CONTENDERS, Asked, Item, Vectors, directory
from holdfast.adapters.embed.use import UseEmbedder
from holdfast.bench.data import Case, read
from holdfast.bench.scores import mean, percentile, score

SINGLE = 50  # writes of one item each
FOUND = 10  # answers asked for, of every engine alike


def prepared(case: Case, embedder: UseEmbedder) -> tuple[list[Item], list[Asked]]:
    texts = [_text(fields) for _, fields in case.items]
    questions = [query.text for query in case.queries]
    vectors = embedder.embed(texts)
    asked = embedder.embed(questions)
    items = [
        Item(
            text,
            vector,
            content=fields["content"],
            speaker=fields.get("speaker", ""),
            session=fields.get("session", ""),
            at=fields["at"].isoformat(),
            layer=fields["layer"],
            place=fields.get("metadata", {}).get("place", ""),
        )
        for text, vector, (_, fields) in zip(texts, vectors, case.items, strict=True)
    ]
    places = {key: place for place, (key, _) in enumerate(case.items)}
    return items, [
        Asked(
            query.text,
            vector,
            tuple(places[key] for key in query.expect),
            query.group,
            query.at.isoformat() if query.at else None,
        )
        for query, vector in zip(case.queries, asked, strict=True)
    ]


def _text(fields) -> str:
    return f"{fields['speaker']}: {fields['content']}" if fields.get("speaker") else fields["content"]


def run(cases: list[Case], names: list[str]) -> dict:
    """All users are stored first, as they are where people work; then each is asked, twice: once for the
    answers, once for the time, with whatever an engine keeps of a question at hand.
    """
    embedder = UseEmbedder()
    adding, stored, judging = defaultdict(float), defaultdict(int), defaultdict(float)
    vectors = Vectors(embedder.dimensions)
    made = [prepared(case, embedder) for case in cases]
    with directory() as place:
        engines = [contender(vectors, place) for contender in CONTENDERS if _wanted(contender, names)]
        _warm_up(engines, made[0], vectors)
        for case, (items, asked) in zip(cases, made, strict=True):
            vectors.learn(items, asked)
            for engine in engines:
                engine.open(case.name)
                start = perf_counter()
                engine.add(items)
                adding[engine.name] += perf_counter() - start
                judging[engine.name] += getattr(engine, "judging", 0.0)
                stored[engine.name] += len(items)
            print(f"  {case.name}: {len(items)} stored", file=sys.stderr)
        rows, taken, ratios = _all_asked(engines, cases, [asked for _, asked in made])
        singles = {engine.name: _singles(engine, made[0][0][:SINGLE]) for engine in engines}
    return {
        label: {
            **mean(rows[label]),
            "p50_ms": round(percentile(taken[label], 0.5), 3),
            "p95_ms": round(percentile(taken[label], 0.95), 3),
            "times_numpy": round(percentile(ratios[label], 0.5), 1),
            "bulk_per_second": round(stored[label] / adding[label]),
            "bulk_per_second_without_judge": round(stored[label] / (adding[label] - judging[label])),
            "singles_per_second": singles[label],
        }
        for label in rows
    }


def _all_asked(engines, cases: list[Case], questions: list[list[Asked]]) -> tuple[dict, dict, dict]:
    """Scores, milliseconds, and for each case how many times as long as a scan a question took."""
    rows, taken, ratios = defaultdict(list), defaultdict(list), defaultdict(list)
    for case, asked in zip(cases, questions, strict=True):
        times = defaultdict(list)
        for engine in engines:
            engine.choose(case.name)
            rows[engine.name] += [_scored(engine, question) for question in asked]
        for question in asked:  # in turn, so that a busy moment hits them all
            for engine in engines:
                times[engine.name].append(_timed(engine, question))
        scan = percentile(times["numpy scan"], 0.5)
        for label, each in times.items():
            taken[label] += each
            ratios[label].append(percentile(each, 0.5) / scan)
        print(f"  {case.name}: {len(asked)} asked", file=sys.stderr)
    return rows, taken, ratios


def _warm_up(engines, first: tuple[list[Item], list[Asked]], vectors: Vectors) -> None:
    """What is loaded once in the life of a process (dictionaries, models) is no part of any figure."""
    items, asked = first[0][:50], first[1][:3]
    vectors.learn(items, asked)
    for engine in engines:
        engine.open("warm")
        engine.add(items)
        engine.choose("warm")
        for question in asked:
            engine.find(question, FOUND)
        _ = getattr(engine, "judging", 0.0)


def _wanted(contender, names: list[str]) -> bool:
    return not names or any(name.lower() in contender.name.lower() for name in [*names, "numpy"])


def _singles(engine, items: list[Item]) -> int | None:
    """How many a second, one write an item; None of what has no such write."""
    if not hasattr(engine, "add_one"):
        return None
    engine.open("singles")
    start = perf_counter()
    for item in items:
        engine.add_one(item)
    return round(len(items) / (perf_counter() - start))


def _scored(engine, question: Asked) -> dict[str, float]:
    found = engine.find(question, FOUND)
    keys = [[str(one) for one in (place if isinstance(place, list) else [place])] for place in found]
    return score(keys, [str(place) for place in question.expect])


def _timed(engine, question: Asked) -> float:
    start = perf_counter()
    engine.find(question, FOUND)
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("format")
    parser.add_argument("--pool", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--cases", type=int, default=0)
    options = parser.parse_args()
    cases = read(options.data, options.format, pool=options.pool)
    chosen = cases[: options.cases] if options.cases else cases
    print(json.dumps(run(chosen, [name for name in options.only.split(",") if name])))
