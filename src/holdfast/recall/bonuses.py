"""What is added to the candidates of a question once the arms have found them: cheap, and only for some
rows.

Who spoke, when, of which kind and layer, the best of the session, and the rare words shared with the best
candidate. Pure numpy; each answer has one entry a candidate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall.arms import rarity

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.recall.blend import Blend
    from holdfast.recall.columns import Columns
    from holdfast.recall.intent import Clause

# Layers of dated summaries: what happened lately stands there (M11 layer 3, C2).
RECOUNTED = ("session", "episode")
TALK = "episode"
TALKS = 3
"""So many of the newest lead where the last talk is asked for: a long one is told in several (C2)."""
# A time that is named reaches a day beyond its ends, a long one a quarter of its length; what lies so far
# away that less than this is left of it is not meant.
DAY, QUARTER, FAR = 86400.0, 0.25, 0.05


def bonuses(
    columns: Columns, clause: Clause, blend: Blend, *, rows: NDArray[np.int64]
) -> dict[str, NDArray[np.float32]]:
    """Speaker, time, kind, layer, form and length. What every row has alike tells nothing, and adds
    nothing.
    """
    named = np.array([name in clause.speakers for name in columns.speakers] + [False], np.float32)
    kinds = np.array([clause.kinds.get(name, 0.0) for name in columns.kinds] + [0.0], np.float32)
    told = np.array([name in RECOUNTED for name in columns.layers] + [False], np.float32)
    toward = blend.recounted if clause.recounts else -blend.unasked
    return {
        "speaker": np.float32(blend.speaker) * named.take(columns.speaker[rows]),  # -1 takes the last: nobody
        "time": np.float32(blend.time) * _telling(timeliness(columns, clause, rows)),
        "kind": np.float32(blend.kind) * _telling(kinds.take(columns.kind[rows])),
        "layer": np.float32(toward) * _telling(told.take(columns.layer[rows])),
        "asks": np.float32(-blend.asks) * columns.asks[rows],
        "length": np.float32(blend.length) * np.log(np.maximum(columns.lengths[rows], 1)),
    }


def _telling(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return values if len(values) and np.ptp(values) > 0 else np.zeros_like(values)


def timeliness(columns: Columns, clause: Clause, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """1 within a time that the clause names, falling with the distance from it, the slower the longer it
    is.
    """
    near = np.zeros(len(rows), np.float32)
    at = columns.at[rows]
    for span in clause.spans:
        start, end = span.start.timestamp(), span.end.timestamp()
        away = np.maximum(np.maximum(start - at, at - end), 0)
        near = np.maximum(near, np.exp(-away / max(DAY, QUARTER * (end - start))).astype(np.float32))
    near[near < FAR] = 0
    return near


def last_talks(columns: Columns, allowed: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """The rows of the newest episodes, newest first; of equal ones the last written."""
    told = columns.layer == [*columns.layers, TALK].index(TALK)
    rows = np.flatnonzero(told if allowed is None else told & allowed)
    return rows[np.lexsort((-rows, -columns.at[rows]))[:TALKS]]


def best_of_session(
    columns: Columns, rows: NDArray[np.int64], found: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The best score of each row's session: the rest of it is about the same. 0 outside sessions."""
    session = columns.session[rows]
    best = np.full(int(session.max(initial=-1)) + 2, -np.inf, np.float32)
    np.maximum.at(best, session, found)
    best[-1] = 0
    return np.asarray(best.take(session))


def feedback(
    columns: Columns, clause: Clause, rows: NDArray[np.int64], *, total: NDArray[np.float32], terms: int
) -> NDArray[np.float32]:
    """What share each candidate has of the rare words of the best one, its own left out: from "the one of
    40" to his name, and on to his job.
    """
    if not len(rows):
        return np.zeros(0, np.float32)
    best, settled = int(np.argmax(total)), columns.postings
    held = columns.terms_of(int(rows[best])).tolist()
    new = np.array([term for term in held if term not in clause.words], np.uint32)
    low, high = np.searchsorted(settled.terms, new, "left"), np.searchsorted(settled.terms, new, "right")
    holding = high - low
    shared = np.flatnonzero(holding > 1)
    shared = shared[np.argsort(holding[shared], kind="stable")[:terms]]
    worth = rarity(columns.rows, holding[shared])
    holders = [settled.rows[low[number] : high[number]] for number in shared]
    worths = np.repeat(worth, holding[shared])
    dense = np.bincount(np.concatenate((*holders, shared[:0])), worths, columns.rows)
    found = dense[rows].astype(np.float32)
    found[best] = 0
    found[best] = found.max()  # it stays where it is: no row passes it for being like it
    return found / np.float32(max(float(worth.sum()), 1.0))
