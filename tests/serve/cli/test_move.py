"""Moving house at the terminal."""

from __future__ import annotations

import json


def test_a_house_moves_from_the_terminal(cli, place, tmp_path):
    url = place("postgres")
    old, back = tmp_path / "memory", tmp_path / "back"
    assert cli("spaces", "create", "user:ada").code == 0
    assert cli("remember", "RM05-008 在三号货架", "--space", "user:ada").code == 0
    ran = cli("move", "--from", str(old), "--to", url, "--json")
    assert [(one["space"], one["memories"], one["carried"]) for one in ran.json] == [("user:ada", 1, True)]
    assert "RM05-008" in cli("recall", "RM05-008", "--space", "user:ada", "--home", url).out
    again = cli("move", "--from", url, "--to", str(back))
    assert "user:ada" in again.out
    assert json.loads(cli("verify", "--space", "user:ada", "--home", str(back), "--json").out)["ok"]
    refused = cli("move", "--from", str(old), "--to", url, "--as", "agent")
    assert refused.code != 0
