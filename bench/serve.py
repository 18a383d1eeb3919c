"""The server against the library: throughput of recall, a long mixed load, and requests that are none.

`python -m bench serve [--requests 100000]`. Everything runs on 127.0.0.1; library and server take turns, so
that a busy moment hits both.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import perf_counter, sleep

from bench.cost import Silent, drafts, sentence
from holdfast import Holdfast
from holdfast.bench.scores import percentile
from holdfast.wire import Own

CLIENTS = 16
SIZE = 10_000
BAR = 0.6  # of the library's throughput in as many processes
SECONDS = 4.0  # of one turn
TURNS = 3
SPACE = "bench"


class Server:
    """A server of one process over a house."""

    def __init__(self, home: str) -> None:
        Path(home, "holdfast.toml").write_text(
            "[serve]\nrate = 0\nguesses = 0\nwaiting = 4096\n", encoding="utf-8"
        )
        command = [sys.executable, "-m", "holdfast.serve.cli", "serve", "--home", home, "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.key = Path(home, "admin.key").read_text(encoding="utf-8").strip()

    def resident_mib(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def end(self) -> int:
        self.process.terminate()
        code = self.process.wait(60)
        self.process.stdout.close()
        return code


def questions(count: int = 400) -> list[str]:
    dice = random.Random(99)
    return [sentence(dice) for _ in range(count)]


# --- what runs in processes of its own: `python -m bench.serve library HOME`, `… clients PORT KEY` ---
def library(home: str) -> None:
    """One process that recalls on 16 threads, a turn for every line it is sent."""
    with Holdfast(home) as hf, ThreadPoolExecutor(CLIENTS) as pool:
        me, texts = hf.space(SPACE), questions()
        me.recall(texts[0])
        for _ in sys.stdin:
            best = max(
                rate(pool, lambda text: me.recall(text, limit=5), texts, many) for many in (1, CLIENTS)
            )
            print(best, flush=True)


def clients(port: str, key: str) -> None:
    """16 clients, each with a connection of its own."""
    headers = {"Authorization": f"Bearer {key}", "Holdfast-Space": SPACE, "Content-Type": "application/json"}
    bodies = [json.dumps({"query": text, "limit": 5}) for text in questions()]
    open_ = [HTTPConnection("127.0.0.1", int(port), timeout=60) for _ in range(CLIENTS)]

    def ask(connection: HTTPConnection, body: str) -> None:
        connection.request("POST", "/api/v1/recall", body, headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()

    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in sys.stdin:
            acts = [partial(ask, connection) for connection in open_]
            done = sum(pool.map(partial(until, perf_counter() + SECONDS, items=bodies), acts))
            print(done / SECONDS, flush=True)


def rate(pool: ThreadPoolExecutor, act, texts: list[str], many: int) -> float:
    end = perf_counter() + SECONDS / 2
    return sum(pool.map(partial(until, end, items=texts), [act] * many)) / (SECONDS / 2)


def until(end: float, act, items: list[str]) -> int:
    done = random.randrange(len(items))
    first = done
    while perf_counter() < end:
        act(items[done % len(items)])
        done += 1
    return done - first


class Turn:
    """A process that does one turn when it is asked."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.serve", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def take(self) -> float:
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self) -> None:
        self.process.communicate()


def recall(home: str, server: Server) -> dict:
    """Recalls a second, library and server turn about."""
    mine, theirs = Turn("clients", str(server.port), server.key), Turn("library", home)
    mine.take(), theirs.take()
    rounds = [(theirs.take(), mine.take()) for _ in range(TURNS)]
    mine.end(), theirs.end()
    ratio = percentile([served / alone for alone, served in rounds], 0.5)
    alone, served = (percentile([one[place] for one in rounds], 0.5) for place in (0, 1))
    return {
        "library_per_s": round(alone),
        "server_per_s": round(served),
        "ratio": round(ratio, 2),
        "bar": BAR,
    }


def mixed(server: Server, count: int) -> dict:
    """A load of all sorts; every answer has to be a good one, and memory flat after the first tenth."""
    dice, bad, sizes = random.Random(3), [], []
    made: list[str] = []

    def ask(connection: HTTPConnection, turn: int) -> None:
        method, path, body = mixed_request(dice, made, turn)
        headers = {"Authorization": f"Bearer {server.key}", "Holdfast-Space": "mixed"}
        connection.request(
            method,
            "/api/v1" + path,
            body and json.dumps(body),
            headers | {"Content-Type": "application/json"},
        )
        answer = connection.getresponse()
        told = answer.read()
        if answer.status >= 300:
            bad.append((method, path, answer.status, told[:200]))
        elif path == "/memories" and method == "POST":
            made.append(json.loads(told)["memory"]["id"])

    first = HTTPConnection("127.0.0.1", server.port, timeout=60)
    shown = {"Authorization": f"Bearer {server.key}", "Content-Type": "application/json"}
    first.request("POST", "/api/v1/spaces", json.dumps({"name": "mixed"}), shown)
    first.getresponse().read()
    ask(first, 0)
    start = perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        open_ = [HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in range(CLIENTS)]
        share = range(count // 10 // CLIENTS)
        for _ in range(10):
            list(pool.map(lambda one: [ask(one, turn) for turn in share], open_))
            sizes.append(round(server.resident_mib(), 1))
    return {
        "requests": count // 10 // CLIENTS * CLIENTS * 10,
        "per_s": round(count / (perf_counter() - start)),
        "errors": len(bad),
        "first_errors": [str(one) for one in bad[:3]],
        "resident_mib": sizes,
    }


def mixed_request(dice: random.Random, made: list[str], turn: int) -> tuple[str, str, dict | None]:
    """Mostly questions; what is written is said again and again, so that the space stays small."""
    sort = dice.random() if turn else 1.0
    if sort < 0.55:
        return "POST", "/recall", {"query": sentence(dice), "limit": 5}
    if sort < 0.65:
        return "POST", "/context", {"query": sentence(dice), "budget": 500}
    if sort < 0.8:
        return "GET", f"/memories/{dice.choice(made)}", None
    if sort < 0.85:
        return "GET", "/memories?limit=20", None
    if sort < 0.9:
        return "GET", "/constitution", None
    return (
        "POST",
        "/memories",
        {"content": f"statement number {dice.randrange(300)} of the load", "kind": "note"},
    )


def malformed(server: Server, count: int) -> dict:
    """Requests that are wrong in all sorts of ways: none may end in a 5xx, and the server has to live."""
    statuses: dict[str, int] = {}

    def some(seed: int) -> list[str]:
        dice, told = random.Random(seed), []
        connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        for _ in range(count // CLIENTS):
            method, path, body, headers = wrong_request(dice, server.key)
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                answer.read()
                told.append(str(answer.status))
            except (HTTPException, OSError):
                told.append("closed")
                connection.close()
        return told

    start = perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        for told in pool.map(some, range(CLIENTS)):
            for status in told:
                statuses[status] = statuses.get(status, 0) + 1
    worst = sum(times for status, times in statuses.items() if status.startswith("5"))
    return {
        "requests": count,
        "5xx": worst,
        "statuses": dict(sorted(statuses.items())),
        "seconds": round(perf_counter() - start),
    }


PATHS = [
    "/recall", "/context", "/memories", "/memories/batch", "/memories/x", "/entities", "/memory/add",
    "/constitution", "/constitution/changes/x/confirm", "/captures", "/approve", "/undo", "/restore-to",
    "/spaces", "/keys", "/ledger", "/memory/search", "/pending", "/jobs", "/import",
    "/steward/forecast", "/judge/classify", "/promote", "/nowhere",
]  # fmt: skip
VALUES = [
    None, True, -1, 0, 2**63, 10**400, 1e308, "", " ", "\x00", "\ud800", "x" * 5000, [], {}, [[]], {"a": {}},
    "9999-99-99", "2026-01-01", "' OR 1=1 --", "../../etc/passwd", "用户", "\u202e", ["a", 1], "NaN",
]  # fmt: skip
FIELDS = [
    "content", "query", "items", "ids", "limit", "at", "layer", "kind", "confidence", "metadata",
    "tags", "token", "name", "role", "spaces", "days", "change", "moment", "entity_type",
    "entity_value", "vector", "explain", "id",
]  # fmt: skip


def wrong_request(dice: random.Random, key: str) -> tuple[str, str, bytes | None, dict]:
    method = dice.choice(["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "BREW"])
    path = "/api/v1" + dice.choice(PATHS)
    if dice.random() < 0.3:
        path += f"?{dice.choice(FIELDS)}=" + dice.choice(
            ["", "%00", "%ff", "-1", "9" * 30, "%F0%9F", "a%20b", "nan"]
        )
    raw = json.dumps({dice.choice(FIELDS): dice.choice(VALUES) for _ in range(dice.randrange(4))}).encode()
    sort = dice.random()
    if sort < 0.1:
        raw = dice.randbytes(dice.randrange(60))
    elif sort < 0.2:
        raw = raw[: dice.randrange(len(raw) + 1)]
    elif sort < 0.25:
        raw = b"[" * dice.choice([10, 100_000])
    elif sort < 0.3:
        raw = b'{"content": NaN, "confidence": Infinity, "limit": 1e999}'
    headers = {"Content-Type": dice.choice(["application/json", "text/plain", "multipart/form-data", ""])}
    if dice.random() < 0.9:
        headers["Authorization"] = (
            f"Bearer {key}" if dice.random() < 0.9 else dice.choice(["", "Bearer", "x y z"])
        )
    if dice.random() < 0.9:
        headers["Holdfast-Space"] = dice.choice(["mixed", "mixed", "nobody", "%ff", "%00", "x" * 300, "é"])
    if dice.random() < 0.2:
        headers["Idempotency-Key"] = dice.choice(["a", "b" * 300, "é", str(dice.random())])
    if dice.random() < 0.2:
        headers["If-Match"] = dice.choice(['"1"', "x", '"99999999999999999999"', "*"])
    return method, path, raw if method != "GET" else None, headers


def measured(count: int) -> dict:
    """All three."""
    with tempfile.TemporaryDirectory() as home:
        with Holdfast(home, Own(judge=Silent())) as hf:
            hf.space(SPACE, profile="assistant").remember_many(drafts(SIZE, 1))
        server = Server(home)
        try:
            sleep(1)
            told = {
                "recall": recall(home, server),
                "mixed": mixed(server, count),
                "malformed": malformed(server, count),
            }
        finally:
            told_end = server.end()
        return {**told, "ended_with": told_end}


if __name__ == "__main__":
    if sys.argv[1:2] == ["library"]:
        library(sys.argv[2])
    elif sys.argv[1:2] == ["clients"]:
        clients(sys.argv[2], sys.argv[3])
    else:
        asking = argparse.ArgumentParser(prog="python -m bench.serve")
        asking.add_argument(
            "--requests", type=int, default=100_000, help="of the mixed load, and malformed ones"
        )
        print(json.dumps(measured(asking.parse_args().requests)))
