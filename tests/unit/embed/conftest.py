"""A real embeddings endpoint on this machine that answers as it is told."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from holdfast import EmbedderSettings

SIZE = 24


def vector(text):
    """Any, but always the same of a text."""
    return [
        byte / 255 - 0.5 for byte in hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:SIZE]
    ]


class Endpoint:
    """Answers each request by the next of `script`, as it should when that is used up."""

    def __init__(self):
        self.asked, self.headers, self.script = [], [], []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append((self.path, body))
                endpoint.headers.append(dict(self.headers))
                status, payload = (endpoint.script.pop(0) if endpoint.script else right)(body["input"])
                raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # whoever asked has hung up
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def settings(self, **more):
        told = {"model": "m", "dimensions": SIZE, "base_url": self.url, "timeout": 5.0}
        return EmbedderSettings(name="endpoint", **{**told, **more})

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def right(texts):
    data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
    return 200, {"data": data[::-1]}


def fails(status):
    return lambda _: (status, {"error": "told to"})


def says(payload):
    return lambda _: (200, payload)


def late(seconds):
    def answer(texts):
        time.sleep(seconds)
        return right(texts)

    return answer


@pytest.fixture
def endpoint():
    made = Endpoint()
    made.right, made.fails, made.says, made.late, made.vector = right, fails, says, late, vector
    yield made
    made.close()
