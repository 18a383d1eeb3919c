"""What tools are asked with: the shape of it. What the values may be is the library's to say, and it does."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=1, le=100, description="how many at most")]
Id = Annotated[str, Field(description="the id of a memory, as recall tells it")]
Confidence = Annotated[
    float, Field(ge=0.0, le=1.0, description="how sure you are: 1.0 it was said so, 0.5 you guess")
]
KIND = (
    "what it is about: identity, medical, preference, relation, skill, decision, fact, place, event, note …"
)


class Asked(BaseModel):
    """Arguments, nothing in them but what is listed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def told(self, *without: str) -> dict[str, Any]:
        """What was said."""
        return {
            name: value
            for name in self.model_fields_set
            if name not in without and (value := getattr(self, name)) is not None
        }


class Search(Asked):
    query: str = Field(description="what to look for, in any words")
    layer: Literal["constitution", "fact", "episode", "session"] | None = None
    limit: Count | None = None


class Add(Asked):
    content: str = Field(description="one statement, in whole words, that holds by itself")
    confidence: Confidence
    category: str | None = Field(None, description=KIND)
    layer: Literal["fact"] = Field("fact", description="agents add to the layer of facts only")


class Recall(Asked):
    query: str = Field(description="a question, in any words")
    limit: Count | None = None
    mode: Literal["normal", "review", "debug"] | None = Field(
        None, description="review: faded ones too; debug: everything, for owners and auditors"
    )
    kinds: list[str] | None = None
    entity_type: str | None = None
    session: str | None = None
    min_confidence: float | None = None
    at: str | None = Field(None, description="when it is asked, ISO 8601 with a zone")
    as_of: str | None = Field(None, description="what was known at that time, ISO 8601 with a zone")


class Context(Asked):
    query: str = Field(description="what the coming answer is about")
    budget: int | None = Field(None, description="so many tokens at most")
    session: str | None = None


class Remember(Asked):
    content: str = Field(description="one statement, in whole words, that holds by itself")
    confidence: Confidence | None = None
    kind: str | None = Field(None, description=KIND)
    layer: Literal["fact", "session"] | None = Field(None, description="session: for a day, else a fact")
    session: str | None = None
    source: str | None = Field(None, description="where it comes from, as chat or a file")
    speaker: str | None = Field(None, description="whose words they are")
    entity_type: str | None = None
    entity_value: str | None = None
    sensitivity: int | None = Field(None, description="0 public, 1 general, 2 sensitive, 3 secret")
    label: str | None = Field(None, description="by what a secret can be found, without the secret")
    tags: list[str] | None = None
    at: str | None = Field(None, description="when it was said, ISO 8601 with a zone")
    expires_at: str | None = Field(None, description="until when it holds, ISO 8601 with a zone")
    requires_approval: bool | None = Field(None, description="let a person look at it first")


class Say(Asked):
    session: str = Field(description="the name of the conversation, the same for all of its turns")
    role: str = Field(description="user, assistant, or the name of whoever speaks")
    text: str = Field(description="the turn, in its own words")
    confidence: Confidence | None = None
    recalled: list[str] | None = Field(None, description="ids of the memories that the turn was given")
    at: str | None = Field(None, description="when it was said, ISO 8601 with a zone")


class End(Asked):
    session: str = Field(description="the name of the conversation")
    later: bool | None = Field(None, description="leave it to the worker, and do not wait for it")


class Observe(Asked):
    type: str = Field(description="decision, bugfix, refactor, discovery or note")
    summary: str = Field(description="one sentence")
    layer: str = Field(description="fact for decision, bugfix and refactor; session for the others")
    created_at: str = Field(description="when it was noted, ISO 8601 with a zone")
    author: str = Field(description="who noted it; the error of a wrong one names those there are")
    details: str | None = Field(None, description="more of it, as Markdown")
    files: list[str] | None = Field(None, description="paths it is about")
    tags: list[str] | None = None
    confidence: Confidence | None = None


class Resolve(Asked):
    reference: str = Field(description="what was said in place of a name, as: that part again, 上次那个料号")
    limit: Count | None = None


class Revise(Asked):
    id: Id
    content: str | None = Field(None, description="the new words")
    kind: str | None = None
    confidence: Confidence | None = None
    tags: list[str] | None = None
    version: int | None = Field(None, description="change it only if it is still that version")


class Forget(Asked):
    id: Id
    reason: str = ""


class History(Asked):
    id: Id
    after: int = Field(0, ge=0, description="only versions after that number; `next` of the page before")
    limit: Count = 20


class Pending(Asked):
    after: str = Field("", description="`next` of the page before")
    limit: Count = 20
