"""Which entities are compared exactly, and which have one value at a time (A3)."""

from __future__ import annotations

import pytest

from holdfast.remember.slots import identifier, single_valued


@pytest.mark.parametrize(
    ("entity_type", "value"),
    [
        ("part_number", "RM05-008"),
        ("Part Number", "anything"),
        ("料号", "甲"),
        ("料號", "甲"),
        ("tlf19", "101"),
        ("thing", "rm05-008"),
        ("thing", "＋86 138-0013-8000"),
        ("when", "2026-02-02"),
        ("how_much", "¥1,200.50"),
        ("version", "latest"),
    ],
)
def test_identifiers_are_known_by_type_or_by_look(entity_type, value):
    assert identifier(entity_type, value)


@pytest.mark.parametrize(
    ("entity_type", "value"),
    [
        ("intent", "purchase"),
        ("preference", "喜欢喝三分糖的咖啡"),
        ("preference", "likes 2 sugars in tea"),
        ("person", "王小红"),
        ("place", "上海浦东"),
    ],
)
def test_words_are_compared_by_likeness(entity_type, value):
    assert not identifier(entity_type, value)


@pytest.mark.parametrize("name", ["phone", "Phone", "电话", "電話", "email", "address", "住址", "生日"])
def test_some_types_have_one_value_at_a_time(name):
    assert single_valued(name)


@pytest.mark.parametrize("name", ["part_number", "料号", "intent", "preference", "person", "order"])
def test_most_types_have_many(name):
    assert not single_valued(name)
