"""A real endpoint on this machine that speaks the protocol and answers as it is told, well or ill."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Script:
    """Answers by the next of `answers`; `asked` are the bodies that came."""

    def __init__(self):
        self.asked, self.headers, self.answers = [], [], []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                script.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                script.headers.append(dict(self.headers))
                answer = script.answers.pop(0) if len(script.answers) > 1 else script.answers[0]
                answer(self)

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

    def says(self, *contents):
        """Each content in turn, the last for ever; what is no text is written as JSON."""
        self.answers = [spoken(content) for content in contents]
        return self

    def does(self, *answers):
        self.answers = list(answers)
        return self

    @property
    def told(self):
        """What the model was shown last, as one text."""
        return "\n".join(message["content"] for message in self.asked[-1]["messages"])

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def sent(raw, status=200, kind="application/json"):
    """An answer of exactly these bytes."""

    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(raw)))
        handler.end_headers()
        handler.wfile.write(raw)

    return answer


def spoken(content, **more):
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    body = {"choices": [{"message": {"role": "assistant", "content": text}}], **more}
    return sent(json.dumps(body).encode())


def refused(status, words="no"):
    return sent(json.dumps({"error": {"message": words}}).encode(), status)


def dripping(pause=0.05):
    """A byte now and then, without end."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.end_headers()
        for _ in range(400):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(pause)

    return answer


def endless(handler):
    """Words without end, as fast as they go."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(4000):
        handler.wfile.write(b'{"choices": [{"message": {"content": "' + b"a" * 4096)
