"""What a round of the steward costs over many spaces, and what recall feels of it meanwhile.

`python -m bench steward [--crowd SPACES]`: spaces of 1,000 memories each, of all ages up to a year. The first
round finds all that a year left undone, the second what one more day brought.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from bench.cost import Random, sentence, vectors
from holdfast import Holdfast, Settings
from holdfast.bench.scores import percentile
from holdfast.model.memory import Memory
from holdfast.recall.indexing import indexed
from holdfast.settings import EmbedderSettings
from holdfast.wire import Own

if TYPE_CHECKING:
    from holdfast.model.space import SpaceRecord

SIZE = 1_000
NOW = datetime(2026, 11, 1, 3, 30, tzinfo=UTC)
KINDS = ("fact", "event", "preference", "relation", "note", "temporary", "place", "skill")
QUIET_SECONDS = 10.0
ASKED = 20  # spaces that somebody asks meanwhile
MIB = 2**20


def house(place: str) -> Holdfast:
    return Holdfast(
        place,
        Own(settings=Settings(embedder=EmbedderSettings(name="hashing"), image_mib=256), embedder=Random()),
    )


def filled(place: str, spaces: int) -> None:
    """One space is made, the others are of its pieces."""
    dice = random.Random(3)
    with house(place) as hf:
        me = hf.space("space-0", profile="assistant")
        scope = me._scope  # noqa: SLF001
        memories = [_memory(scope.space, scope.clock.new_id(), dice) for _ in range(SIZE)]
        rows = vectors(scope.embedder.dice, SIZE)
        index = tuple(indexed(memory, row.tobytes()) for memory, row in zip(memories, rows, strict=True))
        plan = scope.plan("fill", NOW - timedelta(days=366))
        scope.store.apply(replace(plan, puts=tuple(memories), indexed=index, embedder=scope.embedder.name))
        record, pieces = scope.store.record, list(scope.store.dump())
        store = hf._parts.store  # noqa: SLF001
        for number in range(1, spaces):
            store.load(_named(record, number, scope.clock.new_id()), iter(pieces))


def _named(record: SpaceRecord, number: int, id: str) -> SpaceRecord:
    return replace(record, id=id, name=f"space-{number}", origin=record.lineage)


def _memory(space: str, id: str, dice: random.Random) -> Memory:
    said = NOW - timedelta(days=dice.uniform(0, 365))
    words = sentence(dice) if dice.random() < 0.9 else " ".join(sentence(dice) for _ in range(6))
    return Memory(
        id=id, space=space, content=words, kind=dice.choice(KINDS), created_at=said, updated_at=said,
        last_activated_at=said, source="owner", author="owner:local",
    )  # fmt: skip


def asked(place: str, seconds: float, until, told) -> None:
    """Recalls of some spaces in turn; tells the p95 in ms of a quiet time, and of that until the sign."""
    with house(place) as hf:
        spaces = [hf.space(f"space-{number}") for number in range(min(ASKED, len(hf.spaces())))]
        embedder = spaces[0]._scope.embedder  # noqa: SLF001
        dice = random.Random(5)
        texts = [sentence(dice) for _ in range(50)]
        embedder.embed(texts)
        for space in spaces:
            space.recall(texts[0])
        quiet = _asking(spaces, texts, lambda start: perf_counter() - start > seconds)
        told.put(quiet)
        told.put(_asking(spaces, texts, lambda _: until.is_set()))


def _asking(spaces, texts, over) -> float:
    times, start, count = [], perf_counter(), 0
    while not over(start):
        began = perf_counter()
        spaces[count % len(spaces)].recall(texts[count % len(texts)])
        times.append((perf_counter() - began) * 1000)
        count += 1
    return percentile(times, 0.95)


def round_of(place: str, at: datetime) -> dict:
    """One round over all spaces."""
    with house(place) as hf:
        start, cpu, done, spaces = perf_counter(), process_time(), 0, 0
        for one in hf.steward.run(at=at):
            done, spaces = done + len(one.steps), spaces + 1
        seconds, cpu = perf_counter() - start, process_time() - cpu
    told = {"seconds": round(seconds, 1), "cpu_seconds": round(cpu, 1), "steps": done, "spaces": spaces}
    return {**told, "cpu_ms_a_space": round(cpu / spaces * 1000, 1)}


def measure(spaces: int) -> dict:
    """Fills a house, tends it twice, asks it meanwhile."""
    with tempfile.TemporaryDirectory() as place:
        began = perf_counter()
        _apart(filled, place, spaces)
        told = {
            "memories": spaces * SIZE,
            "spaces": spaces,
            "filled_seconds": round(perf_counter() - began, 1),
        }
        context = multiprocessing.get_context("spawn")
        until, heard = context.Event(), context.Queue()
        asking = context.Process(target=asked, args=(place, QUIET_SECONDS, until, heard))
        asking.start()
        quiet = heard.get(timeout=600)
        first = round_of(place, NOW)
        until.set()
        during = heard.get(timeout=600)
        asking.join()
        second = round_of(place, NOW + timedelta(days=1))
        size = sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file())
    told |= {"first": first, "next_day": second, "house_mib": round(size / MIB, 1)}
    told |= {"peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)}
    told |= {"recall_p95_quiet_ms": round(quiet, 2), "recall_p95_during_ms": round(during, 2)}
    return told | {"ratio": round(during / quiet, 2)}


def _apart(function, *arguments) -> None:
    """In a process of its own, whose memory does not count."""
    process = multiprocessing.get_context("spawn").Process(target=function, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == 0


def main() -> None:
    asking = argparse.ArgumentParser(prog="python -m bench.steward", description=__doc__)
    asking.add_argument("--spaces", type=int, default=1000)
    json.dump(measure(asking.parse_args().spaces), sys.stdout)


if __name__ == "__main__":
    main()
