"""`holdfast remember --file`: many statements at once."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def write(tmp_path):
    def write_lines(*lines) -> str:
        path = tmp_path / "in.jsonl"
        text = "\n".join(
            line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines
        )
        path.write_text(text + "\n", encoding="utf-8")
        return str(path)

    return write_lines


def test_a_file_of_lines_is_kept_and_counted(ada, write):
    path = write({"content": "我养了一只猫", "kind": "fact"}, '"I keep bees"', "", {"content": "I keep bees"})
    ran = ada("remember", "--file", path, "--json", "--source", "import")
    assert ran.code == 0
    assert ran.json["lines"] == 3
    assert ran.json["decisions"] == {"accepted": 2, "reinforced": 1}
    assert [told["line"] for told in ran.json["outcomes"]] == [1, 2, 4]
    assert {memory["source"] for memory in ada("list", "--json").json} == {"import"}


def test_lines_come_from_standard_input_too(ada):
    ran = ada("remember", "--file", "-", stdin='"I keep bees"\n{"content": "我住在杭州"}\n')
    assert ran.code == 0
    assert ran.out.startswith("2 lines: 2 accepted")


def test_many_lines_go_in_by_batches(ada, write):
    path = write(*({"content": f"Part {number} is in drawer {number * 7}"} for number in range(1203)))
    ran = ada("remember", "--file", path, "--json")
    assert (ran.code, ran.json["lines"]) == (0, 1203)
    assert sum(ran.json["decisions"].values()) == 1203


@pytest.mark.parametrize(
    ("line", "problem"),
    [("{", "is not JSON"), ("[1, 2]", "is a list"), ("17", "is a int"), ("[" * 100_000, "is not JSON")],
)
def test_a_broken_line_is_named_and_nothing_is_written(ada, write, line, problem):
    path = write('"I keep bees"', line)
    ran = ada("remember", "--file", path, "--json")
    assert ran.code == 2
    assert ran.error["field"] == f"{path}:2"
    assert problem in ran.error["problem"]
    assert ada("list", "--json").json == []


def test_a_line_that_says_too_much_is_named_and_nothing_is_written(ada, write):
    path = write('"I keep bees"', {"content": "tea", "colour": "green"})
    ran = ada("remember", "--file", path, "--json")
    assert ran.code == 2
    assert "colour" in ran.error["message"]
    assert ada("list", "--json").json == []


def test_a_file_in_another_encoding_is_refused(ada, tmp_path):
    path = tmp_path / "gbk.jsonl"
    path.write_bytes('"我住在杭州"'.encode("gbk"))
    ran = ada("remember", "--file", str(path), "--json")
    assert (ran.code, ran.error["field"]) == (2, "--file")
