"""Every contender on the same texts, vectors and questions, in one process, one after the other, case by
case. Run by `python -m bench peers` inside the peers' environment. Prints JSON.
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

FOUND = 20


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
    embedder = UseEmbedder()
    rows, taken, adding, stored = defaultdict(list), defaultdict(list), defaultdict(float), defaultdict(int)
    ratios, judging = defaultdict(list), defaultdict(float)
    vectors = Vectors(embedder.dimensions)
    with directory() as place:
        engines = [contender(vectors, place) for contender in CONTENDERS if _wanted(contender, names)]
        _warm_up(engines, prepared(cases[0], embedder), vectors)
        for case in cases:
            items, asked = prepared(case, embedder)
            vectors.learn(items, asked)
            for engine in engines:
                engine.open(case.name)
                start = perf_counter()
                engine.add(items)
                adding[engine.name] += perf_counter() - start
                judging[engine.name] += getattr(engine, "judging", 0.0)
                stored[engine.name] += len(items)
                times = [_asked(engine, question, rows[engine.name]) for question in asked[:1] + asked]
                rows[engine.name].pop(-len(times))
                taken[engine.name] += times[1:]
                ratios[engine.name].append(percentile(times[1:], 0.5))
            print(f"  {case.name}: {len(items)} stored, {len(asked)} asked", file=sys.stderr)
    scans = ratios["numpy scan"]
    return {
        label: {
            **mean(rows[label]),
            "p50_ms": round(percentile(taken[label], 0.5), 3),
            "p95_ms": round(percentile(taken[label], 0.95), 3),
            "times_numpy": round(
                percentile([a / b for a, b in zip(ratios[label], scans, strict=True)], 0.5), 1
            ),
            "bulk_per_second": round(stored[label] / adding[label]),
            "bulk_per_second_without_judge": round(stored[label] / (adding[label] - judging[label])),
        }
        for label in rows
    }


def _warm_up(engines, first: tuple[list[Item], list[Asked]], vectors: Vectors) -> None:
    """What is loaded once in the life of a process (dictionaries, models) is no part of any figure."""
    items, asked = first[0][:50], first[1][:3]
    vectors.learn(items, asked)
    for engine in engines:
        engine.open("warm")
        engine.add(items)
        for question in asked:
            engine.find(question, FOUND)
        _ = getattr(engine, "judging", 0.0), getattr(engine, "embedding", 0.0)


def _wanted(contender, names: list[str]) -> bool:
    return not names or any(name.lower() in contender.name.lower() for name in [*names, "numpy"])


def _asked(engine, question: Asked, rows: list) -> float:
    start = perf_counter()
    found = engine.find(question, FOUND)
    took = (perf_counter() - start - getattr(engine, "embedding", 0.0)) * 1000
    keys = [[str(one) for one in (place if isinstance(place, list) else [place])] for place in found]
    rows.append(score(keys, [str(place) for place in question.expect]))
    return took


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
