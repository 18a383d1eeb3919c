"""What stands beside the truth: how fast it is fed, what it takes, and what a dying server costs.

`python -m bench beside`, or `python -m bench.beside [outbox] [outage] [--operations 20000] [--truth
postgresql]`: real servers, started here and gone afterwards. Vectors are made up; embedding and judging are
part of no figure.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Self

from bench.cost import Random, Silent, drafts, p50, sentence
from holdfast import Holdfast, Settings
from holdfast.errors import Unavailable
from holdfast.settings import IndexSettings, WorkingSettings
from holdfast.testing.servers.qdrant import QdrantServer
from holdfast.testing.servers.redis import RedisServer
from holdfast.wire import Own

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.testing.servers.process import Server

SPACES = 4
AWAY = 4
"""Operations that the truth's server is away for: each waits for it in vain for some seconds."""
BARS = {"outbox": {"fed_per_second": 2000}, "outage": {"lost": 0, "strangers": 0, "drift": 0}}


class Beside:
    """A house with both servers beside it. The truth is a directory, a server of its own for `postgresql`, or
    the database that is named.
    """

    def __init__(self, truth: str, *, above: int) -> None:
        self._stack = ExitStack()
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        self.qdrant = self._stack.enter_context(QdrantServer())
        self.redis = self._stack.enter_context(RedisServer())
        self.servers: list[Server] = [self.qdrant, self.redis]
        if truth == "postgresql":
            from holdfast.testing.servers.postgres import PostgresServer

            self.servers.append(self._stack.enter_context(PostgresServer()))
            truth = self.servers[-1].fresh()
        self.embedder = Random()
        index = IndexSettings(name="qdrant", url=self.qdrant.url, above=above, timeout=30, patience=30)
        working = WorkingSettings(name="redis", url=self.redis.url)
        own = Own(settings=Settings(index=index, working=working), embedder=self.embedder, judge=Silent())
        where = truth or self.directory / "house"
        self.house = self._stack.enter_context(Holdfast(where, own))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self._stack.__exit__(*told)


def size_of(directory: Path) -> int:
    """Bytes on the disk, holes not counted."""
    return sum(path.stat().st_blocks * 512 for path in directory.rglob("*") if path.is_file())


def outbox(truth: str, count: int = 10_000) -> dict:
    """Memories in one space, written first and fed then; bytes a memory; a recall through the index."""
    with Beside(truth, above=0) as beside:
        me = beside.house.space("crowd", profile="assistant")
        told = drafts(count, 1)
        start = perf_counter()
        for first in range(0, count, 1000):
            me.remember_many(told[first : first + 1000])
        written = perf_counter() - start
        empty = size_of(beside.qdrant.directory)
        start = perf_counter()
        beside.house.work()
        fed = perf_counter() - start
        assert me.stats().behind == {"qdrant": 0}
        questions = iter([sentence(random.Random(seed)) for seed in range(200)])
        me.recall(next(questions))
        through = p50(lambda: me.recall(next(questions)), 100)
        one = iter(drafts(200, 2))
        single = p50(lambda: me.remember(**_said(next(one))), 100)
        start = perf_counter()
        assert beside.house.doctor() != [None]
        checked = perf_counter() - start
        return {
            "memories": count,
            "written_per_second": round(count / written),
            "fed_per_second": round(count / fed),
            "truth_bytes": round(size_of(beside.directory) / count),
            "index_bytes": round((size_of(beside.qdrant.directory) - empty) / count),
            "recall_through_index_ms": round(through, 2),
            "remember_ms": round(single, 2),
            "doctor_s": round(checked, 2),
        }


def _said(draft: dict) -> dict:
    return {key: value for key, value in draft.items() if key != "vector"}


def outage(truth: str, operations: int = 20_000) -> dict:
    """A mixed load from two threads while a worker feeds; each server is killed twice and started again."""
    with Beside(truth, above=100) as beside:
        spaces = [beside.house.space(f"space {number}", profile="team") for number in range(SPACES)]
        done, ended = Tally(spaces, operations), threading.Event()
        worker = threading.Thread(target=_work, args=(beside.house, ended))
        loads = [threading.Thread(target=done.run, args=(seed,)) for seed in range(2)]
        for thread in (worker, *loads):
            thread.start()
        turns = len(beside.servers) * 2
        step = operations // (turns + 2)
        for turn, server in enumerate(beside.servers * 2, 1):
            _until(lambda turn=turn: done.count >= step * turn, loads)
            server.kill()
            away = step // 2 if server in (beside.qdrant, beside.redis) else AWAY
            _until(lambda turn=turn, away=away: done.count >= step * turn + away, loads)
            server.start()
        for thread in loads:
            thread.join()
        ended.set()
        worker.join()
        return {"operations": done.count, **done.told(), **_settled(beside.house, done)}


def _settled(house: Holdfast, done: Tally) -> dict:
    """What is lost or wrong when all has come to rest."""
    threading.Event().wait(11)  # what was put back while a server was away is due again
    for _ in range(5):
        house.work()
    lost = 0
    for me in done.spaces:
        ids = done.kept[me.name]
        lost += sum(me.get(id).id != id for id in ids)
        assert me.verify().ok
    return {"kept": sum(map(len, done.kept.values())), "lost": lost, "drift": len(house.doctor())}


class Tally:
    """What was done and acknowledged, and every answer that was not as it should be."""

    def __init__(self, spaces: list, operations: int) -> None:
        self.spaces, self.left = spaces, operations
        self.kept: dict[str, list[str]] = {me.name: [] for me in spaces}
        self.count = self.strangers = self.degraded = self.recalls = 0
        self.errors: dict[str, int] = {}
        self._lock = threading.Lock()

    def run(self, seed: int) -> None:
        dice = random.Random(seed)
        while self._next():
            me = dice.choice(self.spaces)
            try:
                self.operation(me, dice)
            except Exception as error:
                with self._lock:
                    told = f"{type(error).__name__}: {error}"[:120]
                    self.errors[told] = self.errors.get(told, 0) + 1

    def operation(self, me, dice: random.Random) -> None:
        drawn, known = dice.random(), self.kept[me.name]
        if drawn < 0.5 or not known:
            layer = "session" if dice.random() < 0.3 else "fact"
            text = f"{me.name} knows: {sentence(dice)} {sentence(dice)} {dice.random()}"
            outcome = me.remember(text, layer=layer, confidence=0.9)
            if outcome.memory is not None:
                known.append(outcome.memory.id)
        elif drawn < 0.9:
            answer = me.recall(sentence(dice), limit=5)
            with self._lock:
                self.recalls += 1
                self.degraded += bool(answer.degraded)
                self.strangers += sum(
                    hit.memory.space != me.name or not hit.memory.content.startswith(me.name)
                    for hit in answer.hits
                )
        else:
            me.affirm(dice.choice(known))

    def told(self) -> dict:
        names = ("recalls", "degraded", "strangers")
        return {**{name: getattr(self, name) for name in names}, "errors": self.errors}

    def _next(self) -> bool:
        with self._lock:
            self.count += self.left > 0
            self.left -= 1
            return self.left >= 0


def _work(house: Holdfast, ended: threading.Event) -> None:
    while not ended.wait(0.2):
        with suppress(Unavailable):  # the truth itself is away
            house.work()


def _until(reached: Callable[[], bool], loads: list[threading.Thread]) -> None:
    while not reached() and any(thread.is_alive() for thread in loads):
        threading.Event().wait(0.02)


MEASURES = {"outbox": outbox, "outage": outage}


def main() -> None:
    asking = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    asking.add_argument("parts", nargs="*", default=[])
    asking.add_argument("--operations", type=int, default=20_000)
    asking.add_argument("--truth", default="", help="postgresql, or an address; unsaid, a directory")
    options = asking.parse_args()
    for name in options.parts or MEASURES:
        more = {"operations": options.operations} if name == "outage" else {}
        measured = MEASURES[name](options.truth, **more)
        print(json.dumps({name: {"measured": measured, "bars": BARS[name]}}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
