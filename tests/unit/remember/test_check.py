"""What is handed in is checked before anything else: the field is named, and the way out."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import InvalidInput
from holdfast.model.draft import Draft
from holdfast.profile import load as profiles
from holdfast.remember import check

WRONG = [
    ("confidence", 1.2, "0 to 1"),
    ("confidence", float("nan"), "0 to 1"),
    ("confidence", -0.1, "0 to 1"),
    ("confidence", True, "number"),
    ("confidence", "high", "number"),
    ("layer", "facts", "fact"),
    ("layer", 3, "constitution"),
    ("priority", "urgent", "high"),
    ("sensitivity", 4, "0 to 3"),
    ("sensitivity", 1.0, "0 to 3"),
    ("importance", float("inf"), "number"),
    ("at", datetime(2026, 1, 1), "zone"),  # noqa: DTZ001
    ("at", datetime(1969, 12, 31, tzinfo=UTC), "1970"),
    ("at", "yesterday", "ISO 8601"),
    ("at", 1_700_000_000, "datetime"),
    ("at", datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))), "1970"),
    ("expires_at", "2026-01-01", "zone"),
    ("tags", "work", "list"),
    ("tags", [1], "string"),
    ("metadata", {"a": float("nan")}, "JSON"),
    ("metadata", {1: "a"}, "string"),
    ("metadata", [], "mapping"),
    ("requires_approval", "yes", "True or False"),
    ("vector", "0.1 0.2", "list of numbers"),
    ("session", "a\x00b", "NUL"),
    ("label", "x" * 201, "200"),
    ("entity_value", "RM05-008", "entity_type"),
    ("colour", "red", "kind"),
]


@pytest.mark.parametrize(("field", "value", "way_out"), WRONG)
def test_a_wrong_value_names_its_field_and_the_way_out(field, value, way_out):
    with pytest.raises(InvalidInput) as caught:
        check.draft("她喜欢散步", {field: value})
    assert caught.value.field in (field, "entity_type", "metadata key")
    assert way_out in str(caught.value)


@pytest.mark.parametrize("content", ["", " \n\t", "a\x00b", "\ud800", 3, None, b"bytes", "x" * 1_000_001])
def test_a_content_that_is_no_text_is_turned_down(content):
    with pytest.raises(InvalidInput) as caught:
        check.draft(content, {})
    assert caught.value.field == "content"


def test_a_near_name_is_suggested():
    with pytest.raises(InvalidInput, match="did you mean session"):
        check.draft("x", {"layer": "sesion"})
    with pytest.raises(InvalidInput, match="did you mean confidence"):
        check.draft("x", {"confidense": 1})
    with pytest.raises(InvalidInput, match="did you mean preference"):
        check.suits([check.draft("x", {"kind": "preferense"})], profiles.load("assistant"))


def test_none_means_unsaid():
    assert check.draft("x", {"kind": None, "tags": None}) == Draft(content="x")


def test_a_bad_item_is_named_by_its_index():
    with pytest.raises(InvalidInput) as caught:
        check.drafts(["a", {"content": "b"}, Draft(content="c", confidence=2.0)])
    assert caught.value.field == "items[2].confidence"
    with pytest.raises(InvalidInput, match=r"items\[1\]"):
        check.drafts(["a", 7])
    with pytest.raises(InvalidInput, match=r"items\[0\]: has no content"):
        check.drafts([{"kind": "fact"}])


@pytest.mark.parametrize("items", ["one text", b"x", {"content": "x"}, 5, None])
def test_what_is_no_list_of_items_is_turned_down(items):
    with pytest.raises(InvalidInput) as caught:
        check.drafts(items)
    assert caught.value.field == "items"


def test_a_generator_without_end_is_left_at_the_size_of_a_batch():
    with pytest.raises(InvalidInput) as caught:
        check.drafts(repeat("again"))
    assert caught.value.field == f"items[{check.BATCH_MOST}]"
    assert "smaller batches" in str(caught.value)


def test_a_text_too_long_for_the_profile_is_turned_down():
    with pytest.raises(InvalidInput, match="20,000"):
        check.suits(check.drafts(["a", "长" * 20_001]), profiles.load("assistant"))


def test_a_draft_comes_back_as_it_was():
    said = {"kind": "event", "confidence": 0.5, "tags": ("a", "b"), "at": datetime(2026, 1, 1, tzinfo=UTC)}
    once = check.draft("她去了公园", said)
    assert check.drafts([once]) == [once]
    assert check.drafts([{"content": "她去了公园", **said}]) == [once]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(
    content=anything | st.text(alphabet=st.characters(), max_size=30),
    said=st.dictionaries(st.sampled_from([*check.CHECKS]) | st.text(max_size=8), anything, max_size=5),
)
def test_whatever_is_handed_in_is_a_draft_or_a_named_error(content, said):
    with suppress(InvalidInput):
        check.draft(content, said).content.encode()
