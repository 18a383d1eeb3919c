"""The client has the library's verbs, values and errors."""

from __future__ import annotations

import inspect
import json
import os
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from holdfast import Draft, Forbidden, Holdfast, InvalidInput, UnknownSpace, errors
from holdfast.client import Client, RemoteSpace
from holdfast.client.rooms import RemoteConstitution, RemoteSteward, RemoteStewards
from holdfast.client.talk import RemoteConversation
from holdfast.remember.constitution import Constitution
from holdfast.remember.converse import Conversation
from holdfast.remember.resolve import Candidate
from holdfast.remember.review import Step
from holdfast.rounds.door import Steward, Stewards
from holdfast.space import Space

# What needs this process, or has no path of REST.
HERE = {
    Space: {"actor", "as_actor", "captured", "capturing", "events", "id", "profile", "refuse", "require"},
    Constitution: set(),
    Steward: set(),
    Conversation: set(),
    Holdfast: {"aio", "clock", "image_bytes", "reembed", "settings"},
    Stewards: {"keep"},
}


@pytest.fixture
def pair(server):
    """The same space, by the client and by the library."""
    name = f"user:{os.urandom(4).hex()}"
    with Client(server.url, server.admin) as client, Holdfast(server.home) as hf:
        remote = client.space(name, profile="assistant")
        yield remote, hf.space(name)


@pytest.mark.parametrize(
    ("remote", "local"),
    [
        (RemoteSpace, Space),
        (RemoteConstitution, Constitution),
        (RemoteSteward, Steward),
        (RemoteConversation, Conversation),
        (Client, Holdfast),
        (RemoteStewards, Stewards),
    ],
)
def test_every_verb_has_the_name_and_the_parameters_of_the_librarys(remote, local):
    verbs = {name for name in dir(local) if not name.startswith("_")} - HERE[local]
    mine = {name for name in dir(remote) if not name.startswith("_")}
    assert verbs - mine - {"name"} == set()
    for name in verbs & mine - {"name", "constitution", "steward", "list"}:
        theirs = inspect.signature(getattr(local, name)).parameters
        ours = inspect.signature(getattr(remote, name)).parameters
        assert set(ours) <= set(theirs), name
        assert set(theirs) - set(ours) <= {"at", "told", "until"}, name


def test_values_come_back_as_the_library_made_them(pair):
    remote, local = pair
    told = Draft(
        content="小明住在杭州，周末去西湖",
        tags=("城市",),
        metadata={"page": 3},
        at=datetime(2026, 1, 31, tzinfo=UTC),
    )
    outcomes = remote.remember_many(
        ["Ada plays the cello", told, {"content": "Ada owns a kiln", "confidence": 0.7}]
    )
    assert [out.decision for out in outcomes] == ["accepted"] * 3
    assert [remote.get(out.memory.id) for out in outcomes] == [local.get(out.memory.id) for out in outcomes]
    assert remote.list(limit=2) == local.list(limit=2)
    assert remote.list(kind=["place", "note"]) == local.list(kind=["place", "note"])
    assert remote.ledger() == local.ledger()
    assert remote.verify() == local.verify()
    assert remote.stats().__class__ is local.stats().__class__
    id = outcomes[0].memory.id
    remote.attach(id, modality="image", reference="file:cello.jpg")
    remote.negate(id, "Ada does not play the cello any more")
    assert remote.history(id) == local.history(id)
    assert remote.why(id) == local.why(id)
    assert remote.weights(id) == local.weights(id)
    (hit, *_) = remote.recall("where does 小明 live? 杭州")
    assert (hit.memory.content, bool(hit.explain.arms)) == (told.content, True)
    assert remote.undo(remote.forget(hit.memory.id).change).decision == "accepted"
    later = datetime.now(UTC) + timedelta(days=400)
    assert remote.steward.plan(at=later).steps
    assert remote.steward.plan(at=later) == local.steward.plan(at=later)
    assert remote.capture("raw", metadata={"a": 1}) == local.captures()[0]


def test_the_constitution_takes_three_confirmations_over_the_network_too(pair):
    remote, _ = pair
    change = remote.constitution.propose("Her daughter is Lin Xiaoman", priority="high")
    token = change.token
    while not change.done:
        token = change.confirm(token)
    assert change.confirmations == change.needed == 3
    assert [entry.content for entry in remote.constitution.entries()] == ["Her daughter is Lin Xiaoman"]


def test_errors_come_back_as_the_same_classes(pair, server):
    remote, local = pair
    with Client(server.url, server.admin) as client:
        with pytest.raises(UnknownSpace) as unknown:
            client.space(local.name[:-1] + "x")
        assert local.name in unknown.value.near
    id = remote.remember("Ada plays the cello").memory.id
    for wrong, kind in (
        (lambda: remote.remember("x", confidence=2.0), InvalidInput),
        (lambda: remote.get("nobody"), errors.NotFound),
        (lambda: remote.revise(id, content="Ada sold the cello", version=7), errors.StaleWrite),
        (lambda: remote.context("x", count=len), InvalidInput),
        (lambda: remote.forget(id, at=datetime.now(UTC)), InvalidInput),
    ):
        with pytest.raises(errors.HoldfastError) as found:
            wrong()
        assert type(found.value) is kind
    with pytest.raises(Forbidden), Client(server.url, "hf_a_b") as nobody:
        nobody.spaces()
    with pytest.raises(errors.Unavailable), Client("http://127.0.0.1:9", "hf_a_b") as nowhere:
        nowhere.spaces()


def test_a_write_whose_answer_is_lost_is_sent_again_and_done_once(pair, monkeypatch):
    remote, local = pair
    send, lost = httpx.Client.send, []

    def once_lost(self, request, **how):
        answer = send(self, request, **how)
        if not lost:
            lost.append(answer.status_code)
            raise httpx.ReadError("the line broke")
        return answer

    monkeypatch.setattr(httpx.Client, "send", once_lost)
    assert remote.remember("Ada plays the cello").decision == "accepted"
    assert lost == [200]
    assert [memory.mentions for memory in local.list()] == [1]


def test_a_whole_space_goes_out_and_in_and_keys_are_made(pair, server):
    remote, local = pair
    remote.remember("Ada plays the cello")
    name = f"copy:{os.urandom(4).hex()}"
    with Client(server.url, server.admin) as client:
        record = client.import_space(client.export(local.name), name=name)
        assert record.name == name
        assert [one.content for one in client.space(name).list()] == ["Ada plays the cello"]
        new = client.keys.create("kitchen", role="agent", spaces=[name], days=1)
        with Client(server.url, new.token) as agent:
            assert [one.name for one in agent.spaces()] == [name]
        assert client.keys.revoke(new.key.id).revoked_at is not None
        assert client.verify(name).ok
        assert client.repair(name) >= 0
        assert client.work().__class__.__name__ == "WorkReport"


@pytest.mark.parametrize(
    ("said", "reference"),
    [
        ("I need part RM05-008 again", "that part again"),
        ("这次还要料号RM05-008", "上次那个料号"),
        ("這次還要料號RM05-008", "上次那個料號"),
    ],
)
def test_entities_are_noted_and_a_reference_is_resolved(said, reference, pair):
    remote, local = pair
    noted = remote.note_entities(said)
    assert "RM05-008" in {out.memory.entity_value for out in noted}
    meant = remote.resolve(reference)
    assert meant.memory.entity_value == "RM05-008"
    assert meant.memory == local.resolve(reference).memory
    assert [type(one) for one in meant.candidates] == [Candidate] * len(meant.candidates)


def test_a_conversation_is_held_over_the_network_and_ended_once(pair):
    remote, local = pair
    remote.remember("Ada plays the cello")
    talk, there = remote.converse("/星期天/2?"), local.converse("/星期天/2?")
    assert talk.say("user", "My sister Juniper is allergic to peanuts").decision == "accepted"
    assert "Ada plays the cello" in [hit.memory.content for hit in talk.recall("what does Ada play?")]
    assert "Ada plays the cello" in talk.context("what does Ada play?").text
    talk.say("assistant", "She plays the cello")
    assert talk.turns() == there.turns()
    ended = talk.end()
    assert (ended.turns, ended.repeated) == (2, False)
    assert ended.summary.memory == there.end().summary.memory
    assert talk.end().repeated
    for wrong in ("", ".", ".."):
        with pytest.raises((InvalidInput, errors.NotFound)):
            remote.converse(wrong)


def test_an_observation_is_kept_and_a_memory_is_looked_at_again(pair, server):
    remote, local = pair
    with Client(server.url, server.admin) as client, Holdfast(server.home) as hf:
        assert client.schemas() == hf.schemas()
        assert local.name in {round.space for round in client.steward.plan()}
    kept = remote.observe(
        {
            "type": "decision",
            "summary": "The kiln is fired on Mondays",
            "layer": "fact",
            "created_at": "2026-01-31T12:00:00Z",
            "author": "caregiver",
        },
        confidence=0.95,
    )
    assert kept.memory == local.get(kept.memory.id)
    looked = remote.review(kept.memory.id)
    assert (looked.memory, type(looked.steps[0])) == (kept.memory.id, Step)
    (capture,) = [remote.capture("The kiln was repaired by Mr Larkspur with new bricks")]
    assert remote.brief().__class__ is local.brief().__class__
    (promoted,) = remote.promote(capture.id)
    assert promoted.memory.verified


def test_what_a_conversation_handed_out_is_told_with_the_next_reply_and_not_again(pair, monkeypatch):
    remote, _ = pair
    id = remote.remember("Ada plays the cello").memory.id
    talk = remote.converse("sunday")
    send, said = httpx.Client.send, []

    def overheard(self, request, **how):
        if request.url.path.endswith("/turns"):
            said.append(json.loads(request.content)["recalled"])
        return send(self, request, **how)

    monkeypatch.setattr(httpx.Client, "send", overheard)
    talk.recall("what does Ada play?")
    talk.say("user", "What does Ada play?")
    talk.say("assistant", "She plays the cello")
    talk.say("user", "Thank you")
    assert said == [[id], [id], []]
