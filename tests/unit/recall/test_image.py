"""The space in memory: after any history it is what a new one would be, and what a reader holds never
changes.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import Damaged
from holdfast.model.layer import Layer, Mode
from holdfast.model.status import Mark, Status
from holdfast.recall import growth, indexing, record
from holdfast.recall.frame import Sieve
from holdfast.recall.image import Images
from holdfast.recall.words import indexed

from .conftest import NOW, Room

CONTENTS = ("我喜欢咖啡", "我喜歡咖啡", "她住在上海", "I like coffee", "RM05-008 is late", "coffee, coffee")


@pytest.fixture(scope="module")
def rooms_made():
    return Room


def told(image):
    """Everything a frame says of each memory, by id: rows may lie elsewhere."""
    frame, columns = image.frame, image.frame.columns
    place = {frame.ids[row]: row for row in np.flatnonzero(frame.flags)}
    name = lambda row: frame.ids[row] if row >= 0 else None
    words = {row: {} for row in place.values()}
    for half in (columns.postings, columns.tail):
        for term, row, count in zip(
            half.terms.tolist(), half.rows.tolist(), half.counts.tolist(), strict=True
        ):
            words[row][term] = count
    seen = {}
    for id, row in place.items():
        seen[id] = {
            "words": words[row],
            "vector": columns.vectors[row].tobytes() if columns.has_vector[row] else None,
            "previous": name(columns.previous[row]),
            "next": name(columns.next[row]),
            "kind": columns.kinds[columns.kind[row]],
            "speaker": columns.speakers[columns.speaker[row]] if columns.speaker[row] >= 0 else None,
            "layer": columns.layers[columns.layer[row]],
            "record": frame.packed(np.array([row])).tobytes(),
            "asks": bool(columns.asks[row]),
            "length": float(columns.lengths[row]),
            "terms": sorted(columns.terms_of(row).tolist()),
        }
        for column in (
            "flags",
            "status",
            "expires",
            "confidence",
            "content",
            "entity",
            "entity_type",
            "value",
        ):
            seen[id][column] = repr(getattr(frame, column)[row])
        seen[id]["at"] = float(columns.at[row])
        seen[id]["accesses"] = tuple(np.nan_to_num(part[0]) for part in image.accesses(np.array([row])))
    return seen


@st.composite
def histories(draw):
    """Steps of writing: so few memories, sessions and words that everything collides."""
    step = st.one_of(
        st.tuples(st.just("new"), st.sampled_from(CONTENTS), st.sampled_from(["", "s1", "s2"])),
        st.tuples(st.just("words"), st.integers(0, 9), st.sampled_from(CONTENTS)),
        st.tuples(st.just("state"), st.integers(0, 9), st.sampled_from(Status)),
        st.tuples(st.just("session"), st.integers(0, 9), st.sampled_from(["", "s1", "s3"])),
        st.tuples(st.just("when"), st.integers(0, 9), st.integers(0, 5)),
        st.tuples(st.just("late"), st.integers(0, 9), st.none()),
        st.tuples(st.just("purge"), st.integers(0, 9), st.none()),
        st.tuples(st.just("look"), st.none(), st.none()),
    )
    return draw(st.lists(step, min_size=1, max_size=25))


def live(room, steps, looks):
    """Plays a history; calls `looks()` where it says "look"."""
    there = []
    for verb, which, what in steps:
        if verb == "new":
            vectors = len(there) % 3 != 2  # every third waits for its vector
            there += room.put(
                room.memory(which, session=what, speaker="Ann" if what else ""), vectors=vectors
            )
        elif verb == "look":
            looks()
        elif there:
            place = which % len(there)
            old = there[place]
            if verb == "purge":
                room.put(purges=[there.pop(place).id])
            elif verb == "late":
                vector = room.embedder.embed([indexing.embedded_text(old)])[0].tobytes()
                room.store.store_vectors(room.embedder.name, {old.id: vector}, {old.id: old.version})
            else:
                field = {"words": "content", "state": "status", "session": "session", "when": "valid_from"}[
                    verb
                ]
                value = NOW - timedelta(days=what) if verb == "when" else what
                there[place] = room.change(old, **{field: value})


@settings(max_examples=150, deadline=None)
@given(histories())
def test_an_image_after_any_history_is_one_built_anew(rooms_made, steps):
    room = rooms_made()
    kept = room.image
    live(room, steps, lambda: room.image)
    assert told(room.image) == told(room.anew())
    assert room.image.sequence == room.store.sequence()
    assert kept is not None


def test_who_leaves_a_session_has_no_neighbours_any_more(room):
    first, second = room.put(*[room.memory(content, session="s1") for content in CONTENTS[:2]])
    assert room.image.frame.columns.next[0] == 1
    room.change(first, session="")
    assert told(room.image) == told(room.anew())
    assert second.session == "s1"


@settings(max_examples=60, deadline=None)
@given(histories(), histories())
def test_what_a_reader_holds_never_changes(rooms_made, before, after):
    room = rooms_made()
    live(room, before, lambda: room.image)
    image = room.image
    frame = image.frame
    copies = {
        name: getattr(frame.columns, name).copy() for name in ("previous", "next", "lengths", "session", "at")
    }
    copies |= {name: getattr(frame, name).copy() for name in ("flags", "status", "content", "slots")}
    records = frame.packed(np.arange(frame.rows)).tobytes()
    had = frame.columns.has_vector.copy()
    vectors = frame.columns.vectors[had].copy()
    words = [frame.columns.postings.rows.copy(), frame.columns.tail.rows.copy()]
    live(room, [step for step in after if step[0] != "purge"], lambda: room.image)
    assert room.image.frame is not frame or room.store.sequence() == frame.sequence
    for name, copy in copies.items():
        held = getattr(frame.columns, name) if hasattr(frame.columns, name) else getattr(frame, name)
        assert np.array_equal(held, copy, equal_nan=copy.dtype.kind == "f"), name
    assert frame.packed(np.arange(frame.rows)).tobytes() == records
    assert np.array_equal(frame.columns.has_vector, had)
    assert np.array_equal(frame.columns.vectors[had], vectors)
    assert np.array_equal(frame.columns.postings.rows, words[0])
    assert np.array_equal(frame.columns.tail.rows, words[1])


def test_readers_and_a_writer_at_once_never_see_a_mixture(room):
    """Every memory of one change carries the same word; a reader finds all of them or none."""
    things = [room.memory(f"thing {number} word0") for number in range(20)]
    room.put(*things)
    stop, mixed = threading.Event(), []

    def read():
        while not stop.is_set():
            frame = room.image.frame
            rows = np.flatnonzero(frame.flags)
            versions = set(frame.packed(rows)["version"].tolist())
            counted = np.bincount(frame.columns.postings.rows, minlength=frame.rows)
            counted += np.bincount(frame.columns.tail.rows, minlength=frame.rows)
            if len(versions) != 1 or len(rows) != 20 or (counted[rows] == 0).any():
                mixed.append((versions, len(rows)))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(1, 30):
        things = [replace(t, version=t.version + 1, content=f"{t.content[:-1]}{number % 10}") for t in things]
        room.put(*things)
    stop.set()
    for reader in readers:
        reader.join()
    assert mixed == []
    assert told(room.image) == told(room.anew())


def test_an_unchanged_space_is_the_same_image(room):
    room.put(room.memory())
    frame = room.image.frame
    assert room.image.frame is frame


def test_contents_entities_and_sessions_are_looked_up_folded(room):
    one, two, three = room.put(
        room.memory("我喜欢喝咖啡", session="早"),
        room.memory("料号", entity_type="part_number", entity_value="ＲＭ05-008", session="早"),
        room.memory("old", status=Status.DELETED, entity_type="part_number", entity_value="RM05-009"),
    )
    image = room.image
    assert image.size == 3
    assert image.find_content("我喜歡喝咖啡") == [one.id]
    assert image.find_entity("Part_Number", "rm05-008") == [two.id]
    assert image.find_entity("part_number", "RM05-010") == []
    assert image.of_entity_type("part_number") == [two.id, three.id]
    assert image.of_entity_type("part_number", statuses=[Status.ACTIVE]) == [two.id]
    assert image.session_ids("早") == [one.id, two.id]
    assert image.session_ids("晚") == []


def test_an_empty_space_finds_nothing(room):
    image = room.image
    assert image.size == 0
    assert image.nearest(np.ones((1, 16), np.float32), 3) == [[]]
    assert image.find_content("x") == []


def test_neighbours_are_those_of_the_session_in_order_of_time(room):
    day = timedelta(days=1)
    third, first, other, second = room.put(
        room.memory("c", session="s", at=NOW - day),
        room.memory("a", session="s", at=NOW - 3 * day),
        room.memory("x", session="t", at=NOW - 2 * day),
        room.memory("b", session="s", at=NOW - 2 * day),
    )
    seen = told(room.image)
    assert (seen[first.id]["previous"], seen[first.id]["next"]) == (None, second.id)
    assert (seen[second.id]["previous"], seen[second.id]["next"]) == (first.id, third.id)
    assert (seen[other.id]["previous"], seen[other.id]["next"]) == (None, None)
    room.change(second, status=Status.DELETED)
    seen = told(room.image)
    assert (seen[first.id]["next"], seen[third.id]["previous"]) == (third.id, first.id)


def test_accesses_count_at_once_and_survive_a_new_row(room):
    (one,) = room.put(room.memory("我喜欢咖啡"))
    image = room.image
    rows = np.array([0])
    room.images.accessed(room.store, image, rows, at=NOW)
    room.images.accessed(room.store, image, rows, at=NOW)
    assert image.accesses(rows)[0].tolist() == [2]
    assert room.store.get([one.id])[one.id].access_count == 0
    room.change(one, content="她喜欢茶")
    assert dict(told(room.image))[one.id]["accesses"][0] == 2
    room.images.flush(room.store)
    assert room.store.get([one.id])[one.id].access_count == 2
    assert told(room.anew())[one.id]["accesses"] == (2, record.seconds(NOW))


def test_rows_of_an_older_format_are_read_anew_from_the_truth(room):
    one, two = room.put(room.memory("我喜欢咖啡"), room.memory("coffee"))
    right = told(room.anew())
    room.store.reindex({one.id: (b"\0old", indexing.packed_words(one)), two.id: (record.pack(two), b"\0old")})
    assert told(room.anew()) == right
    assert told(room.image) == right


def test_a_vector_of_another_size_is_damage(room):
    room.put(room.memory(), vectors=[[1.0] * 8])
    with pytest.raises(Damaged, match="16 dimensions"):
        _ = room.image


def test_an_image_with_too_many_gone_rows_is_built_anew(room, monkeypatch):
    monkeypatch.setattr(growth, "_GONE_FEW", 3)
    (one,) = room.put(room.memory("w0"))
    image = room.image
    for number in range(1, 8):
        one = room.change(one, content=f"w{number}")
        _ = room.image
    assert room.image is not image
    assert room.image.frame.rows <= 4
    assert told(room.image) == told(room.anew())


def test_a_long_tail_is_merged(room, monkeypatch):
    monkeypatch.setattr(growth, "LONGEST_TAIL", 10)
    for number in range(12):
        room.put(room.memory(f"word{number} other"))
        _ = room.image
    columns = room.image.frame.columns
    assert len(columns.tail.terms) <= 10
    assert (np.diff(columns.postings.terms.astype(np.int64)) >= 0).all()
    assert told(room.image) == told(room.anew())


def test_a_purged_memory_leaves_neither_words_nor_vector(room):
    one, two = room.put(room.memory("geheim"), room.memory("other"))
    frame = room.image.frame
    assert frame.columns.vectors[0].any()
    room.put(purges=[one.id])
    later = room.image.frame
    assert set(told(room.image)) == {two.id}
    assert not later.columns.vectors[0].any()
    assert 0 not in later.columns.postings.rows
    assert not later.columns.terms_of(0).any()
    assert later.columns.terms_of(1).any()


def test_images_stay_under_their_limit_over_a_thousand_spaces(room):
    spaces = []
    for number in range(1000):
        made = replace(room.store.record, id=f"room{number}", name=f"room{number}")
        room.store = room.house.open(room.house.create(made))
        room.put(room.memory(f"w{number}"), room.memory("other"))
        spaces.append(room.store)
    size = Images(10**9).of(spaces[0], room.embedder).nbytes
    limit = int(50.5 * size)
    images = Images(limit)
    for _ in range(2):
        for space in spaces:
            assert images.of(space, room.embedder).size == 2
            assert images.nbytes <= limit
    recent = [images.of(space, room.embedder) for space in spaces[-40:]]
    assert [images.of(space, room.embedder) for space in spaces[-40:]] == recent


def test_one_image_larger_than_the_limit_is_still_used(room):
    room.put(room.memory("我喜欢咖啡"))
    images = Images(1)
    image = images.of(room.store, room.embedder)
    assert images.of(room.store, room.embedder) is image


def test_a_store_that_went_back_in_time_is_read_again(room):
    room.put(room.memory("a"))
    room.put(room.memory("b"))
    image = room.image
    backup = type(room)()
    backup.put(backup.memory("a"))
    backup.store._house = room.house
    fresh = room.images.of(backup.store, room.embedder)
    assert fresh is not image
    assert fresh.size == 1


def test_what_is_forgotten_of_a_space_is_read_again(room):
    room.put(room.memory("a"))
    image = room.image
    room.images.forget(room.store.record.id)
    assert room.image is not image


def test_a_secret_is_known_by_its_label_only(room):
    (secret,) = room.put(
        room.memory("the code is 4711", sensitivity=3, label="door", speaker="Ann"), vectors=False
    )
    assert indexing.embedded_text(secret) == ""
    seen = told(room.image)[secret.id]
    assert set(seen["words"]) == set(indexed("door").terms)
    assert seen["speaker"] is None
    assert room.image.find_content("the code is 4711") == []


def test_constitution_and_quarantine_are_never_among_what_is_searched(room):
    room.put(
        room.memory("a", layer=Layer.CONSTITUTION),
        room.memory("b", layer=Layer.QUARANTINE),
        room.memory("c", marks=frozenset({Mark.CORE})),
    )
    frame = room.image.frame
    for mode in Mode:
        sieve = Sieve(mode, frozenset(Layer), record.seconds(NOW), 0.0)
        assert frame.allowed(sieve).tolist() == [False, False, True]
