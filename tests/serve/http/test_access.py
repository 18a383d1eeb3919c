"""Who gets in, and to what: every cell of the table over REST, and nothing beside it."""

from __future__ import annotations

import itertools
import json

import httpx
import pytest

from holdfast import Holdfast
from holdfast.model.access import ADMIN, HOUSE, KEY_ROLES, VERBS, WIDE, allowed

ID = "01900000-0000-7000-8000-000000000000"
AT = "2026-01-31T09:00:00+08:00"
ENTITY = {"entity_type": "part_number", "entity_value": "RM05-008"}
# Verb → how it is asked for. What it is asked about need not be there: the right comes first.
ASKED: dict[str, tuple] = {
    "remember": ("POST", "/memories", {"content": "Ada bought a waffle iron"}),
    "remember_many": ("POST", "/memories/batch", {"items": [{"content": "Ada sold her old toaster"}]}),
    "revise": ("PATCH", f"/memories/{ID}", {"content": "x"}),
    "negate": ("POST", f"/memories/{ID}/negate", {}),
    "affirm": ("POST", f"/memories/{ID}/affirm", {}),
    "forget": ("DELETE", f"/memories/{ID}"),
    "attach": ("POST", f"/memories/{ID}/attachments", {"modality": "image", "reference": "a"}),
    "store_entity": ("POST", "/entities", ENTITY),
    "capture": ("POST", "/captures", {"content": "raw"}),
    "restore": ("POST", f"/memories/{ID}/restore", {}),
    "archive": ("POST", f"/memories/{ID}/archive", {}),
    "mark_for_review": ("POST", f"/memories/{ID}/review", {"reason": "old"}),
    "undo": ("POST", "/undo", {"change": ID}),
    "restore_to": ("POST", "/restore-to", {"moment": AT}),
    "recall": ("POST", "/recall", {"query": "coffee"}),
    "recall_debug": ("POST", "/recall", {"query": "coffee", "mode": "debug"}),
    "context": ("POST", "/context", {"query": "coffee"}),
    "get": ("GET", f"/memories/{ID}"),
    "list": ("GET", "/memories"),
    "history": ("GET", f"/memories/{ID}/history"),
    "why": ("GET", f"/memories/{ID}/why"),
    "weights": ("GET", f"/memories/{ID}/weights"),
    "ledger": ("GET", "/ledger"),
    "events": ("GET", "/events"),
    "stats": ("GET", "/stats"),
    "jobs": ("GET", "/jobs"),
    "retry_job": ("POST", f"/jobs/{ID}/retry"),
    "drop_job": ("DELETE", f"/jobs/{ID}?reason=old"),
    "retrieve_entities": ("POST", "/entities/retrieve", {"query": "part"}),
    "detect_conflicts": ("POST", "/entities/conflicts", ENTITY),
    "get_user_entities": ("GET", "/entities"),
    "pending": ("GET", "/pending"),
    "to_verify": ("GET", "/to-verify"),
    "approve": ("POST", "/approve", {"ids": [ID]}),
    "reject": ("POST", f"/memories/{ID}/reject", {}),
    "verify": ("GET", "/verify"),
    "export": ("GET", "/export"),
    "captures": ("GET", "/captures"),
    "drop_capture": ("DELETE", f"/captures/{ID}"),
    "constitution.entries": ("GET", "/constitution"),
    "constitution.due": ("GET", "/constitution/due"),
    "constitution.waiting": ("GET", "/constitution/changes"),
    "constitution.propose": ("POST", "/constitution", {"content": "Her daughter is Lin Xiaoman"}),
    "constitution.propose_change": ("PATCH", f"/constitution/{ID}", {"content": "x"}),
    "constitution.propose_delete": ("DELETE", f"/constitution/{ID}"),
    "constitution.confirm": ("POST", f"/constitution/changes/{ID}/confirm", {"token": "x"}),
    "constitution.withdraw": ("DELETE", f"/constitution/changes/{ID}"),
    "constitution.restore": ("POST", f"/constitution/{ID}/restore", {}),
    "constitution.checked": ("POST", f"/constitution/{ID}/checked", {}),
    "note_entities": ("POST", "/entities/noted", {"text": "I need RM05-008"}),
    "resolve": ("POST", "/entities/resolve", {"reference": "that part again"}),
    "converse": ("POST", "/conversations/s1"),
    "converse.say": ("POST", "/conversations/s1/turns", {"role": "user", "text": "hello there"}),
    "converse.turns": ("GET", "/conversations/s1/turns"),
    "converse.recall": ("POST", "/conversations/s1/recall", {"query": "coffee"}),
    "converse.context": ("POST", "/conversations/s1/context", {"query": "coffee"}),
    "converse.end": ("POST", "/conversations/s1/end", {}),
    "observe": ("POST", "/observations", {"type": "note"}),
    "review": ("POST", f"/memories/{ID}/look-again", {}),
    "schemas": ("GET", "/schemas"),
    "seal": ("POST", f"/memories/{ID}/seal", {}),
    "open": ("POST", f"/memories/{ID}/open"),
    "rotate": ("POST", "/rotate"),
    "brief": ("GET", "/brief"),
    "promote": ("POST", "/promote", {"id": ID}),
    "steward.plan": ("POST", "/steward/plan", {}),
    "steward.run": ("POST", "/steward/run", {}),
    "steward.forecast": ("POST", "/steward/forecast", {"days": 3}),
    "steward.curve": ("POST", f"/memories/{ID}/curve", {"days": 3}),
    "steward.log": ("GET", "/steward/log"),
    "steward.metrics": ("GET", "/steward/metrics"),
    "steward.undo": ("POST", "/steward/undo", {"run": ID}),
    "steward.plan_all": ("POST", "/house/plan", {}),
    "steward.run_all": ("POST", "/house/run", {}),
    "judge": ("POST", "/judge/classify", {"text": "I like tea"}),
    "spaces": ("GET", "/spaces"),
    "profiles": ("GET", "/profiles"),
    "create_space": ("POST", "/spaces", {"name": "user:ada"}),
    "import_space": ("POST", "/import?name=user:ada", {}),
    "metrics": ("GET", "/../../metrics"),
    "doctor": ("GET", "/doctor"),
    "repair": ("POST", "/repair"),
    "work": ("POST", "/work", {}),
    "keys.create": ("POST", "/keys", {"name": "x", "role": "agent", "spaces": ["user:ada"]}),
    "keys.list": ("GET", "/keys"),
    "keys.revoke": ("DELETE", f"/keys/{ID}"),
}


NOT_OVER_A_NETWORK = {"move"}  # it takes the house itself elsewhere


@pytest.fixture(scope="module")
def keys(server):
    """A key of each role, bound to user:ada; an admin's opens all."""
    with Holdfast(server.home) as hf:
        hf.space("user:ada", profile="assistant")
        hf.space("user:bea", profile="assistant").remember("Bea keeps bees behind the barn")
    return {role: server.admin if role == ADMIN else server.key(role, "user:ada") for role in KEY_ROLES}


def ask(client: httpx.Client, verb: str) -> httpx.Response:
    method, path, *body = ASKED[verb]
    told = {"json": body[0]} if body else {}
    with client.stream(method, path, **told) as answer:
        if "event-stream" not in answer.headers.get("content-type", ""):
            answer.read()
        return answer


def test_every_verb_of_the_table_has_a_path():
    assert (set(VERBS) | set(HOUSE)) - set(ASKED) - NOT_OVER_A_NETWORK == set(), (
        "give it a path in serve/http/routes"
    )


@pytest.mark.row("E13")
@pytest.mark.parametrize("role", KEY_ROLES)
def test_rest_keeps_to_every_cell_and_records_what_it_refuses(server, keys, role):
    wide = keys[role] if role == ADMIN else server.key(role, "*")
    with (
        server.asking(keys[role], "user:ada") as bound,
        server.asking(wide, "user:ada") as everywhere,
        Holdfast(server.home) as hf,
    ):
        wrong = []
        for verb in ASKED:
            client = everywhere if verb in HOUSE else bound
            answer = ask(client, verb)
            refused = answer.status_code == 403 and answer.json()["error"] == "Forbidden"
            if refused == allowed(role, verb) or answer.status_code in (401, 405, 500):
                wrong.append((verb, answer.status_code))
            if refused and verb in VERBS:
                last = hf.space("user:ada").events()[0]
                (entry,) = hf.space("user:ada").ledger(after=last - 1)
                assert (entry.verb, entry.actor.split(":")[0]) == (
                    "forbidden",
                    str(role).replace(ADMIN, "owner"),
                )
    assert wrong == []


@pytest.mark.row("A1")
def test_what_reaches_into_every_space_is_not_for_a_key_of_one(server, keys):
    with Holdfast(server.home) as hf:
        token = hf.keys.create("bound", role="admin", spaces=["user:ada"]).token
    with server.asking(token, "user:ada") as client:
        assert WIDE
        assert {verb: ask(client, verb).status_code for verb in WIDE if verb in ASKED} == dict.fromkeys(
            WIDE & ASKED.keys(), 403
        )
        assert ask(client, "repair").status_code == 200


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer hf_x_y", "Basic aGY6eA==", "Bearer 钥匙"])
def test_nobody_gets_in_without_a_key_nor_learns_anything(server, keys, shown):
    headers = {"Authorization": shown.encode(), "Holdfast-Space": "user:ada"} if shown else {}
    with httpx.Client(base_url=server.url + "/api/v1", headers=headers) as client:
        answers = [ask(client, verb) for verb in ("recall", "spaces", "remember", "metrics", "export")]
        answers.append(client.post("/recall", json={"nonsense": 1}))
    assert {answer.status_code for answer in answers} == {401}
    assert len({json.dumps(answer.json(), sort_keys=True) for answer in answers}) == 1
    assert all(answer.headers["www-authenticate"].startswith("Bearer") for answer in answers)


@pytest.mark.row("A1")
@pytest.mark.row("P7")
def test_a_space_that_a_key_does_not_open_looks_like_one_that_is_not_there(server, keys):
    told = []
    for name in ("user:bea", "user:nobody", "用户:小明"):
        with server.asking(keys["owner"], name) as client:
            answer = client.post("/recall", json={"query": "bees"})
            assert answer.status_code == 404
            told.append(answer.text.replace(name, "NAME"))
            made = client.post("/spaces", json={"name": name})
            assert made.status_code == 404
            told.append(made.text.replace(name, "NAME"))
    assert len(set(told)) == 1
    with server.asking(keys["owner"]) as client:
        assert [one["name"] for one in client.get("/spaces").json()] == ["user:ada"]
        assert "behind the barn" not in client.post("/recall", json={"query": "bees"}).text


@pytest.mark.row("A1")
def test_without_a_space_there_is_an_error_and_near_names_only_of_what_the_key_opens(server, keys):
    with server.asking() as client:
        missing = client.post("/recall", json={"query": "x"})
        assert (missing.status_code, missing.json()["field"]) == (422, "Holdfast-Space")
    with server.asking(space="user:adda") as client:
        near = client.post("/recall", json={"query": "x"}).json()
        assert "user:ada" in near["near"]
    with server.asking(keys["agent"], "user:adda") as client:
        assert client.post("/recall", json={"query": "x"}).json()["near"] == []


def test_a_key_that_is_revoked_or_expired_opens_nothing_any_more(server, keys):
    token = server.key("agent", "user:ada")
    with server.asking(token) as client, server.asking() as admin:
        assert client.get("/stats").status_code == 200
        admin.delete(f"/keys/{token.split('_')[1]}")
        assert client.get("/stats").status_code == 401
        made = admin.post(
            "/keys", json={"name": "short", "role": "agent", "spaces": ["user:ada"], "days": 0.0}
        )
        with server.asking(made.json()["token"]) as late:
            assert late.get("/stats").status_code == 401
        assert not any("digest" in key or "salt" in key for key in admin.get("/keys").json())


def test_the_log_holds_no_words_and_no_secrets(server, keys):
    secret, words = keys["owner"].split("_", 2)[2], "the violet umbrella of Mr Quill"
    with server.asking(keys["owner"], "user:ada") as client:
        client.post("/memories", json={"content": words})
        client.get("/memory/search", params={"q": words})
        client.post("/recall", json={"query": words, "nonsense": words})
        client.get(f"/memories/{words}")
    lines = [json.loads(line) for line in server.log]
    assert {"remember", "recall", "get"} <= {line.get("verb") for line in lines}
    whole = "".join(server.log)
    assert not [part for part in (secret, "violet", "Quill", "user:ada", server.admin) if part in whole]


def test_no_page_of_another_origin_may_ask(server, keys):
    with server.asking(keys["owner"], "user:ada") as client:
        asked = {"Origin": "http://elsewhere.example", "Access-Control-Request-Method": "POST"}
        answer = client.options("/recall", headers=asked)
        assert answer.status_code == 405
        assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.row("E13")
def test_only_owners_and_auditors_see_what_is_deleted_by_debugging(server, keys):
    with server.asking(keys["owner"], "user:ada") as client:
        made = client.post("/memories", json={"content": "The piano tuner is called Ambrose"}).json()
        client.delete(f"/memories/{made['memory']['id']}")
    for role, path in itertools.product(KEY_ROLES, ("/recall", "/context")):
        with server.asking(keys[role], "user:ada") as client:
            plain = client.post(path, json={"query": "piano tuner"})
            assert "Ambrose" not in plain.text
            debug = client.post(path, json={"query": "piano tuner", "mode": "debug"})
            assert (debug.status_code == 200) == (role in (ADMIN, "owner", "auditor"))
            assert ("Ambrose" in debug.text) == (debug.status_code == 200)
