"""Observations (M10): what an agent notes of its work, in the document's form, published and enforced.

Decisions, bug fixes and refactorings are facts, discoveries and notes working memory. What has
proved true a person promotes to a fact (P4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.layer import Layer
from holdfast.remember import check as incoming
from holdfast.remember import store

if TYPE_CHECKING:
    from holdfast.model.draft import Draft
    from holdfast.model.plan import Outcome
    from holdfast.profile.schema import Profile
    from holdfast.scope import Scope

LAYERS = {
    "decision": Layer.FACT,
    "bugfix": Layer.FACT,
    "refactor": Layer.FACT,
    "discovery": Layer.SESSION,
    "note": Layer.SESSION,
}
"""M10: where each type belongs."""
DISCOVERY = "discovery"
SUMMARY_MOST = 200
_TEXTS = {"type": "array", "items": {"type": "string"}}


def schema(profile: Profile | None = None) -> dict[str, Any]:
    """The JSON Schema of an observation; a profile may name who its authors are."""
    author: dict[str, Any] = {"type": "string", "description": "who noted it"}
    if profile is not None and profile.authors:
        author["enum"] = list(profile.authors)
    described = {
        "type": {"type": "string", "enum": list(LAYERS), "description": "what sort of thing it is"},
        "summary": {"type": "string", "maxLength": SUMMARY_MOST, "description": "one sentence"},
        "details": {"type": ["string", "null"], "description": "more of it, as Markdown"},
        "files": {**_TEXTS, "description": "paths it is about"},
        "layer": {"type": "string", "enum": ["fact", "session"], "description": "where it is kept"},
        "tags": {**_TEXTS, "description": "words to find it by"},
        "created_at": {"type": "string", "format": "date-time", "description": "ISO 8601, with a zone"},
        "author": author,
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Observation",
        "type": "object",
        "required": ["type", "summary", "layer", "created_at", "author"],
        "properties": described,
    }


def observe(scope: Scope, observation: object, *, confidence: float | None = None) -> Outcome:
    """Keeps one, or says why not; InvalidInput names the first thing that does not fit the schema."""
    told = fitting(observation, schema(scope.profile))
    if LAYERS[told["type"]] is Layer.SESSION and told["layer"] == Layer.FACT:
        way_out = "say session; `promote` makes a fact of what has proved true"
        raise InvalidInput("layer", f"is fact for a {told['type']}", way_out)
    return store.remember(scope, [_draft(scope, told, confidence)], verb="observe")[0]


def _draft(scope: Scope, told: Mapping[str, Any], confidence: float | None) -> Draft:
    known = {"type", "summary", "details", "layer", "tags", "created_at", "author"}
    beside = {key: value for key, value in told.items() if key not in known and value not in (None, [])}
    details = told.get("details") or ""
    return incoming.draft(
        f"{told['summary']}\n{details}" if details else told["summary"],
        {
            "layer": told["layer"],
            "kind": told["type"] if told["type"] in scope.profile.kinds else None,
            "confidence": confidence,
            "source": told["author"],
            "at": told["created_at"],
            "tags": told.get("tags") or None,
            "metadata": {**beside, "observation": told["type"]},
        },
    )


# --- the schema, enforced -------------------------------------------------------------------------


def fitting(value: object, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The observation, where it fits; read by the very schema that is published."""
    if not isinstance(value, Mapping):
        raise InvalidInput("observation", f"is a {type(value).__name__}", "give a mapping, or a JSON object")
    for field in schema["required"]:
        if field not in value:
            raise InvalidInput(
                str(field), "is missing", f"an observation has {', '.join(schema['required'])}"
            )
    for field, rule in schema["properties"].items():
        if field in value:
            _fits(field, value[field], rule)
    return value


def _fits(field: str, value: object, rule: Mapping[str, Any]) -> None:
    types = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
    if not any(isinstance(value, _TYPES[name]) for name in types):
        raise InvalidInput(field, f"is a {type(value).__name__}", f"give a {' or '.join(types)}")
    if "enum" in rule:
        check.choice(field, value, rule["enum"])
    if isinstance(value, str):
        check.text(field, value, most=rule.get("maxLength", check.METADATA_CHARS), empty=field == "details")
    if rule.get("format") == "date-time":
        check.moment(field, value)
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            _fits(f"{field}[{place}]", item, rule["items"])


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "null": type(None),
    "array": (list, tuple),
}
