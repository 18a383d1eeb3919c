"""The server itself: it does things once, in several processes, stops without loss, and tells of itself."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from holdfast import Holdfast

ONCE = {"Idempotency-Key": "7c1a-0001"}


def test_a_request_sent_again_is_done_once_and_another_one_is_refused(ada):
    said = {"content": "Ada bought a waffle iron"}
    first = ada.post("/memories", json=said, headers=ONCE)
    again = ada.post("/memories", json=said, headers=ONCE)
    assert again.json() == first.json()
    assert (again.headers["idempotency-replayed"], again.headers["etag"]) == ("true", first.headers["etag"])
    other = ada.post("/memories", json={"content": "Ada sold it"}, headers=ONCE)
    assert (other.status_code, other.json()["error"]) == (422, "KeyUsed")
    assert [entry["verb"] for entry in ada.get("/ledger").json()["items"]] == ["remember"]
    bad = {"Idempotency-Key": "7c1a-0002"}
    assert ada.post("/memories", json={"content": " "}, headers=bad).status_code == 422
    assert ada.post("/memories", json=said, headers=bad).status_code == 200


def test_of_many_at_once_with_one_key_one_is_done(ada, server):
    def send(_: int) -> httpx.Response:
        return ada.post("/memories", json={"content": "a thing said by many"}, headers=ONCE)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(8)))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len({answer.json()["change"] for answer in answers if answer.status_code == 200}) == 1
    assert len(ada.get("/ledger").json()["items"]) == 1


def test_it_is_still_done_once_after_a_killed_server_and_nothing_readable_is_kept(served):
    first = served()
    with first.asking() as client:
        client.post("/spaces", json={"name": "user:ada"})
    with first.asking(space="user:ada") as client:
        told = client.post("/memories", json={"content": "the violet umbrella"}, headers=ONCE)
    first.stop(signal.SIGKILL)
    raw = b"".join(path.read_bytes() for path in first.home.glob("keys.db*"))
    assert b"violet" not in raw
    with served().asking(space="user:ada") as client:
        again = client.post("/memories", json={"content": "the violet umbrella"}, headers=ONCE)
        assert again.json() == told.json()
        assert len(client.get("/ledger").json()["items"]) == 1


def test_the_first_start_makes_one_key_for_its_owner_alone(served):
    server = served()
    path = server.home / "admin.key"
    assert path.stat().st_mode & 0o077 == 0
    token = server.admin
    assert server.stop() == 0
    second = served()
    assert second.admin == token
    with second.asking() as client:
        assert [key["role"] for key in client.get("/keys").json()] == ["admin"]


def test_several_processes_answer_as_one_and_stop_without_losing_a_write(served):
    server = served("--workers", "2")
    with server.asking() as client:
        client.post("/spaces", json={"name": "user:ada"})
    kept, stopping = [], threading.Event()

    def write(number: int) -> None:
        with server.asking(space="user:ada") as client:
            while not stopping.is_set():
                name = f"said by {number} as number {len(kept)} {os.urandom(3).hex()}"
                try:
                    answer = client.post("/memories", json={"content": name, "layer": "episode"})
                except httpx.TransportError:
                    return
                if answer.status_code == 200 and answer.json()["memory"]:
                    kept.append(answer.json()["memory"]["id"])
                if len(kept) >= 40:
                    stopping.set()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    stopping.wait(60)
    assert server.stop() == 0
    for writer in writers:
        writer.join(30)
    with Holdfast(server.home) as hf:
        there = {memory.id for memory in hf.space("user:ada").list(limit=10_000)}
        assert set(kept) <= there
        assert hf.space("user:ada").verify().ok


def test_an_open_stream_does_not_keep_the_server_from_stopping(served):
    server = served()
    with server.asking() as client:
        client.post("/spaces", json={"name": "user:ada"})
    with server.asking(space="user:ada") as client, client.stream("GET", "/events") as answer:
        lines = answer.iter_lines()
        next(lines)
        server.process.send_signal(signal.SIGTERM)
        assert [line for line in lines if line.startswith("data")] == []
    assert server.stop() == 0


def test_what_is_too_much_is_refused_by_name(served):
    server = served(settings="body_mib = 0.01\nrate = 20.0\nguesses = 3.0\nstreams = 1")
    with server.asking() as client:
        client.post("/spaces", json={"name": "user:ada"})
    with server.asking(space="user:ada") as client:
        large = client.post("/memories", json={"content": "x" * 20_000})
        assert (large.status_code, large.json()["error"]) == (413, "TooLarge")
        body = (b"x" * 4000 for _ in range(10))
        assert client.post("/memories", content=body).status_code == 413
        with client.stream("GET", "/events") as one:
            assert one.status_code == 200
            assert client.get("/events").status_code == 503
        answers = [client.get("/stats") for _ in range(60)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert int(refused[0].headers["retry-after"]) >= 1
    with server.asking("hf_no_key") as client:
        assert {client.get("/stats").status_code for _ in range(12)} == {401, 429}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_tells_of_itself_to_those_who_may_know(served, workers):
    server = served("--workers", workers)
    with httpx.Client(base_url=server.url, timeout=60) as anyone:
        assert anyone.get("/health").json() == {"status": "ok"}
        assert anyone.get("/ready").json() == {"status": "ready"}
        assert anyone.get("/metrics").status_code == 401
    for _ in range(6):
        with server.asking() as client:
            client.get("/spaces")
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {server.admin}"}) as client:
        text = client.get("/metrics").text
    assert 'holdfast_requests_total{verb="spaces",status="200"} 6' in text
    assert 'holdfast_request_seconds_count{verb="spaces"} 6' in text
    for name in (
        "requests_under_way",
        "event_streams",
        "image_bytes",
        "spaces",
        "jobs_waiting",
        "jobs_parked",
    ):
        assert f"# TYPE holdfast_{name} gauge" in text


def test_an_address_that_is_taken_is_said_so(served, tmp_path):
    port = served().url.rsplit(":", 1)[1]
    from holdfast.serve.cli.main import run

    assert run(["serve", "--home", str(tmp_path / "other"), "--port", port]) == 7


@pytest.mark.row("B8")
def test_a_space_is_taken_out_and_in_as_a_stream(ada, house):
    ada.post("/memories", json={"content": "我喜欢喝乌龙茶"})
    lines = ada.get("/export").content
    name = f"{ada.space}-copy"
    made = house.post("/import", params={"name": name}, content=iter([lines[:1000], lines[1000:]]))
    assert (made.status_code, made.json()["name"]) == (201, name)
    cut = house.post("/import", params={"name": "user:cut"}, content=lines[:-40])
    assert cut.status_code in (422, 500)
    assert "user:cut" not in [one["name"] for one in house.get("/spaces").json()]
    found = house.post("/recall", json={"query": "喝什么茶"}, headers={"Holdfast-Space": name})
    assert found.json()["hits"][0]["memory"]["content"] == "我喜欢喝乌龙茶"
