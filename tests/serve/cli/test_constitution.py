"""The constitution from a terminal: three questions for a person, three tokens for a script (M1, M2)."""

from __future__ import annotations

import pytest

ENTRIES = [
    ("林秋兰，生于1948年，女儿叫林小满", "确认 1/3"),
    ("林秋蘭，生於1948年，女兒叫林小滿", "确认 1/3"),
    ("Her name is Ada Quillfeather, born in 1948", "Confirmation 1/3"),
]
YES = "y\ny\ny\n"


@pytest.mark.row("M2")
@pytest.mark.parametrize(("words", "question"), ENTRIES)
def test_an_entry_stands_after_three_confirmations(ada, words, question):
    ran = ada("constitution", "add", words, stdin=YES)
    assert ran.code == 0
    assert question in ran.err
    assert ran.err.count("(y/n)") == 3
    assert [entry["content"] for entry in ada("constitution", "--json").json] == [words]
    assert words in ada("constitution").out
    assert words in ada("context", "无关的问题 anything", "--text").out


@pytest.mark.row("M2")
@pytest.mark.parametrize("answers", ["", "n\n", "y\nn\n", "y\ny\nn\n", "y\ny\n", "y\n\ny\n", "maybe\ny\ny\n"])
def test_anything_but_three_times_yes_changes_nothing(ada, answers):
    ran = ada("constitution", "add", "Her name is Ada", stdin=answers)
    assert ran.code == 5
    assert "nothing has changed" in ran.err
    assert ada("constitution", "--json").json == []


@pytest.mark.row("M2")
@pytest.mark.parametrize(("words", "question"), ENTRIES)
def test_a_script_hands_on_each_token(ada, words, question):
    first = ada("constitution", "add", words, "--json").json
    assert first["question"].startswith(question)
    assert (first["confirmations"], first["needed"], first["outcome"]) == (0, 3, None)
    second = ada("constitution", "confirm", first["token"], "--json").json
    assert ada("constitution", "confirm", first["token"], "--json").code == 2
    third = ada("constitution", "confirm", second["token"], "--json").json
    assert ada("constitution", "--json").json == []
    last = ada("constitution", "confirm", third["token"], "--json").json
    assert (last["token"], last["outcome"]["decision"]) == ("", "accepted")
    assert [entry["content"] for entry in ada("constitution", "--json").json] == [words]
    assert ada("constitution", "confirm", third["token"], "--json").code in (2, 3, 6)


@pytest.mark.row("M2")
def test_changing_and_deleting_ask_three_times_too(ada):
    ada("constitution", "add", "她叫林秋兰", stdin=YES)
    id = ada("constitution", "--json").json[0]["id"]
    changed = ada("constitution", "change", id, "她叫林秋兰，女儿叫林小满", "--priority", "high", stdin=YES)
    assert changed.code == 0
    assert "修改" in changed.err
    entry = ada("constitution", "--json").json[0]
    assert (entry["content"], entry["priority"]) == ("她叫林秋兰，女儿叫林小满", "high")
    assert ada("constitution", "due", "--json").json == []
    assert ada("constitution", "due", "--json", "--at", "2099-01-01T00:00Z").json[0]["id"] == entry["id"]
    kept = ada("constitution", "delete", entry["id"], stdin="y\ny\n")
    assert kept.code == 5
    assert len(ada("constitution", "--json").json) == 1
    gone = ada("constitution", "delete", entry["id"], stdin=YES)
    assert gone.code == 0
    assert "删除" in gone.err
    assert ada("constitution", "--json").json == []


def test_there_is_no_way_around_the_questions(ada):
    for option in ("--yes", "-y", "--force"):
        assert ada("constitution", "add", "她叫林秋兰", option, stdin=YES).code == 2
    assert ada("constitution", "--json").json == []


@pytest.mark.row("M1")
@pytest.mark.parametrize("role", ["agent:ear", "user:lin", "auditor"])
def test_only_owners_write_it_and_everybody_reads_it(ada, role):
    refused = ada("constitution", "add", "她叫林秋兰", "--as", role, stdin=YES)
    assert refused.code == 4
    ada("constitution", "add", "她叫林秋兰", stdin=YES)
    assert len(ada("constitution", "--json", "--as", role).json) == 1
    verbs = [(entry["verb"], entry["actor"].split(":")[0]) for entry in ada("ledger", "--json").json]
    assert ("forbidden", role.split(":")[0]) in verbs


def test_a_token_that_is_none_is_refused(ada):
    assert ada("constitution", "confirm", "nonsense", "--json").error["field"] == "TOKEN"
    assert ada("constitution", "confirm", "no-such-change.nonsense", "--json").code in (2, 3)


def test_an_entry_is_short(ada):
    ran = ada("constitution", "add", "长" * 201, "--json")
    assert (ran.code, ran.error["field"]) == (2, "content")
