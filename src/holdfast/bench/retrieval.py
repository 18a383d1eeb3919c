"""`holdfast bench retrieval`: stores a file through the public verbs, asks its questions, scores the answers.

Each case gets a space of its own in a throw-away directory. The embedder's own time is measured apart.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from holdfast.bench.scores import mean, percentile, score
from holdfast.engine import Holdfast
from holdfast.wire import Own, assemble

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.bench.data import Case
    from holdfast.ports.embedder import Calibration, Embedder
    from holdfast.space import Space

BATCH = 10_000  # items to a write
ASKED = 20  # results asked for: the deepest cut that is reported


class Timed:
    """An embedder that counts the seconds spent in it."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def calibration(self) -> Calibration:
        return self._inner.calibration

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        start = perf_counter()
        try:
            return self._inner.embed(texts)
        finally:
            self.seconds += perf_counter() - start


@dataclass(slots=True)
class _Run:
    rows: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    stored: int = 0
    storing: float = 0.0
    embedding: float = 0.0


def measure(
    cases: Sequence[Case], *, profile: str | None = None, tick: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Scores over all queries and by group, latencies in milliseconds, memory. `tick` is called per case."""
    run = _Run()
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as directory:
        embedder = Timed(assemble(directory, Own()).embedder)
        embedder.embed(["loading the model is not what is measured"])
        with Holdfast(directory, Own(embedder=embedder)) as house:
            for case in cases:
                _case(
                    house.space(case.name, profile=profile or case.profile), case, embedder=embedder, run=run
                )
                tick(case.name)
    return _report(run, embedder.name)


def _case(space: Space, case: Case, *, embedder: Timed, run: _Run) -> None:
    for entry in case.constitution:
        change = space.constitution.propose(entry)
        token = change.token
        for _ in range(space.profile.constitution.confirmations):
            token = change.confirm(token)
    embedder.seconds, start = 0.0, perf_counter()
    fields = [fields for _, fields in case.items]
    outcomes = [
        outcome
        for place in range(0, len(fields), BATCH)
        for outcome in space.remember_many(fields[place : place + BATCH])
    ]
    run.storing += perf_counter() - start - embedder.seconds
    run.embedding += embedder.seconds
    run.stored += len(outcomes)
    keys_of: dict[str, list[str]] = {}
    for (key, _), outcome in zip(case.items, outcomes, strict=True):
        if outcome.memory is not None:
            keys_of.setdefault(outcome.memory.id, []).append(key)
    for query in case.queries:
        embedder.seconds, start = 0.0, perf_counter()
        answer = space.recall(query.text, limit=ASKED, at=query.at)
        took = perf_counter() - start
        found = [keys_of.get(hit.memory.id, []) for hit in answer.hits if not hit.hot]
        run.rows.append((query.group, score(found, query.expect)))
        run.whole.append(took * 1000)
        run.bare.append((took - embedder.seconds) * 1000)


def _report(run: _Run, embedder: str) -> dict[str, Any]:
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    for group, row in run.rows:
        groups[group].append(row)
    return {
        "overall": mean(row for _, row in run.rows),
        "groups": {name: mean(rows) for name, rows in sorted(groups.items())},
        "latency_ms": {
            "p50": round(percentile(run.whole, 0.5), 3),
            "p95": round(percentile(run.whole, 0.95), 3),
            "p50_without_embedder": round(percentile(run.bare, 0.5), 3),
            "p95_without_embedder": round(percentile(run.bare, 0.95), 3),
        },
        "stored": run.stored,
        "stored_per_second": round(run.stored / run.storing) if run.storing else 0,
        "embedded_per_second": round(run.stored / run.embedding) if run.embedding else 0,
        "peak_mib": round(_peak_bytes() / 2**20),
        "embedder": embedder,
    }


def _peak_bytes() -> int:
    # Linux counts in kilobytes, macOS in bytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
