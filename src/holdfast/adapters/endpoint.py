"""Any OpenAI-compatible server over HTTP: a time limit, a few tries with growing pauses, a bounded answer.

What passes (429, 5xx, a lost connection, an answer that is no JSON) is tried again within the time; then it
is Unavailable. Redirects are not followed, so a key goes nowhere else.
"""

from __future__ import annotations

import json
import time
from typing import Any

from holdfast.errors import Unavailable
from holdfast.ports.endpoint import Reply

TRIES = 3
PAUSE = 0.2  # seconds before the second try; doubled after that
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REFUSAL_MOST = 2000  # characters kept of a refusal: what is wrong stands at its beginning
MOST = 64 * 1024 * 1024  # bytes; a batch of 64 long vectors has three million


class HttpEndpoint:
    """`holdfast.ports.endpoint.Endpoint`; `what` names it in errors."""

    def __init__(self, what: str, base_url: str, api_key: str = "", *, most: int = MOST) -> None:
        self._what = what
        self._base_url = base_url.rstrip("/")
        self._headers = {"Accept-Encoding": "identity"}  # what is packed could unpack without end
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._most = most

    def post(self, path: str, body: dict[str, Any], *, seconds: float) -> Reply:
        try:
            import httpx
        except ImportError:
            raise Unavailable("httpx is not installed; pip install 'holdfast[endpoint]'") from None
        until, problem = time.monotonic() + seconds, "no time is left"
        for attempt in range(TRIES):
            pause = PAUSE * 2 ** (attempt - 1) if attempt else 0.0
            if time.monotonic() + pause >= until:
                break
            time.sleep(pause)
            try:
                reply = self._once(path, body, until)
            except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
                problem = str(error) or type(error).__name__
                continue
            if reply.status not in AGAIN:
                return reply
            problem = f"status {reply.status}"
        raise Unavailable(f"the {self._what} at {self._base_url} does not answer: {problem}")

    def _once(self, path: str, body: dict[str, Any], until: float) -> Reply:
        import httpx

        left, raw = max(0.001, until - time.monotonic()), bytearray()
        with (
            httpx.Client(timeout=left, headers=self._headers) as client,
            client.stream("POST", f"{self._base_url}{path}", json=body) as answer,
        ):
            for piece in answer.iter_bytes():
                raw += piece
                if len(raw) > self._most:
                    raise ValueError(f"its answer has more than {self._most:,} bytes")
                if time.monotonic() > until:
                    raise ValueError("its answer did not end in time")
        if answer.status_code >= httpx.codes.BAD_REQUEST:
            return Reply(answer.status_code, raw[:REFUSAL_MOST].decode("utf-8", "replace"))
        if answer.status_code >= httpx.codes.MULTIPLE_CHOICES:
            raise ValueError(f"status {answer.status_code}")
        return Reply(answer.status_code, json.loads(raw))
