"""The packed record: nothing is lost, keys fold, and equal memories are equal bytes in every process."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.model.layer import Layer, Level, Priority
from holdfast.model.memory import RECENT_KEPT, Memory
from holdfast.model.status import Mark, Status
from holdfast.profile import load as profiles
from holdfast.recall import record
from holdfast.recall.rank import Candidates
from holdfast.recall.weights import weights
from holdfast.steward.weighing import kind_weight, weight

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
PRESETS = ("assistant", "entities", "personal", "care", "team", "companion")

moments = st.integers(-400 * 86400, 0).map(lambda seconds: NOW + timedelta(seconds=seconds))
shares = st.floats(0, 1)


@st.composite
def memories(draw):
    created = draw(moments)
    mentions = tuple(sorted(draw(st.lists(moments, max_size=RECENT_KEPT + 3))))
    return Memory(
        id="m",
        space="s",
        content=draw(st.text(max_size=20)),
        created_at=created,
        updated_at=draw(moments),
        last_activated_at=draw(moments),
        layer=draw(st.sampled_from([Layer.FACT, Layer.EPISODE, Layer.SESSION])),
        kind=draw(st.sampled_from(["identity", "preference", "temporary", "of nobody's"])),
        status=draw(st.sampled_from(Status)),
        marks=draw(st.frozensets(st.sampled_from(Mark))),
        level=draw(st.sampled_from(Level)),
        version=draw(st.integers(1, 1000)),
        confidence=draw(shares),
        priority=draw(st.sampled_from(Priority)),
        sensitivity=draw(st.integers(0, 3)),
        importance=draw(st.floats(0, 5)),
        mentions=draw(st.integers(1, 10**6)),
        mentioned_at=draw(st.none() | moments),
        recent_mentions=mentions[-RECENT_KEPT:],
        boost=draw(shares),
        momentum=draw(shares),
        momentum_until=draw(st.none() | moments),
        negated_at=draw(st.none() | moments),
        reaffirmed_at=draw(st.none() | moments),
        uncertain_since=draw(st.none() | moments),
        weight_cap=draw(st.none() | shares),
        promoted_at=draw(st.none() | moments),
        access_count=draw(st.integers(0, 200)),
        accessed_at=draw(st.none() | moments),
    )


@given(memories())
def test_a_record_tells_what_the_memory_tells(memory):
    packed = record.pack(memory)
    assert len(packed) == record.DTYPE.itemsize
    assert record.all_fresh([packed])
    (row,) = record.unpack([packed])
    assert record.LAYERS[row["layer"]] is memory.layer
    assert record.STATUSES[row["status"]] is memory.status
    assert record.LEVELS[row["level"]] is memory.level
    assert record.PRIORITIES[row["priority"]] is memory.priority
    assert {mark for mark, bit in record.MARK_BIT.items() if row["marks"] & bit} == memory.marks
    assert record.moment(float(row["created"])) == memory.created_at
    assert record.moment(float(row["uncertain"])) == memory.uncertain_since
    told = [record.moment(at) for at in row["recent"].tolist() if not isnan(at)]
    assert told == list(memory.recent_mentions)
    assert row["mentions"] == memory.mentions
    assert row["importance"] == memory.importance


@given(memories(), st.sampled_from(PRESETS))
def test_columns_weigh_as_one_memory_does(memory, name):
    profile = profiles.load(name)
    row = record.unpack([record.pack(memory)])
    one = np.zeros(1)
    found = Candidates(
        rows=np.zeros(1, np.intp),
        relevance=one,
        similarity=one,
        told=one > 0,
        exact=one > 0,
        records=row,
        kind=np.array([kind_weight(memory.kind, profile)]),
        at=one,
        accesses=np.array([memory.access_count]),
        accessed=np.array([record.seconds(memory.accessed_at)]),
    )
    here, factors = weights(found, record.seconds(NOW), profile)
    there, parts = weight(memory, NOW, profile)
    assert here[0] == pytest.approx(there, rel=1e-12)
    for name_of, value in parts.items():
        assert np.broadcast_to(factors[name_of], 1)[0] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢咖啡", "我喜歡咖啡"),
        ("Ｐｙｔｈｏｎ 代码", "python  代碼"),
        ("She likes Coffee", " she LIKES\tcoffee "),
    ],
)
def test_keys_fold_width_case_script_and_white_space(one, other):
    assert record.content_key(one) == record.content_key(other)
    assert record.entity_key("料号", one) == record.entity_key("料號", other)


@pytest.mark.parametrize("near", ["RM05-009", "RM05-08", "RM05 -008"])
def test_keys_of_near_identifiers_differ(near):
    assert record.entity_key("part_number", "RM05-008") != record.entity_key("part_number", near)


def test_no_name_has_the_key_of_nothing():
    assert record.name_key("") == 0
    assert record.content_key("") == 0
    assert record.digest("") != 0


def test_a_lone_surrogate_has_a_key_too():
    assert record.content_key("\ud800") != record.content_key("\ud801")


def test_records_are_the_same_in_every_process():
    program = (
        "from holdfast.recall import record; print(record.content_key('我喜歡咖啡'), record.name_key('Ann'))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PATH": "", "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
