"""The verbs from a terminal, in both Chinese scripts and in English: what people and scripts read."""

from __future__ import annotations

import json
import re

import pytest

STATEMENTS = [
    ("I take my coffee black, with no sugar", "coffee"),
    ("我早上喝黑咖啡，不放糖", "咖啡"),
    ("我早上喝黑咖啡，不放糖", "黑咖啡"),
    ("我住在臺北，養了一隻貓", "台北"),
]


@pytest.mark.parametrize(("statement", "query"), STATEMENTS)
def test_what_is_remembered_is_recalled(ada, statement, query):
    written = ada("remember", statement)
    assert written.code == 0
    assert written.out.startswith("accepted  ")
    assert statement in written.out
    found = ada("recall", query)
    assert found.code == 0
    assert statement in found.out
    packed = ada("context", query, "--text")
    assert statement in packed.out


@pytest.mark.parametrize(("statement", "query"), STATEMENTS)
def test_scripts_read_the_same_as_json(ada, statement, query):
    outcome = ada("remember", statement, "--json", "--kind", "preference", "--confidence", "0.9").json
    assert set(outcome) == {"decision", "memory", "reasons", "touched", "change", "conflicts", "capture"}
    memory = outcome["memory"]
    assert (memory["content"], memory["kind"], memory["confidence"]) == (statement, "preference", 0.9)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00", memory["created_at"])
    answer = ada("recall", query, "--json").json
    assert answer["query"] == query
    assert answer["space"] == "user:ada"
    hit = answer["hits"][0]
    assert hit["memory"]["id"] == memory["id"]
    assert set(hit) == {"memory", "score", "label", "hot"}
    explained = ada("recall", query, "--json", "--explain").json["hits"][0]["explain"]
    assert set(explained) == {"arms", "factors", "trust", "provenance", "formula"}
    assert explained["arms"]


def test_json_keeps_chinese_readable_and_keys_as_the_library_has_them(ada, kept):
    id = kept("我住在杭州")
    shown = ada("show", id, "--json")
    assert "我住在杭州" in shown.out
    assert {"id", "space", "content", "status", "marks", "version", "verified"} <= set(shown.json)
    assert ada("list", "--json").json[0]["id"] == id
    assert [v["version"] for v in ada("history", id, "--json").json] == [1]
    assert ada("why", id, "--json").code == 0
    assert ada("stats", "--json").json["memories"] == 1
    assert ada("verify", "--json").json["ok"] is True
    assert ada("doctor", "--json").json == []


@pytest.mark.row("B2")
def test_an_empty_answer_says_where_it_looked(ada):
    ran = ada("recall", "天气")
    assert ran.code == 0
    assert "Nothing found" in ran.out
    assert "user:ada" in ran.out


def test_a_memory_through_its_life(ada, kept):
    id = kept("I live in Harbin")
    assert ada("revise", id, "I live in Suzhou").code == 0
    assert [v["content"] for v in ada("history", id, "--json").json] == [
        "I live in Harbin",
        "I live in Suzhou",
    ]
    assert ada("affirm", id, "--json").json["memory"]["mentions"] == 2
    assert ada("attach", id, "--modality", "image", "--text", "the view", "--json").json["memory"][
        "attachments"
    ]
    assert ada("archive", id, "--json").json["memory"]["status"] == "archived"
    assert ada("restore", id, "--json").json["memory"]["status"] == "active"
    gone = ada("forget", id, "moved away", "--json").json
    assert gone["memory"]["status"] == "deleted"
    assert ada("list", "--json").json == []
    assert len(ada("list", "--json", "--status", "deleted").json) == 1
    assert ada("undo", gone["change"], "--json").json["memory"]["status"] == "active"
    text = ada("history", id).out
    assert "v1" in text
    assert "I live in Harbin" in text
    assert ada("history", id, "--weights").code == 0


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        ("我喜欢喝咖啡", "我不喜欢喝咖啡了", "咖啡"),
        ("我喜歡喝咖啡", "我不喜歡喝咖啡了", "咖啡"),
        ("I like coffee", "I do not like coffee any more", "coffee"),
    ],
)
def test_what_is_taken_back_is_no_longer_recalled(ada, kept, old, new, query):
    id = kept(old, "--kind", "preference")
    assert ada("negate", id, new).code == 0
    found = [hit["memory"]["content"] for hit in ada("recall", query, "--json").json["hits"]]
    assert old not in found
    assert new in found
    assert id in [m["memory"]["id"] for m in ada("recall", query, "--mode", "review", "--json").json["hits"]]


def test_a_script_gives_times_and_asks_as_of_a_date(ada):
    ada("remember", "I live in Harbin", "--at", "2026-01-05T09:00+08:00")
    ada("remember", "I keep bees", "--at", "2026-03-05T09:00+08:00")
    before = ada("recall", "bees", "--as-of", "2026-02-01T00:00Z", "--json").json["hits"]
    assert "I keep bees" not in [hit["memory"]["content"] for hit in before]
    after = ada("recall", "bees", "--at", "2026-04-01T00:00Z", "--json").json["hits"]
    assert after[0]["memory"]["content"] == "I keep bees"


def test_a_space_is_brought_back_to_an_earlier_time(ada):
    ada("remember", "I live in Harbin", "--at", "2026-01-05T09:00+08:00")
    id = ada("list", "--json").json[0]["id"]
    ada("forget", id, "--at", "2026-02-05T09:00+08:00")
    assert ada("restore", "--to", "2026-01-06T00:00Z").code == 0
    assert ada("show", id, "--json").json["status"] == "active"


def test_people_decide_about_what_waits(ada):
    waiting = [
        ada("remember", words, "--json", "--requires-approval").json["memory"]["id"]
        for words in ("我对花生过敏", "My doctor is Dr Quillfeather")
    ]
    assert [m["id"] for m in ada("pending", "--json").json] == waiting
    approved = ada("approve", waiting[0], "--json").json
    assert [outcome["memory"]["verified"] for outcome in approved] == [True]
    assert ada("reject", waiting[1], "not so", "--json").json["memory"]["status"] == "rejected"
    assert ada("pending").out.strip() == "Nothing to list."


@pytest.mark.row("P1")
def test_what_is_captured_is_never_recalled(ada):
    ran = ada(
        "capture",
        "-",
        "--session",
        "s1",
        "--metadata",
        '{"tool": "shell"}',
        "--json",
        stdin="原始输出 zebra\n",
    )
    assert ran.json["content"] == "原始输出 zebra"
    id = ran.json["id"]
    assert "zebra" in ada("quarantine").out
    for mode in ("normal", "review", "debug"):
        assert ada("recall", "zebra 原始输出", "--mode", mode, "--json").json["hits"] == []
    assert ada("quarantine", "drop", id).code == 0
    assert ada("quarantine", "--json").json == []


@pytest.mark.row("A5")
def test_entities_are_kept_found_and_listed(ada):
    assert ada("entity", "store", "part_number", "RM05-008", "-c", "0.9").code == 0
    again = ada("entity", "store", "part_number", "ｒｍ05-008", "--json").json
    assert (again["decision"], again["memory"]["mentions"]) == ("reinforced", 2)
    ada("entity", "store", "part_number", "RM05-009", "-c", "0.9")
    ada("entity", "store", "city", "杭州", "-c", "0.9")
    listed = ada("entity", "list", "part_number", "--json").json
    assert [m["entity_value"] for m in listed] == ["RM05-008", "RM05-009"]
    rest = ada("entity", "list", "--after", listed[0]["id"], "--limit", "1", "--json").json
    assert [m["entity_value"] for m in rest] == ["RM05-009"]
    found = ada("entity", "retrieve", "RM05-008", "--json").json
    assert found[0]["memory"]["entity_value"] == "RM05-008"
    assert ada("entity", "conflicts", "part_number", "RM05-010", "--json").json == []
    assert "No conflict" in ada("entity", "conflicts", "part_number", "RM05-010").out


def test_the_words_may_come_from_standard_input(ada):
    ran = ada("remember", "-", "--json", stdin="第一行\n第二行\n")
    assert ran.json["memory"]["content"] == "第一行\n第二行"
    bad = ada("remember", "-", "--json", stdin=b"\xff\xfe")
    assert (bad.code, bad.error["field"]) == (2, "standard input")
    dashed = ada("remember", "--json", "--", "-5 degrees at night")
    assert dashed.json["memory"]["content"] == "-5 degrees at night"


def test_options_may_stand_before_the_command(cli):
    assert cli("--space", "user:bo", "remember", "tea", "--profile", "assistant").code == 0
    assert cli("--json", "-s", "user:bo", "list").json[0]["content"] == "tea"
    assert cli("--json", "spaces").json[0]["name"] == "user:bo"


def test_a_space_is_made_with_a_profile_and_left_as_it_is(cli):
    assert cli("spaces").out.startswith("No spaces yet")
    made = cli("spaces", "create", "patient:lin", "--profile", "care", "--json").json
    assert (made["name"], made["profile"]) == ("patient:lin", "care")
    assert cli("spaces", "create", "patient:lin", "-p", "care").code == 0
    clash = cli("remember", "tea", "-s", "patient:lin", "-p", "team", "--json")
    assert (clash.code, clash.error["field"]) == (2, "profile")
    assert [(s["name"], s["profile"]) for s in cli("spaces", "--json").json] == [("patient:lin", "care")]
    assert "patient:lin" in cli("spaces").out


def test_profiles_are_listed_and_shown_whole(cli, tmp_path):
    names = set(cli("profiles", "--json").json)
    assert {"assistant", "entities", "personal", "care", "team", "companion"} <= names
    own = tmp_path / "own.toml"
    whole = cli("profiles", "show", "care").out
    own.write_text(whole.replace('name = "care"', 'name = "mine"', 1), encoding="utf-8")
    assert cli("profiles", "show", "care", "--json").json["constitution"]["max_entries"] == 20
    assert cli("spaces", "create", "patient:wu", "-p", str(own), "--json").json["profile"] == "mine"


def test_an_agent_in_care_is_graded_and_a_script_sees_what_was_not_kept(cli):
    cli("spaces", "create", "patient:lin", "-p", "care")
    agent = ("-s", "patient:lin", "--as", "agent:ear", "--json")
    high = cli("remember", "她今天见了老朋友鲁小舟", "-c", "0.95", *agent)
    assert (high.code, high.json["decision"]) == (0, "accepted")
    assert "auto_approved" in high.json["memory"]["marks"]
    middle = cli("remember", "她以前喜欢钓鱼", "-c", "0.8", *agent)
    assert (middle.code, middle.json["decision"]) == (0, "pending")
    low = cli("remember", "她大概去过青岛", "-c", "0.3", *agent)
    assert (low.code, low.json["decision"]) == (5, "logged")


def test_the_queue_is_worked_and_shown(ada):
    assert ada("worker", "--once").code == 0
    assert ada("jobs", "--json").json == []
    assert ada("repair", "--json").json["space"] == "user:ada"


def test_every_space_is_verified_at_once(ada):
    ada("spaces", "create", "user:bo")
    reports = ada("verify", "--all", "--json").json
    assert {name: report["ok"] for name, report in reports.items()} == {"user:ada": True, "user:bo": True}


def test_the_ledger_says_who_did_what(ada, kept):
    id = kept("I take my coffee black")
    ada("forget", id, "--as", "owner:bo")
    entries = ada("ledger", "--memory", id, "--json").json
    assert [(entry["verb"], entry["actor"]) for entry in entries] == [
        ("remember", "owner:local"),
        ("forget", "owner:bo"),
    ]
    assert "owner:bo" in ada("ledger").out


def test_the_version_is_told(cli):
    assert re.fullmatch(r"holdfast \d+\.\d+\.\d+\n", cli("--version").out)


def test_a_context_says_what_it_cost(ada, kept):
    kept("我对青霉素过敏", "--kind", "medical")
    packed = ada("context", "看医生要注意什么", "--budget", "200", "--json").json
    assert packed["budget"] == 200
    assert packed["used"] <= 200
    assert json.dumps(packed["sections"])
    assert "tokens" in ada("context", "看医生要注意什么").out
