"""How a question is put to a server, and how its answer is read, whatever the server knows of schemas.

vLLM, llama.cpp and Ollama keep to a JSON schema with bounds, OpenAI to one without; others (DeepSeek,
Zhipu) know JSON objects only, some neither. A server says so by refusing; one step back is tried, and what
it takes is remembered.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdfast.judge.model.schemas import fits, told

if TYPE_CHECKING:
    from holdfast.judge.model.schemas import Schema

_FORMS = ("bounded schema", "schema", "object", "text")
_REFUSALS = (
    400,
    415,
    422,
    501,
)  # the request is not understood; 401 or 404 would be no other with fewer words
_TRIED = 64  # opening braces looked at in an answer; a sane one has few, an endless one thousands


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: the task (a system message), the fenced data (one of the user), the form of the answer.

    `tokens` is how long the answer may become.
    """

    verb: str
    task: str
    data: str
    schema: Schema
    tokens: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server is known to take."""

    form: int = 0
    temperature: bool = True
    limit: str = "max_tokens"

    @property
    def name(self) -> str:
        return _FORMS[self.form]

    def body(self, model: str, question: Question) -> dict[str, Any]:
        """The request."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                {"role": "system", "content": question.task},
                {"role": "user", "content": question.data},
            ],
            self.limit: question.tokens,
            "stream": False,
        }
        if self.temperature:
            body["temperature"] = 0
        if self.name.endswith("schema"):
            schema = told(question.schema, bounded=self.form == 0)
            named = {"name": question.verb, "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.name == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def stepped_back(self, status: int, refusal: str) -> Dialect | None:
        """What to try after a refusal; None where asking in another way would not help."""
        said = refusal.lower()
        if status not in _REFUSALS:
            return None
        if self.temperature and "temperature" in said:
            return replace(self, temperature=False)
        if self.limit == "max_tokens" and "max_completion_tokens" in said:
            return replace(self, limit="max_completion_tokens")
        return replace(self, form=self.form + 1) if self.form + 1 < len(_FORMS) else None


def content(body: object) -> tuple[str, int]:
    """The words of an answer, and the tokens that it took (0: not told); ValueError where it has another
    form.
    """
    try:
        words = body["choices"][0]["message"]["content"]  # type: ignore[index]
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"it has another form ({error!r:.80})") from None
    if not isinstance(words, str):
        raise ValueError("it says nothing")  # noqa: TRY004 (whatever is wrong with an answer is one thing)
    usage = body.get("usage") if isinstance(body, dict) else None
    spent = usage.get("total_tokens") if isinstance(usage, dict) else None
    return words, spent if isinstance(spent, int) and spent > 0 else 0


def answer_in(words: str, schema: Schema) -> dict[str, Any]:
    """The last JSON object of this form in what was said, prose around it or not; ValueError without one."""
    decoder = json.JSONDecoder(parse_constant=_no_number)
    found, at = None, words.find("{")
    for _ in range(_TRIED):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(words, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found = value if fits(value, schema) else found
        at = words.find("{", end)
    if found is None:
        raise ValueError("it is not of the form asked for")
    return found  # type: ignore[no-any-return]


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")
