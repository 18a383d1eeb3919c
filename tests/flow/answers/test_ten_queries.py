"""Document 002's ten queries on a household of its own, by the default embedder, in three scripts (M16)."""

from __future__ import annotations

import importlib.util
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast import Holdfast

NOW = datetime(2026, 3, 24, 20, tzinfo=UTC)


def _household():
    spec = importlib.util.spec_from_file_location("household", Path(__file__).with_name("household.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _traditional(text: str) -> str:
    from opencc import OpenCC

    return OpenCC("s2t").convert(text)


def _moved_in(house: Holdfast, script: str):
    told = _household()
    language = "EN" if script == "english" else "ZH"
    write = _traditional if script == "traditional" else str
    constitution, facts, days, queries = (
        getattr(told, f"{name}_{language}") for name in ("CONSTITUTION", "FACTS", "DAYS", "QUERIES")
    )
    space = house.space(f"home:{script}", profile="care")
    key_of = {}
    for key, entry in constitution:
        change = space.constitution.propose(write(entry))
        token = change.token
        while token:
            token = change.confirm(token)
        key_of[change.outcome.memory.id] = key
    for key, content, kind, ago in facts:
        at = NOW - timedelta(days=ago)
        key_of[space.remember(write(content), kind=kind, at=at).memory.id] = key
    for key, content, ago, hour in days:
        at = (NOW - timedelta(days=ago)).replace(hour=hour)
        said = space.remember(write(content), kind="event", layer="episode", at=at)
        key_of[said.memory.id] = key
    return space, key_of, [(write(query), expect) for query, expect in queries]


@pytest.mark.row("M16")
@pytest.mark.row("M11")
@pytest.mark.parametrize("script", ["simplified", "traditional", "english"])
def test_the_ten_queries_are_answered_ten_of_ten_and_the_constitution_is_always_there(tmp_path, script):
    with Holdfast(tmp_path) as house:
        space, key_of, queries = _moved_in(house, script)
        missed = []
        for query, expect in queries:
            answer = space.recall(query, at=NOW)
            assert [key_of[entry.id] for entry in answer.constitution] == ["c0", "c1", "c2"]
            seen = {
                key_of[memory.id] for memory in (*answer.constitution, *(hit.memory for hit in answer.hits))
            }
            if not seen.intersection(expect):
                missed.append((query, [hit.memory.content for hit in answer.hits]))
            context = space.context(query, at=NOW)
            assert all(entry.content in context.text for entry in answer.constitution)
    assert not missed
