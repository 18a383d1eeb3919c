"""What operations cost, as ratios to the least they could cost, in one run: machines are noisy, ratios hold.

`python -m bench cost`. The words and vectors are made up here; embedding and judging are part of no figure.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

import apsw
import numpy as np

from bench.standins import Random, Silent, vectors
from holdfast import Holdfast, Settings
from holdfast.bench.scores import percentile
from holdfast.wire import Own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SYLLABLES = [a + b for a in "bcdfghjklmnprstvwz" for b in ("al", "in", "ut", "esk", "or", "im", "ant", "ev")]
# As many words and characters as people use, some often and most seldom (Zipf), as in what people say.
WORDS = [a + b for a in SYLLABLES for b in SYLLABLES][::2]
HANZI = [chr(0x4E00 + 7 * place) for place in range(2_500)]
OFTEN = list(accumulate(1 / (rank + 3) for rank in range(len(WORDS))))


def sentence(dice: random.Random) -> str:
    if dice.random() < 0.5:
        often = OFTEN[: len(HANZI)]
        return "".join(dice.choices(HANZI, cum_weights=often, k=dice.randint(8, 24)))
    return " ".join(dice.choices(WORDS, cum_weights=OFTEN, k=dice.randint(6, 16)))


def drafts(count: int, seed: int, layer: str = "episode") -> list[dict]:
    dice, rows = random.Random(seed), vectors(np.random.default_rng(seed), count)
    return [
        {"content": f"{sentence(dice)} {seed}-{i}", "vector": rows[i], "layer": layer, "kind": "event"}
        for i in range(count)
    ]


def p50(action: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        start = perf_counter()
        action()
        taken.append((perf_counter() - start) * 1000)
    return percentile(taken, 0.5)


def scan(count: int) -> Callable[[], object]:
    matrix, query = vectors(np.random.default_rng(7), count), vectors(np.random.default_rng(8), 1)[0]

    def run() -> object:
        scores = matrix @ query
        top = np.argpartition(scores, -10)[-10:]
        return top[np.argsort(-scores[top])]

    return run


@contextmanager
def house(directory: str, image_mib: int = 8192) -> Iterator[tuple[Holdfast, Random]]:
    embedder = Random()
    own = Own(embedder=embedder, judge=Silent(), settings=Settings(image_mib=image_mib, open_spaces=64))
    with Holdfast(directory, own) as opened:
        yield opened, embedder


def queries(embedder: Random, count: int = 100) -> list[str]:
    dice = random.Random(99)
    texts = [sentence(dice) for _ in range(count)]
    embedder.embed(texts)
    return texts


def in_turn(plain: Callable[[], object], mine: Callable[[], object], rounds: int = 60) -> dict:
    """A scan, the other, a scan, …: a busy moment hits both. The ratio is of the processor's time, since on a
    busy machine whatever takes longer than a turn of the processor waits for others as well.
    """
    for _ in range(5):
        plain()
        mine()
    taken = [(*_spent(plain), *_spent(mine)) for _ in range(rounds)]
    scan_ms, scan_cpu, wall, cpu = (list(each) for each in zip(*taken, strict=True))
    return {
        "numpy_ms": round(percentile(scan_ms, 0.5), 3),
        "ms": round(percentile(wall, 0.5), 3),
        "p95_ms": round(percentile(wall, 0.95), 3),
        "cpu_ms": round(percentile(cpu, 0.5), 3),
        "cpu_p95_ms": round(percentile(cpu, 0.95), 3),
        "ratio": round(percentile(cpu, 0.5) / percentile(scan_cpu, 0.5), 2),
    }


def _spent(action: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds on the clock, and of them the processor's for this thread."""
    wall, cpu = perf_counter(), thread_time()
    action()
    return (perf_counter() - wall) * 1000, (thread_time() - cpu) * 1000


def warm(sizes: tuple[int, ...] = (1_000, 10_000, 100_000)) -> dict:
    """Full recall against a scan of the same number of vectors, turn about in one loop."""
    out = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as directory, house(directory) as (opened, embedder):
            space = opened.space("warm", profile="assistant")
            for start in range(0, size, 10_000):
                space.remember_many(drafts(min(10_000, size - start), start))
            turn = iter(queries(embedder))
            recall = lambda space=space, turn=turn: space.recall(next(turn), limit=10)
            out[f"{size}"] = in_turn(scan(size), recall)
    return out


def arm(sizes: tuple[int, ...] = (10_000, 100_000)) -> dict:
    """The vector arm alone, under the filter of every recall, against the same scan, turn about."""
    out, asked = {}, vectors(np.random.default_rng(8), 1)
    for size in sizes:
        with tempfile.TemporaryDirectory() as directory, house(directory) as (opened, _):
            space, plain = opened.space("arm", profile="assistant"), scan(size)
            for start in range(0, size, 10_000):
                space.remember_many(drafts(min(10_000, size - start), start))
            image = space._scope.image()  # noqa: SLF001 (no public verb asks one arm)
            out[f"{size}"] = in_turn(plain, lambda image=image: image.nearest(asked, 10))
    return out


def crowd(spaces: int = 1_000, size: int = 1_000) -> dict:
    """A space of 10,000 alone, and the same when many others are in use."""
    with tempfile.TemporaryDirectory() as directory, house(directory) as (opened, embedder):
        mine = opened.space("mine", profile="assistant")
        mine.remember_many(drafts(10_000, 3))
        texts = queries(embedder)
        mine.recall(texts[0])
        turn = iter(texts * 100)
        alone = p50(lambda: mine.recall(next(turn)), 100)
        others = [opened.space(f"other-{i}", profile="assistant") for i in range(spaces)]
        said = drafts(size, 4)
        for other in others:
            other.remember_many(said)
            other.recall(next(turn))
        together = []
        for other in random.Random(5).choices(others, k=200):
            other.recall(next(turn))
            together.append(p50(lambda: mine.recall(next(turn)), 1))
        among = percentile(together, 0.5)
    return {
        "spaces": spaces,
        "alone_ms": round(alone, 3),
        "among_ms": round(among, 3),
        "ratio": round(among / alone, 2),
    }


def cold(size: int = 10_000) -> dict:
    """The first recall after opening, against reading the space's file: from the disk, and once more where
    the system still holds the file in memory.
    """
    with tempfile.TemporaryDirectory() as directory:
        with house(directory) as (opened, _):
            opened.space("cold", profile="assistant").remember_many(drafts(size, 6))
        file = max(Path(directory).rglob("*.db"), key=lambda path: path.stat().st_size)
        forgotten = {"disk": lambda: forget_files(directory), "cached": lambda: None}
        return {name: first_recalls(directory, file, forget) for name, forget in forgotten.items()}


def first_recalls(directory: str, file: Path, forget: Callable[[], object], times: int = 7) -> dict:
    ratios, reads, firsts = [], [], []
    for _ in range(times):
        forget()
        reads.append(p50(file.read_bytes, 1))
        with house(directory) as (opened, embedder):
            text = queries(embedder, 1)[0]
            space = opened.space("cold")
            forget()
            firsts.append(p50(lambda space=space, text=text: space.recall(text), 1))
        ratios.append(firsts[-1] / reads[-1])
    return {
        "file_mib": round(file.stat().st_size / 2**20, 1),
        "read_ms": round(percentile(reads, 0.5), 2),
        "first_recall_ms": round(percentile(firsts, 0.5), 2),
        "ratio": round(percentile(ratios, 0.5), 2),
    }


def forget_files(directory: str) -> None:
    """Has the system drop what it holds of these files."""
    for file in Path(directory).rglob("*.db*"):
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def durable(times: int = 300) -> dict:
    """One remember, committed with synchronous=FULL, against a bare SQLite commit of as many bytes."""
    with tempfile.TemporaryDirectory() as directory:
        bare = apsw.Connection(f"{directory}/bare.db")
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "CREATE TABLE t(a BLOB)"):
            bare.execute(statement).fetchall()
        with house(directory + "/memory") as (opened, _):
            space = opened.space("one", profile="assistant")
            space.remember_many(drafts(1_000, 10, "fact"))
            said = iter(drafts(times, 11, "fact"))
            payload = b"x" * 4_000  # a row with its vector, its version and its ledger entry
            commits, writes = [], []
            for _ in range(times):
                commits.append(p50(lambda: bare.execute("INSERT INTO t VALUES(?)", (payload,)), 1))
                writes.append(p50(lambda: space.remember(**next(said)), 1))
    base, mine = percentile(commits, 0.5), percentile(writes, 0.5)
    return {"commit_ms": round(base, 3), "remember_ms": round(mine, 3), "ratio": round(mine / base, 2)}


def imports(times: int = 15) -> dict:
    """`import holdfast` against a Python that does nothing."""

    def started(code: str) -> float:
        start = perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return (perf_counter() - start) * 1000

    nothing = percentile([started("pass") for _ in range(times)], 0.5)
    mine = percentile([started("import holdfast") for _ in range(times)], 0.5)
    return {"pass_ms": round(nothing, 1), "import_ms": round(mine, 1), "ratio": round(mine / nothing, 2)}


MEASURES: dict[str, Callable[[], dict]] = {
    "import": imports,
    "durable": durable,
    "cold": cold,
    "warm": warm,
    "arm": arm,
    "crowd": crowd,
}

# The highest ratios that were set as bars, by size where there are several.
BARS = {
    "import": {"": 3.0},
    "durable": {"": 5.0},
    "cold": {"disk": 3.0},
    "warm": {"10000": 6.0, "100000": 2.5},
    "arm": {"10000": 1.2, "100000": 1.2},
    "crowd": {"": 1.2},
}


if __name__ == "__main__":
    asking = argparse.ArgumentParser()
    asking.add_argument("names", nargs="*", default=list(MEASURES))
    asking.add_argument("--spaces", type=int, default=1_000, help="of the crowd; 1,000 take 4 GB")
    options = asking.parse_args()
    for name in options.names:
        measured = crowd(options.spaces) if name == "crowd" else MEASURES[name]()
        print(json.dumps({name: measured}), flush=True)
