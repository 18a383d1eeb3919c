"""One question to a model and its answer in the form asked for, or Unavailable and why.

Equal questions are answered from a cache; a day's budget, a circuit breaker, a number of questions at once
and a time limit bound what asking can cost. The rest of the judge never sees a server.
"""

from __future__ import annotations

import logging
import threading
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from holdfast.errors import Unavailable
from holdfast.judge.model.dialect import Dialect, Question, answer_in, content
from holdfast.judge.model.limits import Breaker, Budget, Cache

if TYPE_CHECKING:
    from holdfast.ports.clock import Clock
    from holdfast.ports.endpoint import Endpoint
    from holdfast.settings import JudgeSettings

_log = logging.getLogger(__name__)
_LETTERS_A_TOKEN = 2  # to count tokens where a server does not; for Chinese rather too few than too many


class Asker:
    """Puts questions to the model of the settings."""

    def __init__(self, endpoint: Endpoint, settings: JudgeSettings, clock: Clock) -> None:
        self.model = settings.model
        self._endpoint = endpoint
        self._seconds = settings.timeout
        self._breaker = Breaker()
        self._budget = Budget(settings.calls_per_day, settings.tokens_per_day, clock)
        self._cache = Cache(settings.cache)
        self._places = threading.BoundedSemaphore(settings.concurrency)
        self._dialect = Dialect()

    @property
    def form(self) -> str:
        """What the server is known to take: a bounded schema, a schema, an object or text."""
        return self._dialect.name

    def ask(self, question: Question, until: float) -> dict[str, Any]:
        """The answer, by `until` at the latest (`time.monotonic`)."""
        key = sha256(
            f"{question.task}\0{question.data}\0{question.schema}".encode("utf-8", "replace")
        ).digest()
        kept = self._cache.get(key)
        if kept is not None:
            return kept
        self._breaker.enter()
        until = min(until, time.monotonic() + self._seconds)
        if not self._places.acquire(timeout=max(0.0, until - time.monotonic())):
            raise Unavailable("the model is busy with other questions")
        try:
            answer = self._answered(question, until)
        finally:
            self._places.release()
        self._cache.put(key, answer)
        return answer

    def _answered(self, question: Question, until: float) -> dict[str, Any]:
        try:
            words = self._words(question, until)
            answer = answer_in(words, question.schema)
        except ValueError as error:
            raise self._failure(question, f"the answer of {self.model} cannot be used: {error}") from None
        self._breaker.worked()
        return answer

    def _words(self, question: Question, until: float) -> str:
        dialect: Dialect | None = self._dialect
        while dialect is not None:
            self._budget.call()
            body = dialect.body(self.model, question)
            try:
                reply = self._endpoint.post("/chat/completions", body, seconds=until - time.monotonic())
            except Unavailable as error:
                raise self._failure(question, str(error)) from None
            if reply.ok:
                self._dialect = dialect
                words, spent = content(reply.body)
                told = len(question.task) + len(question.data) + len(words)
                self._budget.tokens(spent or told // _LETTERS_A_TOKEN)
                return words
            refused = f"status {reply.status}"
            dialect = dialect.stepped_back(reply.status, str(reply.body))
        raise ValueError(f"it refuses the question ({refused})")

    def _failure(self, question: Question, why: str) -> Unavailable:
        self._breaker.failed()
        _log.warning("%s is judged by rules: %s", question.verb, why)
        return Unavailable(why)
