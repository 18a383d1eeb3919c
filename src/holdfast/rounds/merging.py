"""Finding what says the same (E9): neighbours in the image, each compared with its base by the judge.

What is merged is decided by `steward.merge`; a batch of which anything changed meanwhile is left for the next
round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.ports.judge import Relation
from holdfast.recall import record
from holdfast.recall.nearest import raw_from, similarities
from holdfast.rounds import due
from holdfast.rounds.carry import carried
from holdfast.rounds.held import Held, kinds_of
from holdfast.steward import merge
from holdfast.steward.merge import Alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from holdfast.model.memory import Memory
    from holdfast.recall.frame import Frame
    from holdfast.rounds.carry import Turn
    from holdfast.scope import Scope
    from holdfast.steward.steps import Step

SAME = frozenset({Relation.DUPLICATE, Relation.REFINES})
BATCH_MOST = 50  # one summary of more says nothing any more; the rest is the next round's
BLOCK = 256  # bases compared at once: 20,000 rows by 256 are 20 MB
WHOLE = 20_000  # rows up to which every base is compared: their cosines take some ten seconds
LATELY_DAYS = 35.0  # beyond, those activated since the round before, and a missed one


def merges(
    scope: Scope, at: datetime, get: Callable[[Sequence[str]], Mapping[str, Memory]]
) -> Iterator[Step]:
    """A step for each batch; the judge is asked on the way. What the judge keeps apart from one base may be
    the same as the next.
    """
    merged: set[str] = set()
    for base, others in _near(scope, at):
        near = [(id, likeness) for id, likeness in others if id not in merged and id != base][:BATCH_MOST]
        if base in merged or len(near) + 1 < scope.profile.compress.batch:
            continue
        group = _judged(scope, base, near, memories=get([base, *(id for id, _ in near)]))
        if group is None:
            continue
        summary = scope.judge.summarise(
            [memory.content for memory in group.all], scope.profile.compress.summary_chars
        )
        step = merge.merged(group, summary, scope.profile, id=scope.clock.new_id(), at=at)
        if step is not None:
            merged |= {memory.id for memory in group.all}
            yield step


def merge_all(turn: Turn, keep: Callable[[], None]) -> Iterator[tuple[Sequence[Step], str]]:
    """Each batch a change of its own, so that it can be undone alone."""
    for step in merges(turn.scope, turn.at, turn.scope.store.get):
        versions = {memory.id: memory.version for memory in step.puts[1:]}

        def unchanged(
            now: Mapping[str, Memory], step: Step = step, versions: Mapping[str, int] = versions
        ) -> list[Step]:
            same = all(id in now and now[id].version == version for id, version in versions.items())
            return [step] if same else []

        keep()
        yield carried(turn, merge.RULE, list(versions), decide=unchanged)


def _near(scope: Scope, at: datetime) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Bases, the one activated last first, each with what lies near it as the vectors tell."""
    image = scope.image()
    frame = image.frame
    rows = np.flatnonzero(_candidates(scope, frame, at))
    rows = rows[frame.columns.has_vector[rows]]
    if len(rows) < scope.profile.compress.batch:
        return
    activated = frame.packed(rows)["activated"]
    order = np.argsort(-activated, kind="stable")
    bases = rows[order]
    if len(rows) > WHOLE:
        bases = bases[activated[order] >= record.seconds(at) - LATELY_DAYS * 86_400.0]
    yield from _neighbours(scope, frame, rows, bases=bases)


def _candidates(scope: Scope, frame: Frame, at: datetime) -> NDArray[np.bool_]:
    there = np.flatnonzero(frame.flags)
    records = frame.packed(there)
    nothing = np.zeros(len(there))
    columns = Held(frame.ids, records, kinds_of(records, scope.profile), nothing.astype(np.int64), nothing)
    mask = np.zeros(frame.rows, np.bool_)
    mask[there[due.mergeable(columns, record.seconds(at), scope.profile)]] = True
    return mask


def _neighbours(
    scope: Scope, frame: Frame, rows: NDArray[np.intp], *, bases: NDArray[np.intp]
) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Each base with the rows that are near enough, nearest first."""
    calibration = scope.embedder.calibration
    cosine = raw_from(calibration, scope.profile.reconcile.merge)
    vectors = np.ascontiguousarray(frame.columns.vectors[rows])
    for start in range(0, len(bases), BLOCK):
        block = bases[start : start + BLOCK]
        raw = frame.columns.vectors[block] @ vectors.T
        near = raw >= cosine
        for one in np.flatnonzero(near.sum(axis=1) >= scope.profile.compress.batch).tolist():
            places = np.flatnonzero(near[one])
            likeness = similarities(calibration, raw[one][places])
            order = np.argsort(-likeness, kind="stable")
            ids = [frame.ids[row] for row in rows[places[order]].tolist()]
            yield frame.ids[int(block[one])], list(zip(ids, likeness[order].tolist(), strict=True))


def _judged(
    scope: Scope, first: str, near: Sequence[tuple[str, float]], *, memories: Mapping[str, Memory]
) -> Alike | None:
    """The batch of what the judge calls the same as the base, or finer; as on the way in, one that is unsure
    counts where the words are as near as the same slot said again (A3).
    """
    profile = scope.profile
    base = memories.get(first)
    if base is None or not merge.mergeable(base, profile):
        return None
    others = []
    for id, likeness in near:
        memory = memories.get(id)
        if memory is None or not merge.mergeable(memory, profile):
            continue
        old, new = sorted((base, memory), key=lambda one: (one.created_at, one.id))
        told = scope.judge.relation(old.content, new.content, likeness)
        sure = told.confidence >= profile.reconcile.judge_confidence or likeness >= profile.reconcile.same
        if told.label in SAME and sure:
            others.append((memory, likeness))
    group = Alike(base=base, others=tuple(others))
    return group if merge.enough(group, profile) else None
