"""Memories, captures, entries as text: nothing is lost, equal is equal, other versions are read."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.model import codec
from holdfast.model.memory import Capture, Memory
from holdfast.testing.samples import Samples

seeds = st.integers(0, 2**32)


@given(seeds)
def test_a_memory_comes_back_as_it_was(seed):
    memory = Samples(seed).full_memory(version=3)
    text = codec.encode_memory(memory)
    assert codec.decode_memory(text) == memory
    assert codec.encode_memory(codec.decode_memory(text)) == text


@given(seeds)
def test_a_capture_comes_back_as_it_was(seed):
    capture = Samples(seed).capture()
    assert codec.decode_capture(codec.encode_capture(capture)) == capture


@given(st.text(), st.text(), st.floats(allow_nan=False, allow_infinity=False), st.integers())
def test_any_text_and_number_comes_back_as_it_was(content, label, boost, mentions):
    memory = Samples().memory(
        content=content, label=label, boost=boost, mentions=mentions, metadata={content: label}
    )
    back = codec.decode_memory(codec.encode_memory(memory))
    assert back == memory
    assert type(back.boost) is float


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)))  # noqa: DTZ001 (given a zone below)
def test_any_time_comes_back_to_the_microsecond(naive):
    at = naive.replace(tzinfo=UTC)
    assert codec.moment(codec.micros(at)) == at
    assert codec.micros(at.astimezone(timezone(timedelta(hours=8)))) == codec.micros(at)


def test_samples_use_every_field_there_is():
    samples = Samples(1)
    written = [json.loads(codec.encode_memory(samples.full_memory(version=2))) for _ in range(300)]
    assert {key for memory in written for key in memory} == {
        field.name for field in dataclasses.fields(Memory)
    }
    captures = [json.loads(codec.encode_capture(samples.capture())) for _ in range(50)]
    assert {key for capture in captures for key in capture} == {
        field.name for field in dataclasses.fields(Capture)
    }


def test_only_what_differs_from_the_default_is_written():
    text = codec.encode_memory(Samples().memory())
    assert set(json.loads(text)) == {
        "id",
        "space",
        "content",
        "created_at",
        "updated_at",
        "last_activated_at",
    }


def test_equal_memories_are_equal_text_whatever_the_order_of_their_sets_and_mappings():
    samples = Samples(3)
    one = samples.memory(metadata={"a": 1, "b": {"x": 1, "y": 2}}, sources={"u": 1, "v": 0.5}, confidence=1)
    two = replace(one, metadata={"b": {"y": 2, "x": 1}, "a": 1}, sources={"v": 0.5, "u": 1.0}, confidence=1.0)
    assert codec.encode_memory(one) == codec.encode_memory(replace(two, confidence=1.0))


def test_access_counts_are_no_part_of_an_after_image():
    memory = Samples().memory(access_count=9, accessed_at=datetime(2026, 1, 1, tzinfo=UTC))
    image = codec.encode_image(memory)
    assert codec.decode_image(image) == replace(memory, access_count=0, accessed_at=None)
    assert codec.decode_image(image, 9, codec.micros(memory.accessed_at)) == memory


def test_what_an_older_writer_did_not_know_takes_its_default():
    text = '{"id":"a","space":"s","content":"茶","created_at":0,"updated_at":0,"last_activated_at":0}'
    memory = codec.decode_memory(text)
    assert (memory.content, memory.mentions, memory.said) == ("茶", 1, ())


def test_what_a_newer_writer_knew_is_kept_and_written_back():
    memory = Samples().memory(metadata={"k": 1})
    raw = {**json.loads(codec.encode_memory(memory)), "aura": {"hue": "blue"}, "depth": 3}
    back = codec.decode_memory(json.dumps(raw))
    assert back.metadata == {"k": 1, codec.LATER: {"aura": {"hue": "blue"}, "depth": 3}}
    assert json.loads(codec.encode_memory(back)) == raw


@pytest.mark.parametrize("value", [{}, "text", {"id": "not for me"}, {"x": 1}, [1]])
def test_metadata_that_looks_like_a_newer_writers_comes_back_too(value):
    memory = Samples().memory(metadata={codec.LATER: value, "k": 1})
    assert codec.decode_memory(codec.encode_memory(memory)) == memory


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '"x"', "{", '{"id":"a"}', '{"id":3}', '{"status":"gone"}', '{"created_at":"today"}'],
)
def test_what_is_no_memory_is_a_value_error(text):
    with pytest.raises((ValueError, TypeError)):
        codec.decode_memory(text)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_know_is_refused(bad):
    with pytest.raises(ValueError, match="JSON"):
        codec.encode_memory(Samples().memory(boost=bad))
    with pytest.raises(ValueError, match="JSON"):
        codec.encode_memory(Samples().memory(metadata={"x": bad}))
