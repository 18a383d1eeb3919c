"""What requests hold: the shape of it. What the values may be is the library's to say, and it does.

Times are texts in ISO 8601 with a zone. What is left out, or null, is unsaid.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

MOST_ITEMS = 20_000
Count = Annotated[int, Field(ge=1, le=1_000)]
Names = list[str]
Time = Annotated[str, Field(examples=["2026-01-31T09:00:00+08:00"])]


class Body(BaseModel):
    """A body, nothing in it but what is listed."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def told(self, *without: str) -> dict[str, Any]:
        """What was said."""
        return {
            name: value
            for name in self.model_fields_set
            if name not in without and (value := getattr(self, name)) is not None
        }


class Wanted(BaseModel):
    """A query, nothing in it but what is listed."""

    model_config = ConfigDict(extra="forbid")

    def told(self, *without: str) -> dict[str, Any]:
        """What was said."""
        given = self.model_dump(exclude_none=True, exclude_unset=True)
        return {name: value for name, value in given.items() if name not in without}


class Said(Body):
    layer: str | None = Field(None, examples=["fact"])
    kind: str | None = Field(None, examples=["preference"])
    confidence: float | None = Field(None, examples=[0.9])
    priority: str | None = Field(None, examples=["medium"])
    sensitivity: int | None = None
    importance: float | None = None
    source: str | None = Field(None, examples=["chat"])
    at: Time | None = None
    expires_at: Time | None = None
    session: str | None = None
    speaker: str | None = None
    label: str | None = None
    tags: Names | None = None
    metadata: dict[str, Any] | None = None
    requires_approval: bool | None = None
    source_ids: Names | None = None
    vector: list[float] | None = None


class Remember(Said):
    content: str = Field(examples=["I like my coffee black"])
    entity_type: str | None = None
    entity_value: str | None = None


class RememberMany(Body):
    items: list[Remember] = Field(min_length=1, max_length=MOST_ITEMS)


class Revise(Said):
    content: str | None = Field(None, examples=["The spare key is with Mr Larkspur"])


class At(Body):
    at: Time | None = None


class Negate(At):
    content: str | None = Field(None, examples=["I do not drink coffee any more"])


class Reason(At):
    reason: str = Field("", examples=["the lock was changed"])


class Review(At):
    reason: str = Field(examples=["it may have changed"])


class Attach(At):
    modality: str = Field(examples=["image"])
    reference: str | None = Field(None, examples=["file:album/12.jpg"])
    digest: str | None = None
    text: str | None = Field(None, examples=["the two of us at the lake"])


class Approve(At):
    ids: Names = Field(min_length=1)


class Undo(At):
    change: str


class RestoreTo(At):
    moment: Time


class Recall(Body):
    query: str = Field(examples=["how does she take her coffee?"])
    limit: int | None = Field(None, examples=[5])
    mode: str | None = Field(None, examples=["normal"])
    layers: str | Names | None = None
    kinds: str | Names | None = None
    entity_type: str | None = None
    session: str | None = None
    min_confidence: float | None = None
    at: Time | None = None
    as_of: Time | None = None
    language: str | None = Field(None, examples=["en"])
    explain: bool = Field(default=False, description="say of each hit why it was found")


class Context(Body):
    query: str = Field(examples=["what can I serve at breakfast?"])
    budget: int | None = Field(None, examples=[1000])
    limit: int | None = None
    mode: str | None = None
    layers: str | Names | None = None
    kinds: str | Names | None = None
    entity_type: str | None = None
    session: str | None = None
    min_confidence: float | None = None
    at: Time | None = None
    as_of: Time | None = None
    language: str | None = None


class Entity(Said):
    entity_type: str = Field(examples=["part_number"])
    entity_value: str = Field(examples=["RM05-008"])


class Retrieve(At):
    query: str = Field(examples=["the part for the kiln"])
    min_confidence: float | None = None
    limit: int = 5


class Conflicts(At):
    entity_type: str = Field(examples=["phone"])
    entity_value: str = Field(examples=["555 0137"])
    confidence: float | None = None


class Propose(At):
    content: str = Field(examples=["Her daughter is Lin Xiaoman"])
    priority: str | None = Field(None, examples=["high"])


class ProposeChange(At):
    content: str | None = None
    priority: str | None = None


class Confirm(At):
    token: str


class Capture(At):
    content: str = Field(examples=["the raw answer of a model"])
    metadata: dict[str, Any] | None = None
    session: str | None = None


class NewSpace(Body):
    name: str = Field(examples=["user:ada"])
    profile: str = Field("assistant", examples=["assistant"])
    user_factor: float | None = None


class WantedKey(Body):
    name: str = Field(examples=["kitchen-agent"])
    role: str = Field(examples=["agent"])
    spaces: Names = Field(default_factory=list, examples=[["user:ada"]])
    days: float | None = Field(None, examples=[90])


class Work(At):
    limit: int = 100


class Noted(At):
    text: str = Field(examples=["I need RM05-008 again"])
    session: str | None = None


class Reference(At):
    reference: str = Field(examples=["that part again"])
    limit: int = 5


class Say(At):
    role: str = Field(examples=["user"])
    text: str = Field(examples=["我今天去看了妹妹"])
    confidence: float | None = None
    recalled: Names | None = None


class End(At):
    later: bool = False


class Promote(At):
    id: str
    content: str | None = None
    kind: str | None = None


class Rules(At):
    rules: Names | None = Field(None, examples=[["compress"]])


class Ahead(At):
    days: int = Field(180, examples=[30])


class UndoRun(At):
    run: str


class Seal(At):
    label: str | None = Field(None, examples=["the card of the bank"])


class Add(Body):
    """A memory as Memory Anchor writes it (docs/rest.md)."""

    content: str = Field(examples=["患者今天去了公园散步"])
    layer: str = Field("fact", examples=["fact"])
    category: str | None = Field(None, examples=["event"])
    source: str | None = Field(None, examples=["caregiver"])
    confidence: float | None = Field(None, examples=[0.85])
    requires_approval: bool = False


class Listed(Wanted):
    layer: list[str] | None = None
    kind: list[str] | None = None
    status: list[str] | None = None
    marks: list[str] | None = None
    entity_type: str | None = None
    session: str | None = None
    since: Time | None = None
    until: Time | None = None
    newest_first: bool | None = None
    after: str = ""
    limit: Count = 100


class Paged(Wanted):
    after: str = ""
    limit: Count = 100


class OfType(Paged):
    entity_type: str | None = None


class OfLedger(Wanted):
    after: int = Field(0, ge=0, le=2**53)
    limit: Count = 100
    memory: str = ""


class OfQueue(Wanted):
    failed: bool = False
    limit: Count = 100


class Search(Wanted):
    q: str = Field(examples=["公园"])
    layer: str | None = Field(None, examples=["fact"])
    limit: int | None = Field(None, examples=[5])
