"""The steward from the terminal: planned, run, logged, undone, forecast; the brief and what is promoted."""

from __future__ import annotations

import pytest

WHEN = "2030-01-01T00:00:00Z"
LONG = "A long tale of the harbour, with the boats and the gulls and the fog that came every evening. " * 4


@pytest.fixture
def old(ada):
    """A space with a memory that has grown old by the time of `WHEN`."""
    said = ("--at", "2029-11-01T00:00:00Z", "--kind", "event", "--sensitivity", "0", "--json")
    id = ada("remember", LONG, *said).json["memory"]["id"]
    assert ada("remember", "we spoke of fog", "--layer", "session", *said).code == 0
    return ada, id


def test_a_dry_run_shows_what_and_why_and_the_run_does_it_once(old):
    ada, id = old
    dry = ada("steward", "run", "--dry-run", "--at", WHEN)
    assert "1 × compress: summary would be done" in dry.out
    assert f"{id}  full → summary: not active for 61 days" in dry.out
    assert ada("show", id, "--json").json["level"] == "full"
    done = ada("steward", "run", "--at", WHEN, "--json").json
    assert sorted(step["what"] for step in done["steps"]) == ["cold", "summary"]
    assert ada("show", id, "--json").json["level"] == "summary"
    assert "Nothing is due." in ada("steward", "run", "--at", WHEN).out


@pytest.mark.row("A7")
def test_all_spaces_or_one_rule(old):
    ada, _ = old
    assert ada("spaces", "create", "user:bo").code == 0
    every = ada("steward", "run", "--all", "--rule", "weekly", "--at", WHEN, "--json").json
    assert [(one["space"], one["steps"]) for one in every] == [("user:ada", []), ("user:bo", [])]
    one = ada("steward", "run", "--rule", "session", "--at", WHEN, "--json").json
    assert [step["what"] for step in one["steps"]] == ["cold"]
    wrong = ada("steward", "run", "--rule", "tidy", "--json")
    assert (wrong.code, wrong.error["field"]) == (2, "rules")


def test_the_log_and_the_way_back(old):
    ada, id = old
    run = ada("steward", "run", "--at", WHEN, "--json").json["run"]
    assert run in ada("steward", "log").out
    assert "1 × compress: summary" in ada("steward", "log").out
    assert ada("steward", "undo", run, "--at", WHEN).out.count("undone") == 2
    assert ada("show", id, "--json").json["level"] == "full"
    assert "undone: 2 of 2 changes" in ada("steward", "log").out
    assert ada("steward", "metrics", "--json").json["passive_compression_count"] == 0


@pytest.mark.row("B5")
def test_a_forecast_tells_the_days_and_draws_the_weight(old):
    ada, id = old
    told = ada("forecast", "--days", "400", "--at", WHEN, "--memory", id)
    assert "2030-01-01" in told.out
    assert "compress: archive" in told.out
    assert f"{id}  weight 0.62 → 0.18" in told.out
    assert "█" in told.out
    as_json = ada("forecast", "--days", "30", "--at", WHEN, "--memory", id, "--json").json
    assert (len(as_json["curves"][id]), as_json["forecast"]["days"]) == (31, 30)
    assert ada("show", id, "--json").json["level"] == "full"


@pytest.mark.row("P4")
def test_a_brief_is_read_and_one_action_promotes(cli, monkeypatch):
    assert cli("spaces", "create", "project:kiln", "--profile", "team").code == 0
    monkeypatch.setenv("HOLDFAST_SPACE", "project:kiln")
    for words in ("the kiln reached 1210 degrees", "glaze three ran at 1210 degrees", "the clay was late"):
        assert cli("capture", words).code == 0
    brief = cli("brief", "--json").json
    assert sum(len(insight["fragments"]) for insight in brief["insights"]) == 3
    assert "to keep one: holdfast promote ID" in cli("brief").out
    (done,) = cli("promote", brief["insights"][0]["id"], "--kind", "fact", "--json").json
    assert (done["decision"], done["memory"]["verified"]) == ("accepted", True)
    denied = cli("promote", brief["insights"][0]["id"], "--as", "agent:cook", "--json")
    assert denied.error["type"] == "Forbidden"


def test_nobody_but_the_keeper_of_the_house_tends_all_spaces(ada):
    assert ada("steward", "run", "--all", "--as", "agent:cook", "--json").error["type"] == "Forbidden"
    assert ada("steward", "run", "--as", "agent:cook", "--json").error["type"] == "Forbidden"
