"""REST end to end, on a real server: what the library does, over a network."""

from __future__ import annotations

import pytest


def kept(client, content: str, **said) -> dict:
    answer = client.post("/memories", json={"content": content, **said})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I like my coffee black", "how do I take my coffee?"),
        ("我喜欢喝黑咖啡，不加糖", "我怎么喝咖啡"),
        ("我喜歡喝黑咖啡，不加糖", "我怎麼喝咖啡"),
    ],
)
def test_what_was_kept_is_recalled_and_packed(ada, said, asked):
    assert kept(ada, said)["decision"] == "accepted"
    found = ada.post("/recall", json={"query": asked}).json()
    assert [hit["memory"]["content"] for hit in found["hits"]] == [said]
    packed = ada.post("/context", json={"query": asked, "budget": 300}).json()
    assert said in packed["text"]
    assert packed["used"] <= 300


@pytest.mark.row("B2")
def test_an_answer_says_why_and_an_empty_one_where_it_looked(ada):
    kept(ada, "My sister Juniper is allergic to peanuts")
    (hit,) = ada.post("/recall", json={"query": "Juniper", "explain": True}).json()["hits"]
    assert hit["explain"]["arms"]
    assert "relevance" in str(hit["explain"]["factors"]) or hit["explain"]["factors"]
    assert hit["explain"]["trust"]["author"].startswith("owner:")
    empty = ada.post("/recall", json={"query": "Juniper", "layers": "episode"}).json()
    assert empty["hits"] == []
    assert empty["searched"]["space"] == ada.space
    assert empty["searched"]["layers"] == ["episode"]


def test_a_memory_is_changed_let_go_and_brought_back_with_its_whole_story(ada):
    id = kept(ada, "The spare key is with Mrs Thistlewood")["memory"]["id"]
    changed = ada.patch(f"/memories/{id}", json={"content": "The spare key is with Mr Larkspur"})
    assert changed.json()["memory"]["version"] == 2
    gone = ada.delete(f"/memories/{id}", params={"reason": "the lock was changed"}).json()
    assert ada.get(f"/memories/{id}").json()["status"] == "deleted"
    assert ada.post("/undo", json={"change": gone["change"]}).status_code == 200
    assert ada.get(f"/memories/{id}").json()["status"] == "active"
    assert [one["version"] for one in ada.get(f"/memories/{id}/history").json()] == [1, 2, 3, 4]
    assert len(ada.get(f"/memories/{id}/why").json()["steps"]) == 4
    assert [one["verb"] for one in ada.get("/ledger").json()["items"]] == [
        "remember",
        "revise",
        "forget",
        "undo",
    ]
    assert ada.get("/verify").json()["ok"] is True


def test_a_list_is_read_in_pages_to_its_end(ada):
    items = [{"content": f"statement number {n} of many", "kind": "note"} for n in range(7)]
    assert len(ada.post("/memories/batch", json={"items": items}).json()) == 7
    seen, after = [], ""
    while after is not None:
        page = ada.get("/memories", params={"limit": 3, "after": after}).json()
        seen += [item["content"] for item in page["items"]]
        after = page["next"]
    assert seen == [item["content"] for item in items]
    assert ada.get("/ledger", params={"limit": 1}).json()["next"] is None


def test_a_change_of_an_older_version_is_refused(ada):
    first = ada.post("/memories", json={"content": "The kiln stands in the shed"})
    id, tag = first.json()["memory"]["id"], first.headers["etag"]
    assert ada.get(f"/memories/{id}", headers={"If-None-Match": tag}).status_code == 304
    newer = ada.patch(
        f"/memories/{id}", json={"content": "The kiln stands in the barn"}, headers={"If-Match": tag}
    )
    assert newer.status_code == 200
    lost = ada.patch(
        f"/memories/{id}", json={"content": "The kiln stands outside"}, headers={"If-Match": tag}
    )
    assert (lost.status_code, lost.json()["error"]) == (412, "StaleWrite")
    assert ada.get(f"/memories/{id}").json()["content"] == "The kiln stands in the barn"


@pytest.mark.row("M10")
def test_an_observation_is_published_enforced_and_kept_where_it_belongs(ada):
    form = ada.get("/schemas", params={"profile": "care"}).json()["observation"]
    assert form["properties"]["author"]["enum"] == ["claude-code", "user"]
    noted = {
        "type": "decision",
        "summary": "The kiln is fired on Fridays",
        "details": None,
        "files": [],
        "layer": "fact",
        "tags": ["kiln"],
        "created_at": "2026-01-31T09:00:00Z",
        "author": "user",
    }
    assert ada.post("/observations", json=noted).json()["memory"]["layer"] == "fact"
    passing = {**noted, "type": "note", "layer": "session", "summary": "The shed smells of smoke"}
    assert ada.post("/observations", json=passing).json()["memory"]["layer"] == "session"
    for wrong in ({"type": "tune"}, {"summary": "x" * 201}, {"layer": "constitution"}, {"author": 3}):
        assert ada.post("/observations", json={**noted, **wrong}).status_code == 422
    assert ada.get("/schemas", params={"profile": "/etc/passwd"}).status_code == 404


def test_a_conversation_is_held_and_ended_once(ada):
    said = ["My sister Juniper is allergic to peanuts", "我住在杭州，周末常去西湖边散步"]
    for text in said:
        assert ada.post("/conversations/monday/turns", json={"role": "user", "text": text}).status_code == 200
    assert [turn["content"] for turn in ada.get("/conversations/monday/turns").json()] == said
    ended = ada.post("/conversations/monday/end", json={}).json()
    assert (ended["turns"], ended["repeated"]) == (2, False)
    assert ada.post("/conversations/monday/end", json={}).json()["repeated"] is True
