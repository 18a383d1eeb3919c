"""`holdfast reembed` and `holdfast calibrate`."""

from __future__ import annotations

import pytest

from holdfast.adapters.embed import calibration


@pytest.fixture
def filled(kept):
    return [kept(content) for content in ("我每天喝一杯龙井", "外婆搬去花蓮了", "Bram's shoulder aches")]


@pytest.mark.row("B7")
def test_a_space_goes_over_and_back_from_the_command_line(ada, filled):
    gone = ada("reembed", "--to", "hashing", "--dimensions", "64", "--json")
    assert gone.code == 0, gone.err
    assert gone.json == {
        "space": "user:ada", "embedder": "hashing/64", "before": "hashing/256", "made": 3, "dropped": 0,
    }  # fmt: skip
    assert ada("recall", "龙井", "--json").json["searched"]["embedder"] == "hashing/64"
    assert ada("reembed", "--back", "--json").json["embedder"] == "hashing/256"
    assert ada("reembed", "--drop-old", "--json").json["dropped"] == 3
    assert ada("stats", "--json").json["embedded"] == {"hashing/256": 3}


def test_all_spaces_go_over_at_once(ada, filled):
    ada("spaces", "create", "user:bo")
    ran = ada("reembed", "--all", "--to", "hashing", "--dimensions", "64")
    assert ran.code == 0
    assert [line.split()[1:3] for line in ran.out.splitlines() if "user:" in line] == [
        ["user:ada", "│"],
        ["user:bo", "│"],
    ]
    assert ran.out.count("hashing/64") == 2


@pytest.mark.parametrize(
    "options", [(), ("--model", "m"), ("--back",), ("--to", "no-such"), ("--to", "endpoint")]
)
def test_what_cannot_be_done_says_why_and_changes_nothing(ada, filled, options):
    ran = ada("reembed", *options, "--json")
    assert ran.code == 2
    assert ran.error["way_out"]
    assert ada("recall", "龙井", "--json").json["searched"]["embedder"] == "hashing/256"


def test_calibrate_fits_writes_and_says_how_well(cli, tmp_path):
    out = tmp_path / "map.toml"
    ran = cli("calibrate", "--out", str(out), "--json")
    assert ran.code == 0, ran.err
    told = ran.json
    assert told["embedder"] == "hashing/256"
    assert set(told["told_apart"]) == {"0.60", "0.75", "0.85"}
    assert set(told["levels"]) == {"0.05", "0.35", "0.65", "0.80", "0.95"}
    knots = [tuple(knot) for knot in told["calibration"]["knots"]]
    assert calibration.chosen("hashing/256", str(out)).knots == tuple(knots)
    shown = cli("calibrate", "--to", "hashing", "--dimensions", "64", "--out", str(out)).out
    assert "raw cosine" in shown
    assert "told apart" in shown
    assert calibration.chosen("hashing/256", str(out)).knots == tuple(knots)


def test_calibrate_takes_pairs_of_ones_own(cli, tmp_path):
    pairs = tmp_path / "pairs.tsv"
    lines = [f"{level}\ten\tthe {w} is new\tthe {w} is {end}" for w in "abcdefghij" for level, end in
             ((0.95, "new"), (0.35, "old and far away"))]  # fmt: skip
    pairs.write_text("\n".join(lines), encoding="utf-8")
    assert cli("calibrate", "--pairs", str(pairs), "--json").json["pairs"] == 40
    pairs.write_text("one\tline", encoding="utf-8")
    ran = cli("calibrate", "--pairs", str(pairs), "--json")
    assert (ran.code, ran.error["field"]) == (2, "pairs line 1")
