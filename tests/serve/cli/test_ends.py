"""How commands end: the exit code for each sort of end, and an error that says the way out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast import errors
from holdfast.serve.cli.codes import BY_ERROR, MEANING, Code, code_of
from holdfast.serve.cli.main import run

GONE = "01890000-0000-7000-8000-000000000000"


def test_every_error_has_a_code_and_every_code_a_meaning():
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, errors.HoldfastError)]
    for kind in kinds:
        if kind is not errors.HoldfastError:
            assert any(issubclass(kind, known) for known, _ in BY_ERROR), kind
    assert set(MEANING) == set(Code)
    assert code_of(errors.UnknownSpace("x")) == Code.NOT_FOUND
    assert code_of(errors.Damaged("x")) == Code.STORE


@pytest.mark.row("A1")
def test_an_unknown_space_is_not_found_and_near_names_are_suggested(ada):
    for command in (
        ["recall", "coffee"],
        ["list"],
        ["stats"],
        ["context", "咖啡"],
        ["remember", "茶"],
        ["verify"],
    ):
        ran = ada(*command, "--space", "user:adda")
        assert (ran.code, ran.out) == (3, "")
        assert "there is no space named 'user:adda'; did you mean user:ada?" in ran.err
    ran = ada("recall", "coffee", "--space", "user:adda", "--json")
    assert ran.error["type"] == "UnknownSpace"
    assert ran.error["near"] == ["user:ada"]
    assert ran.error["code"] == 3


@pytest.mark.row("A1")
def test_a_command_without_a_space_is_wrong_usage(cli):
    ran = cli("recall", "coffee")
    assert ran.code == 2
    assert "HOLDFAST_SPACE" in ran.err


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["remember", "tea", "--confidence", "1.2"], "confidence"),
        (["remember", "tea", "--confidence", "nan"], "confidence"),
        (["remember", "tea", "--kind", "preferense"], "kind"),
        (["remember", "tea", "--layer", "attic"], "layer"),
        (["remember", "tea", "--sensitivity", "7"], "sensitivity"),
        (["remember", "tea", "--metadata", "{"], "--metadata"),
        (["remember", "tea", "--metadata", "[1]"], "metadata"),
        (["remember", "   "], "content"),
        (["remember", "a\x00b"], "content"),
        (["remember", "tea", "--at", "yesterday"], "--at"),
        (["remember", "tea", "--at", "2026-01-01T10:00"], "--at"),
        (["remember", "tea", "--at", "1969-12-31T10:00+00:00"], "--at"),
        (["recall", "tea", "--mode", "loud"], "mode"),
        (["recall", "tea", "--limit", "0"], "limit"),
        (["recall", ""], "query"),
        (["list", "--status", "asleep"], "status"),
        (["context", "tea", "--budget", "-1"], "budget"),
        (["recall", "tea", "--as", "queen"], "--as"),
        (["recall", "tea", "--as", "system"], "--as"),
        (["spaces", "create", "user:bo", "--profile", "butler"], "profile"),
        (["spaces", "create", ""], "space"),
        (["ledger", "--limit", "0"], "limit"),
        (["remember"], "CONTENT"),
        (["remember", "tea", "--file", "x.jsonl"], "CONTENT"),
        (["remember", "--file", "missing.jsonl"], "--file"),
        (["restore"], "ID"),
    ],
)
def test_a_wrong_value_names_its_field_and_the_way_out(ada, arguments, field):
    ran = ada(*arguments, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.error["field"] == field
    assert ran.error["way_out"]
    text = ada(*arguments)
    assert text.code == 2
    assert field in text.err
    assert "→" in text.err
    assert "Traceback" not in text.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["recal", "x"],
        ["recall"],
        ["recall", "x", "--limit", "many"],
        ["recall", "x", "--colour"],
        ["entity", "burn"],
    ],
)
def test_a_wrong_command_line_is_usage(ada, arguments):
    ran = ada(*arguments)
    assert ran.code == 2
    assert "--help" in ran.err
    told = ada(*arguments, "--json")
    assert told.error["type"] == "Usage"


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", GONE],
        ["why", GONE],
        ["history", GONE],
        ["forget", GONE],
        ["revise", GONE, "new words"],
        ["negate", GONE],
        ["affirm", GONE],
        ["archive", GONE],
        ["restore", GONE],
        ["approve", GONE],
        ["reject", GONE],
        ["review", GONE, "is it so?"],
        ["undo", GONE],
        ["attach", GONE, "--modality", "image", "--text", "the view"],
        ["quarantine", "drop", GONE],
    ],
)
def test_what_is_not_there_is_not_found(ada, arguments):
    ran = ada(*arguments, "--json")
    assert ran.code == 3, ran.err
    assert ran.error["type"] == "NotFound"


def test_an_actor_without_the_right_is_forbidden_and_the_attempt_is_recorded(ada, kept):
    id = kept("I take my coffee black")
    for command in (["approve", id], ["quarantine"], ["recall", "coffee", "--mode", "debug"]):
        assert ada(*command, "--as", "agent:cook", "--json").error["type"] == "Forbidden"
        assert ada(*command, "--as", "agent:cook").code == 4
    entries = ada("ledger", "--json", "--limit", "100").json
    assert [e["actor"] for e in entries if e["verb"] == "forbidden"] == ["agent:cook"] * 6


def test_an_auditor_reads_and_does_not_write(ada, kept):
    id = kept("I take my coffee black")
    assert ada("recall", "coffee", "--as", "auditor").code == 0
    assert ada("recall", "coffee", "--mode", "debug", "--as", "auditor").code == 0
    assert ada("quarantine", "--as", "auditor").code == 0
    assert ada("forget", id, "--as", "auditor").code == 4
    assert ada("remember", "tea", "--as", "auditor").code == 4


def test_a_change_of_status_that_is_not_legal_ends_with_its_own_code(ada, kept):
    id = kept("I take my coffee black")
    ran = ada("reject", id, "--json")
    assert (ran.code, ran.error["type"]) == (6, "IllegalChange")
    ada("archive", id)
    assert ada("approve", id).code == 6


def test_a_version_that_moved_on_is_stale(ada, kept):
    id = kept("I take my coffee black")
    assert ada("revise", id, "I take my coffee with milk", "--version", "1").code == 0
    ran = ada("revise", id, "I take my coffee white", "--version", "1", "--json")
    assert (ran.code, ran.error["type"]) == (6, "StaleWrite")


def test_a_house_that_cannot_be_written_is_a_store_error(cli, tmp_path):
    (tmp_path / "file").write_text("not a directory", encoding="utf-8")
    ran = cli("spaces", "create", "user:ada", "--home", str(tmp_path / "file"), "--json")
    assert ran.code == 8
    assert ran.error["type"] == "StoreError"


def test_a_mistake_of_ours_is_one_line_and_the_trace_waits_for_debug(ada, monkeypatch):
    def broken(*_args, **_named):
        raise RuntimeError("the floor gave way")

    monkeypatch.setattr("holdfast.space.Space.stats", broken)
    ran = ada("stats")
    assert ran.code == 1
    assert "the floor gave way" in ran.err
    assert "Traceback" not in ran.err
    assert "Traceback" in ada("stats", "--debug").err
    assert ada("stats", "--json").error["type"] == "RuntimeError"


def test_interrupting_is_quiet(ada, monkeypatch):
    def interrupted(*_args, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.space.Space.stats", interrupted)
    ran = ada("stats")
    assert (ran.code, "Traceback" in ran.err) == (130, False)


def test_a_reader_who_leaves_early_is_no_error(tmp_path):
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path / "memory"), "HOLDFAST_EMBEDDER": "hashing"}
    holdfast = Path(sys.executable).parent / "holdfast"
    script = f"{holdfast} profiles show assistant | head -1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    assert ran.stdout.splitlines()[-1] in ("0", "1", "141")


def test_a_worker_ends_on_interrupt(tmp_path):
    environment = {**os.environ, "HOLDFAST_HOME": str(tmp_path / "memory"), "HOLDFAST_EMBEDDER": "hashing"}
    command = [str(Path(sys.executable).parent / "holdfast"), "worker", "--every", "0.1", "--json"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_no_command_at_all_shows_the_help(capsys):
    for arguments in ([], ["entity"]):
        assert run(arguments) == 2
        printed = capsys.readouterr()
        assert "Usage: holdfast" in printed.out
        assert printed.err == ""
