"""What is asked of the way out, checked, nothing left unsaid. Bad input raises here and nowhere later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypedDict

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.layer import Layer, Mode
from holdfast.recall.frame import SEARCHED
from holdfast.recall.language import LANGUAGES, Language, language_of

if TYPE_CHECKING:
    from holdfast.profile.schema import Profile

MOST_HITS = 1000
MOST_CHARS = 20_000
"""Of a query: as long as the longest memory, so that a memory's own words can be asked for."""


_ANY: frozenset[str] = frozenset()


class Asked(TypedDict, total=False):
    """How to ask. `at` is when it is asked (its zone says what "yesterday" means), `as_of` the time whose
    knowledge is wanted; `language` of labels and titles is the query's where it is unsaid.
    """

    limit: int
    mode: str
    layers: str | Sequence[str]
    kinds: str | Sequence[str]
    entity_type: str
    session: str
    min_confidence: float
    at: datetime | str | None
    as_of: datetime | str
    language: str


_ASKED = frozenset(Asked.__annotations__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query and how it is to be answered. `at` None: now. Times keep the zone they were given in."""

    query: str
    limit: int
    mode: Mode
    layers: frozenset[str]
    kinds: frozenset[str]
    entity_type: str
    session: str
    min_confidence: float
    at: datetime | None
    as_of: datetime | None
    language: Language
    hot: int
    """So many of working memory come first, beside the limit (P6)."""
    ranking: str
    limited: bool
    """Whether the caller said a limit."""
    entities: bool = False
    """Only what has an entity type and value (A4)."""


def question(query: str, asked: Mapping[str, Any], profile: Profile) -> Question:
    """The question, with the profile's figures where nothing was said."""
    unknown = asked.keys() - _ASKED
    if unknown:
        raise InvalidInput(min(unknown), "is nothing to ask by", f"use {', '.join(Asked.__annotations__)}")
    query = check.text("query", query, most=MOST_CHARS)
    recall = profile.recall
    told = {name: value for name, value in asked.items() if value is not None}
    confidence = told.get("min_confidence", recall.min_confidence)
    spoken = told.get("language")
    mode = Mode(check.choice("mode", told["mode"], Mode)) if "mode" in told else Mode.NORMAL
    layers = _layers(told["layers"]) if "layers" in told else _usual(recall.layers)
    working = mode is Mode.NORMAL and ("layers" not in told or Layer.SESSION in layers)
    return Question(
        query=query,
        limit=check.whole("limit", told.get("limit", recall.limit), low=1, high=MOST_HITS),
        mode=mode,
        layers=layers,
        kinds=_chosen("kinds", told["kinds"], profile.kinds) if "kinds" in told else _ANY,
        entity_type=check.text("entity_type", told["entity_type"], empty=True)
        if "entity_type" in told
        else "",
        session=check.text("session", told["session"], empty=True) if "session" in told else "",
        min_confidence=check.share("min_confidence", confidence),
        at=zoned("at", told.get("at")),
        as_of=zoned("as_of", told.get("as_of")),
        language=language_of(query, profile.labels.language)
        if spoken is None
        else Language(check.choice("language", spoken, LANGUAGES)),
        hot=recall.hot if working else 0,
        ranking=recall.ranking,
        limited="limit" in told,
    )


def zoned(field: str, value: object) -> datetime | None:
    """An aware time in the zone it was given in, checked like every other."""
    if value is None:
        return None
    checked = check.moment(field, value)
    zone = (datetime.fromisoformat(value) if isinstance(value, str) else value).tzinfo  # type: ignore[attr-defined]
    return checked.astimezone(zone or UTC)


@lru_cache(maxsize=64)
def _usual(layers: tuple[str, ...]) -> frozenset[str]:
    """Those of a profile, checked once."""
    return _layers(layers)


def _layers(value: Any) -> frozenset[str]:
    layers = _chosen("layers", value, [*SEARCHED, Layer.CONSTITUTION, Layer.QUARANTINE])
    if Layer.QUARANTINE in layers:
        raise InvalidInput("layers", "names quarantine", "owners read it by captures(); it is not recalled")
    if Layer.CONSTITUTION in layers:
        raise InvalidInput("layers", "names the constitution", "leave it out; it comes with every answer")
    return layers


def _chosen(field: str, value: Any, allowed: Iterable[str]) -> frozenset[str]:
    several = (value,) if isinstance(value, str) else value
    if not isinstance(several, Iterable):
        raise InvalidInput(field, f"is a {type(value).__name__}", "give a name, or a list of names")
    names = sorted(str(name) for name in allowed)
    return frozenset(check.choice(field, item, names) for item in several)
