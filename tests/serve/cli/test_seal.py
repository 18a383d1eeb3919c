"""Secrets from the command line: told, found by their label, opened, sealed afterwards; the key rotated."""

from __future__ import annotations

import pytest


@pytest.mark.row("E14")
def test_a_secret_is_found_by_its_label_and_opened_by_those_allowed(ada, tmp_path):
    told = ada("remember", "My bank PIN is 837261", "--label", "the bank", "--json").json
    id = told["memory"]["id"]
    assert "837261" not in str(told)
    assert "sealed" not in told["memory"]
    assert ada("recall", "the bank", "--json").json["hits"][0]["memory"]["id"] == id
    assert ada("open", id).out == "My bank PIN is 837261\n"
    assert ada("open", id, "--json").json["content"] == "My bank PIN is 837261"
    refused = ada("open", id, "--as", "agent:cook")
    assert refused.code != 0
    assert "837261" not in refused.out + refused.err
    files = [path for path in (tmp_path / "memory").rglob("*") if path.is_file()]
    assert not [path for path in files if b"837261" in path.read_bytes()]


def test_what_was_plain_is_sealed_and_the_master_key_rotated(ada):
    id = ada("remember", "The word at the gate is kingfisher", "--json").json["memory"]["id"]
    sealed = ada("seal", id, "--label", "the gate", "--json").json["memory"]["id"]
    assert "kingfisher" not in ada("history", id, "--json").out
    assert ada("rotate", "--json").json == {"wrapped": 1}
    assert ada("open", sealed).out == "The word at the gate is kingfisher\n"
