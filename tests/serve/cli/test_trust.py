"""What `holdfast verify`, `doctor` and `repair` find and mend, when a file was tampered with."""

from __future__ import annotations

import apsw
import pytest


@pytest.fixture
def tamper(ada, tmp_path):
    """A space with a few changes, and a way to change its file behind the program's back."""
    for words in ("I take my coffee black", "我住在杭州", "I keep bees", "我養了一隻貓"):
        assert ada("remember", words).code == 0
    assert ada("verify").code == 0

    def change(*statements: str) -> None:
        (path,) = (tmp_path / "memory" / "spaces").glob("*.db")
        db = apsw.Connection(str(path))
        for statement in statements:
            db.execute(statement)
        db.close()

    return change


@pytest.mark.row("B3")
@pytest.mark.parametrize(
    ("what", "statements"),
    [
        ("changed", ["UPDATE entry SET body = replace(body, 'owner', 'other') WHERE number = 2"]),
        ("rehashed", ["UPDATE entry SET hash = (SELECT hash FROM entry WHERE number = 1) WHERE number = 2"]),
        ("missing", ["DELETE FROM entry WHERE number = 2"]),
        (
            "reordered",
            [
                "UPDATE entry SET number = 100 WHERE number = 2",
                "UPDATE entry SET number = 2 WHERE number = 3",
                "UPDATE entry SET number = 3 WHERE number = 100",
            ],
        ),
        ("cut off", ["DELETE FROM entry WHERE number = 4"]),
        ("words changed", ["UPDATE version SET body = replace(body, 'bees', 'wasps')"]),
    ],
)
def test_an_entry_that_was_tampered_with_is_found(ada, tamper, what, statements):
    tamper(*statements)
    ran = ada("verify", "--json")
    assert ran.code == 8, what
    assert ran.json["ok"] is False
    assert ran.json["problems"]
    assert "broken" in ada("verify").out
    assert ada("verify", "--all").code == 8
    assert ada("doctor").code == 8


@pytest.mark.row("B11")
def test_an_index_that_drifted_is_reported_and_rebuilt_from_the_truth(ada, tamper):
    assert ada("doctor").code == 0
    tamper("UPDATE image SET words = x'' WHERE row = 2")
    found = ada("doctor", "--json")
    assert found.code == 8
    assert len(found.json) == 1
    assert ada("repair", "--json").json["rows"] >= 1
    assert ada("doctor").code == 0
    assert ada("recall", "杭州", "--json").json["hits"][0]["memory"]["content"] == "我住在杭州"


@pytest.mark.row("A1")
@pytest.mark.row("P7")
@pytest.mark.parametrize("query", ["kiln", "窑", "窯"])
def test_nothing_of_one_project_is_seen_in_another(cli, query):
    for name, words in (
        ("project:kiln", "the kiln fires at 1210 degrees 窑温"),
        ("project:loom", "织机 the loom"),
    ):
        assert cli("remember", words, "-s", name, "-p", "assistant").code == 0
    inside = cli("list", "-s", "project:kiln", "--json").json[0]["id"]
    for command in (
        ["recall", query],
        ["recall", query, "--mode", "debug"],
        ["list"],
        ["context", query],
        ["ledger"],
    ):
        assert "1210" not in cli(*command, "-s", "project:loom", "--json").out
    for command in (["show", inside], ["forget", inside], ["history", inside], ["why", inside]):
        assert cli(*command, "-s", "project:loom").code == 3
    assert cli("recall", query, "-s", "project:kiln", "--json").json["hits"]
