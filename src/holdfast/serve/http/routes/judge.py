"""What the judge of the house thinks of words that are handed in; nothing is kept."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from holdfast.errors import InvalidInput
from holdfast.serve.http.caller import Calling

if TYPE_CHECKING:
    from holdfast.engine import Holdfast
    from holdfast.model.key import Key

routes = APIRouter(prefix="/judge", tags=["judge"])

Question = Literal[
    "relation", "extract", "sensitivity", "poison", "consistent", "classify", "entities", "summarise",
    "shaped", "check",
]  # fmt: skip


class Judged(BaseModel):
    """An answer, who gave it, and why."""

    answer: Any
    judge: str
    reasons: list[str] = Field(default_factory=list)


@routes.post("/{question}", response_model=Judged)
async def ask(caller: Calling, question: Question, body: dict[str, Any]) -> Response:
    """Asks one question, with the words it is about by the library's own names (`text`, `old`, `new`, …)."""

    def asked(house: Holdfast, _: Key) -> dict[str, Any]:
        verb = getattr(house.judge, question)
        try:
            signature(verb).bind(**body)
        except TypeError as error:
            ways = ", ".join(signature(verb).parameters) or "nothing"
            raise InvalidInput("body", f"does not fit {question} ({error})", f"give {ways}") from None
        answer = verb(**body)
        name = getattr(answer, "judge", house.judge.name)
        return {"answer": answer, "judge": name, "reasons": getattr(answer, "reasons", ())}

    return await caller.keeps("judge", asked)
