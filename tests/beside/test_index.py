"""Qdrant beside the truth: fed from it, asked for candidates, never believed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qdrant_client import QdrantClient

from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.errors import InvalidInput
from holdfast.settings import IndexSettings

TOLD = (
    "我喜欢早上喝一杯拿铁",
    "奶奶的藥在左邊的抽屜",
    "The spare key hangs behind the garden door",
    "Our dentist is called Marlow and works on Tuesdays",
    "料号 RM05-008 的供应商换成了顺达",
)
ASKED = (
    ("早上喝什么？", TOLD[0]),
    ("奶奶的藥在哪裡？", TOLD[1]),
    ("Where is the spare key to the garden door?", TOLD[2]),
    ("What is our dentist called?", TOLD[3]),
)


@pytest.fixture
def asking(qdrant):
    """Looks at the server past everything of ours."""
    client = QdrantClient(url=qdrant.url, check_compatibility=False)
    yield client
    client.close()


def contents(answer):
    return [hit.memory.content for hit in answer.hits]


@pytest.mark.row("A8")
def test_one_setting_puts_a_collection_of_the_published_form_beside_the_truth(truth, opened, indexed, asking):
    house = opened(truth, index=indexed, embedder=HashingEmbedder(768))
    me = house.space("user:alice", profile="entities")
    me.store_entity("part_number", "RM05-008", confidence=0.9)
    house.work()

    found = asking.get_collection(indexed.collection)
    assert (found.config.params.vectors.size, found.config.params.vectors.distance) == (768, "Cosine")
    kinds = {field: str(told.data_type.value) for field, told in found.payload_schema.items()}
    assert kinds == {
        "user_id": "keyword",
        "entity_type": "keyword",
        "status": "keyword",
        "entity_value": "text",
        "confidence": "float",
        "access_count": "integer",
        "created_at": "datetime",
        "updated_at": "datetime",
    }
    assert found.payload_schema["user_id"].params.is_tenant
    (point,), _ = asking.scroll(indexed.collection)
    assert point.payload["user_id"] == house.spaces()[0].id
    assert (point.payload["entity_type"], point.payload["entity_value"]) == ("part_number", "RM05-008")
    assert (point.payload["status"], point.payload["confidence"]) == ("active", 0.9)
    assert contents(me.recall("RM05-008"))[0] == "RM05-008"
    assert me.recall("RM05-008").searched["through"] == "qdrant"


@pytest.mark.row("A8")
@pytest.mark.row("B11")
def test_what_is_found_through_the_index_is_what_the_truth_alone_would_find(truth, opened, indexed):
    through = opened(truth, index=indexed)
    me = through.space("user:alice", profile="assistant")
    me.remember_many(TOLD)
    through.work()
    for question, expected in ASKED:
        answer = me.recall(question)
        assert contents(answer)[0] == expected
        assert answer.searched["through"] == "qdrant"
        assert answer.degraded == ()
    if truth != "memory://":
        alone = opened(truth)
        for question, _ in ASKED:
            plain = alone.space("user:alice").recall(question)
            assert [(h.memory.id, h.score) for h in plain.hits] == [
                (h.memory.id, h.score) for h in me.recall(question).hits
            ]
            assert "through" not in plain.searched


def test_ones_own_writes_are_found_before_the_index_was_fed_with_them(truth, opened, indexed):
    house = opened(truth, index=indexed)
    me = house.space("user:alice", profile="assistant")
    me.remember("The boat is moored at pier nine")
    house.work()
    me.remember(TOLD[2])
    forgotten = me.recall("Where is the boat moored?").hits[0].memory.id
    me.forget(forgotten)
    assert me.stats().behind == {"qdrant": 2}
    answer = me.recall("Where does the spare key hang?")
    assert contents(answer)[0] == TOLD[2]
    assert answer.searched["through"] == "qdrant"
    assert forgotten not in [hit.memory.id for hit in me.recall("Where is the boat moored?").hits]
    house.work()
    assert me.stats().behind == {"qdrant": 0}
    assert house.doctor() == []


def test_changes_of_every_sort_reach_the_index(truth, opened, indexed, asking, clock):
    house = opened(truth, index=indexed)
    me = house.space("user:alice", profile="assistant")
    kept, revised, forgotten = (me.remember(text).memory.id for text in TOLD[2:])
    house.work()
    me.revise(revised, content="Our dentist is called Okoro now")
    me.forget(forgotten)
    me.recall("spare key")
    for _ in range(5):  # a server that is slow to answer is told again, later
        me.get(kept)  # writes the counts that wait
        house.work()
        points = {point.payload["memory"]: point.payload for point in asking.scroll(indexed.collection)[0]}
        if points[kept]["access_count"]:
            break
        clock.advance(minutes=5)
    assert points[forgotten]["status"] == "deleted"
    assert points[kept]["access_count"] >= 1
    assert contents(me.recall("What is the dentist called?"))[0] == "Our dentist is called Okoro now"
    assert house.doctor() == []


@pytest.mark.row("A1")
@pytest.mark.row("P7")
def test_ids_of_another_space_are_never_shown_even_where_the_index_names_them(truth, opened, indexed, asking):
    house = opened(truth, index=indexed)
    mine, theirs = (house.space(name, profile="assistant") for name in ("user:alice", "user:bo"))
    mine.remember(TOLD[3])
    secret = theirs.remember(TOLD[2]).memory.id
    house.work()
    ids = {record.name: record.id for record in house.spaces()}
    for point in asking.scroll(indexed.collection, with_payload=True)[0]:
        if point.payload["memory"] == secret:  # an index gone mad: it says that theirs is mine
            asking.set_payload(indexed.collection, {"user_id": ids["user:alice"]}, [point.id])
    answer = mine.recall("Where is the spare key to the garden door?")
    assert answer.searched["through"] == "qdrant"
    assert secret not in [hit.memory.id for hit in answer.hits]
    assert all(hit.memory.space == "user:alice" for hit in answer.hits)
    assert contents(theirs.recall("Where is the spare key?")) == [TOLD[2]]


@pytest.mark.row("B11")
def test_an_index_that_drifted_is_reported_and_built_anew(truth, opened, indexed, asking):
    house = opened(truth, index=indexed)
    me = house.space("user:alice", profile="assistant")
    lost, changed, _ = (me.remember(text).memory.id for text in TOLD[:3])
    house.work()
    points = {point.payload["memory"]: point.id for point in asking.scroll(indexed.collection)[0]}
    asking.delete(indexed.collection, [points[lost]])
    asking.set_payload(indexed.collection, {"stamp": 1}, [points[changed]])
    assert {(drift.what, drift.id) for drift in house.doctor()} == {("missing", lost), ("changed", changed)}
    house.repair("user:alice")
    assert house.doctor() == []
    asking.delete_collection(indexed.collection)
    assert [drift.what for drift in house.doctor()] == ["unreachable"]  # it was there a moment ago
    assert [drift.what for drift in house.doctor()] == ["late"]
    assert contents(me.recall("奶奶的藥在哪裡？"))[0] == TOLD[1]
    house.repair("user:alice")
    assert house.doctor() == []
    assert me.recall("奶奶的藥在哪裡？").searched["through"] == "qdrant"


@pytest.mark.row("B11")
def test_without_its_server_the_truth_answers_and_says_so(tmp_path, opened, mortal_qdrant, clock):
    settings = IndexSettings(name="qdrant", url=mortal_qdrant.url, above=0)
    house = opened(tmp_path, index=settings)
    me = house.space("user:alice", profile="assistant")
    me.remember_many(TOLD[:3])
    house.work()
    mortal_qdrant.kill()
    kept = me.remember(TOLD[3])
    answer = me.recall("What is our dentist called?")
    assert contents(answer)[0] == TOLD[3]
    assert any("the truth's own search answered: qdrant" in told for told in answer.degraded)
    assert house.work().retried >= 1
    assert me.stats().behind == {"qdrant": None}
    assert [drift.what for drift in house.doctor()] == ["unreachable"]

    mortal_qdrant.start()
    clock.advance(seconds=15)
    house.work()
    answer = me.recall("What is our dentist called?")
    assert (answer.hits[0].memory.id, answer.degraded) == (kept.memory.id, ())
    assert answer.searched["through"] == "qdrant"
    assert house.doctor() == []


def test_a_secret_leaves_no_trace_in_the_index(truth, opened, indexed, asking):
    house = opened(truth, index=indexed)
    me = house.space("user:alice", profile="assistant")
    me.remember(TOLD[0])
    me.remember("My password is hunter2-Ax9", label="door code", sensitivity=3)
    house.work()
    points, _ = asking.scroll(indexed.collection)
    assert len(points) == 1
    assert "hunter2" not in str(points)


def test_a_space_of_another_embedder_has_a_collection_of_its_own(tmp_path, opened, indexed, asking):
    house = opened(tmp_path, index=indexed)
    me = house.space("user:alice", profile="assistant")
    me.remember_many(TOLD)
    house.work()
    house.reembed("user:alice", HashingEmbedder(64))
    house.work()
    assert contents(me.recall("What is our dentist called?"))[0] == TOLD[3]
    assert me.recall("dentist").searched["through"] == "qdrant"
    names = {found.name for found in asking.get_collections().collections}
    assert len([name for name in names if name.startswith(indexed.collection)]) == 3  # and the bookmarks
    house.reembed("user:alice", back=True, drop_old=True)
    house.work()
    assert house.doctor() == []


def test_a_small_space_is_searched_in_memory_whatever_stands_beside_it(truth, opened, indexed):
    house = opened(truth, index=replace(indexed, above=1000))
    me = house.space("user:alice", profile="assistant")
    me.remember_many(TOLD)
    house.work()
    assert "through" not in me.recall("spare key").searched
    assert me.stats().behind == {"qdrant": 0}


def test_an_index_nobody_knows_is_refused_by_name(tmp_path, opened):
    with pytest.raises(InvalidInput, match="give one of none, qdrant"):
        opened(tmp_path, index=IndexSettings(name="quadrant"))
