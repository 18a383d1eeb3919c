"""From labelled pairs to a calibration: what an embedder's raw cosines mean (behaviour.md, Similarity).

The fit is the closest rising curve (pool adjacent violators, every level weighing alike), read off at a few
knots. Maps fitted for the shipped embedders are in `maps.toml`; others make theirs by `holdfast calibrate`.
"""

from __future__ import annotations

import itertools
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import InvalidInput
from holdfast.ports.embedder import IDENTITY, Calibration
from holdfast.recall.fold import simplified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.ports.embedder import Embedder

Pair = tuple[float, str, str, str]  # level, language, one text, another
LINES = {"0.60": 0.65, "0.75": 0.80, "0.85": 0.95}  # a threshold of behaviour.md → the lowest level above it
FOLDS = 5
KNOTS = 8  # enough for the bend between unrelated and alike; more would follow single pairs
UNRELATED = 0.05
SMALLEST = 20  # labelled pairs, below which a fit says nothing


def shipped_pairs() -> list[Pair]:
    """The pairs of the package, with as many unrelated ones."""
    return pairs_of(resources.files(__package__).joinpath("pairs.tsv").read_text(encoding="utf-8"))


def pairs_of(text: str) -> list[Pair]:
    """Pairs from tab-separated lines: level, language, text, text. InvalidInput names a wrong line."""
    pairs: list[Pair] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 4 or not parts[0].replace(".", "", 1).isdigit() or float(parts[0]) > 1:
            raise InvalidInput(
                f"pairs line {number}", "is not level, language, text, text", "use tabs; level 0 to 1"
            )
        pairs.append((float(parts[0]), parts[1], parts[2], parts[3]))
    if len(pairs) < SMALLEST:
        raise InvalidInput("pairs", f"has {len(pairs)} pairs", f"give at least {SMALLEST}")
    # 37 lines on stands another level or language, for any length that is no multiple of 37.
    far = [(UNRELATED, a[1], a[2], pairs[(place + 37) % len(pairs)][3]) for place, a in enumerate(pairs)]
    return pairs + far


def pairs_in(path: Path) -> list[Pair]:
    """The pairs of a file of one's own."""
    try:
        return pairs_of(path.expanduser().read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("pairs", f"cannot be read ({error})", "name a file in UTF-8") from None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A calibration, and what it says of pairs it was not fitted to: similarities by level, and for each
    threshold the share of pairs on the right side of it (of both sides alike).
    """

    embedder: str
    pairs: int
    calibration: Calibration
    levels: dict[str, dict[str, float]]
    told_apart: dict[str, float]


def fitted(embedder: Embedder, pairs: Sequence[Pair]) -> Fitted:
    """Fits to all pairs; judges by fits to four fifths of them, asked about the fifth left out."""
    raw = raw_cosines(embedder, pairs)
    levels = np.array([pair[0] for pair in pairs])
    held = np.empty(len(pairs))
    for fold in range(FOLDS):
        out = np.arange(len(pairs)) % FOLDS == fold
        scale = fit(raw[~out], levels[~out])
        held[out] = [scale.similarity(cosine) for cosine in raw[out]]
    return Fitted(
        embedder.name,
        len(pairs),
        fit(raw, levels),
        {f"{level:.2f}": _spread(held[levels == level]) for level in np.unique(levels)},
        {line: _told_apart(held, levels >= low - 1e-9, float(line)) for line, low in LINES.items()},
    )


def _spread(values: NDArray[np.float64]) -> dict[str, float]:
    low, middle, high = (round(float(v), 4) for v in np.quantile(values, (0.1, 0.5, 0.9)))
    return {"pairs": len(values), "median": middle, "tenth": low, "nine_tenths": high}


def _told_apart(values: NDArray[np.float64], above: NDArray[np.bool_], line: float) -> float:
    """0.5 is chance; a side without a pair counts as told apart."""
    parts = ((values[above] >= line), (values[~above] < line))
    return round(float(np.mean([part.mean() if len(part) else 1.0 for part in parts])), 4)


def raw_cosines(embedder: Embedder, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """The cosine of each pair, embedded as memories and questions are: in simplified characters."""
    left = embedder.embed([simplified(pair[2]) for pair in pairs])
    right = embedder.embed([simplified(pair[3]) for pair in pairs])
    cosines: NDArray[np.float64] = np.einsum("ij,ij->i", left, right).astype(np.float64)
    return cosines


def fit(raw: NDArray[np.float64], levels: NDArray[np.float64]) -> Calibration:
    """The rising curve closest to the levels; equal words are 1.0 whatever the pairs say."""
    order = np.argsort(raw, kind="stable")
    counts = {level: int((levels == level).sum()) for level in np.unique(levels)}
    weights = np.array([1.0 / counts[level] for level in levels[order]])
    rising = _pooled(levels[order].astype(float), weights)
    places = np.quantile(raw[order], np.linspace(0.02, 0.98, KNOTS))
    heights = np.interp(places, raw[order], rising)
    knots = [(-1.0, 0.0), *((float(p), float(h)) for p, h in zip(places, heights, strict=True)), (1.0, 1.0)]
    return Calibration(tuple(_strict(knots)))


def _pooled(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    blocks: list[list[float]] = []  # [mean, weight, length]
    for value, weight in zip(values, weights, strict=True):
        blocks.append([float(value), float(weight), 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            last = blocks.pop()
            total = blocks[-1][1] + last[1]
            blocks[-1] = [
                (blocks[-1][0] * blocks[-1][1] + last[0] * last[1]) / total,
                total,
                blocks[-1][2] + last[2],
            ]
    return np.concatenate([np.full(int(length), mean) for mean, _, length in blocks])


def _strict(knots: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    kept = [knots[0]]
    for raw, level in knots[1:]:
        if raw > kept[-1][0] + 1e-6:
            kept.append((round(raw, 4), round(max(level, kept[-1][1]), 4)))
    return kept


@cache
def shipped() -> dict[str, Calibration]:
    """The maps fitted for the embedders Holdfast names, by the embedder's name."""
    text = resources.files(__package__).joinpath("maps.toml").read_text(encoding="utf-8")
    return {name: of_table(table, name) for name, table in tomllib.loads(text).items()}


def of_table(table: object, where: str) -> Calibration:
    """A calibration from TOML: `knots = [[raw, similarity], …]`, both rising from -1 to 1."""
    knots = table.get("knots") if isinstance(table, dict) else None
    if not isinstance(knots, list) or not all(isinstance(k, list) and len(k) == 2 for k in knots):
        raise InvalidInput(f"calibration {where}", "has no knots", "make it with `holdfast calibrate`")
    pairs = tuple((float(raw), float(level)) for raw, level in knots)
    rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in itertools.pairwise(pairs))
    if not rising or pairs[0][0] != -1 or pairs[-1] != (1.0, 1.0):
        raise InvalidInput(
            f"calibration {where}", "does not rise from -1 to 1", "make it with `holdfast calibrate`"
        )
    return Calibration(pairs)


def chosen(name: str, path: str = "") -> Calibration:
    """The calibration of an embedder: the file the settings name, else the shipped one, else raw cosines."""
    if path:
        try:
            return of_table(
                tomllib.loads(Path(path).expanduser().read_text(encoding="utf-8")).get(name), name
            )
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise InvalidInput(
                "settings.embedder.calibration", f"cannot be read ({error})", "name the file"
            ) from None
    return shipped().get(name, IDENTITY)


def write(path: Path, found: Fitted) -> None:
    """Into the file that the settings name; maps of other embedders in it stay."""
    path = path.expanduser()
    try:
        known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        maps = {name: of_table(table, name) for name, table in known.items()}
        maps[found.embedder] = found.calibration
        path.write_text("".join(written(*item) for item in maps.items()), encoding="utf-8")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput("out", f"cannot be written ({error})", "name another file") from None


def written(name: str, calibration: Calibration) -> str:
    """The TOML that `chosen` reads."""
    knots = ", ".join(f"[{raw}, {level}]" for raw, level in calibration.knots)
    return f'["{name}"]\nknots = [{knots}]\n'
