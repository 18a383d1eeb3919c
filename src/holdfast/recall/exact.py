"""Layer 1 of M11: names, places, drugs and identifiers that the question says exactly, found by their keys.
Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from holdfast.recall import record
from holdfast.recall.fold import fold, is_han

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from holdfast.recall.frame import Frame

# Names are short: of a longer question only the beginning is searched for them, and no run longer than these.
_CHARS, _WORDS, _HAN = 200, 4, 8
_RUN = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff,;:!?()\"'，。；：！？（）、“”‘’《》]+")


def exactly_named(frame: Frame, query: str) -> NDArray[np.intp]:
    """The rows whose entity value stands in the question, word for word (folded), ascending."""
    if not frame.value.any():
        return np.empty(0, np.intp)
    keys = {record.name_key(name) for name in _names(query[:_CHARS])}
    return np.flatnonzero(np.isin(frame.value, np.fromiter(keys, np.uint64, len(keys))))


def _names(query: str) -> Iterator[str]:
    """Every run of words, and of Chinese characters, that could be a name."""
    runs = [run.strip(".") for run in _RUN.findall(fold(query))]
    for at, run in enumerate(runs):
        if run and is_han(run[0]):
            yield from (run[i:j] for i in range(len(run)) for j in range(i + 2, min(len(run), i + _HAN) + 1))
        yield from (" ".join(runs[at : at + size]) for size in range(1, _WORDS + 1))
