"""What a cosine means: fitted from labelled pairs, read from a file, the same scale on every embedder."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.adapters.embed import calibration
from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.adapters.embed.use import NAME, UseEmbedder
from holdfast.errors import InvalidInput
from holdfast.ports.embedder import IDENTITY, Calibration


def test_the_default_embedders_levels_mean_what_they_should_on_pairs_left_out_of_the_fit():
    found = calibration.fitted(UseEmbedder(), calibration.shipped_pairs())
    medians = {level: row["median"] for level, row in found.levels.items()}
    for level, median in medians.items():
        assert median == pytest.approx(float(level), abs=0.12)
    assert list(medians.values()) == sorted(medians.values())
    assert found.told_apart["0.60"] >= 0.9
    assert found.told_apart["0.75"] >= 0.85
    assert found.told_apart["0.85"] >= 0.7


def test_the_shipped_map_is_the_one_that_the_shipped_pairs_give():
    found = calibration.fitted(UseEmbedder(), calibration.shipped_pairs())
    mine = np.array(calibration.shipped()[NAME].knots)
    assert np.allclose(mine, np.array(found.calibration.knots), atol=0.01)


def test_the_pairs_are_of_three_scripts_and_every_level():
    pairs = calibration.shipped_pairs()
    for language in ("zh-Hans", "zh-Hant", "en"):
        levels = {level for level, of, _, _ in pairs if of == language}
        assert levels == {0.05, 0.35, 0.65, 0.8, 0.95}


def test_a_fit_rises_whatever_the_pairs_say():
    chance = np.random.default_rng(3)
    scale = calibration.fit(chance.uniform(-0.2, 1, 60), chance.choice([0.05, 0.65, 0.95], 60))
    levels = [scale.similarity(raw) for raw in np.linspace(-1, 1, 101).tolist()]
    assert levels == sorted(levels)
    assert levels[-1] == 1.0


def test_a_map_is_written_and_read_beside_others(tmp_path):
    path = tmp_path / "maps.toml"
    for size in (32, 64):
        calibration.write(path, calibration.fitted(HashingEmbedder(size), calibration.shipped_pairs()))
    assert calibration.chosen("hashing/32", str(path)) != calibration.chosen("hashing/64", str(path))
    with pytest.raises(InvalidInput, match="hashing/16"):
        calibration.chosen("hashing/16", str(path))


def test_an_embedder_without_a_map_is_taken_as_it_is():
    assert calibration.chosen("somebody/8") is IDENTITY


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "[a]\nknots = 3",
        "[a]\nknots = [[-1, 0], [0.5, 0.9], [0.4, 1.0], [1, 1]]",
        "[a]\nknots = [[-1, 0], [0.4, 0.9], [0.5, 0.8], [1, 1]]",
        "[a]\nknots = [[0, 0], [1, 1]]",
        "",
    ],
)
def test_a_file_that_holds_no_map_is_named_with_the_way_out(tmp_path, text):
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        calibration.chosen("a", str(path))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InvalidInput, match=r"settings\.embedder\.calibration"):
        calibration.chosen("a", str(tmp_path / "none.toml"))
    with pytest.raises(InvalidInput, match="pairs"):
        calibration.pairs_in(tmp_path / "none.tsv")


def test_too_few_pairs_say_nothing():
    with pytest.raises(InvalidInput, match="at least"):
        calibration.pairs_of("0.95\ten\ta\tb")


def test_between_two_knots_it_is_a_straight_line():
    scale = Calibration(((-1.0, 0.0), (0.0, 0.2), (1.0, 1.0)))
    assert [scale.similarity(raw) for raw in (-2.0, -0.5, 0.5, 2.0)] == pytest.approx([0.0, 0.1, 0.6, 1.0])
