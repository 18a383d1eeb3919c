"""The form that each answer of a model must have, as JSON Schema: told to the server, and held to here.

Only what is used is understood: objects whose keys are all required, lists, strings, numbers, truth values.
"""

from __future__ import annotations

import math
from typing import Any

from holdfast.ports.judge import Relation

Schema = dict[str, Any]

TYPES = ("relation", "place", "event", "habit", "medical")
KINDS = (
    "identity", "medical", "preference", "relation", "skill", "decision", "fact", "place", "bugfix", "event",
    "refactor", "interest", "discovery", "temporary", "note",
)  # fmt: skip
TAGS = ("preference", "personal", "memory", "promise")
NAMED = (
    "person", "place", "organisation", "product", "drug", "part_number", "code", "version", "phone", "email",
    "url", "date", "time", "amount", "quantity", "address", "plate", "intent",
)  # fmt: skip
OPERATIONS = ("add", "update", "boost", "delete")
LIST_MOST = 50
WORDS_MOST = 2000

# What only we hold to: servers of strict schemas know no bounds, and refuse a schema that has some.
_BOUNDS = ("maxLength", "maxItems", "minimum", "maximum")


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items, "maxItems": LIST_MOST}


def _one_of(names: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(names)}


_TEXT: Schema = {"type": "string", "maxLength": WORDS_MOST}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_YES: Schema = {"type": "boolean"}

RELATION = _object(why=_TEXT, label=_one_of(tuple(map(str, Relation))), confidence=_SHARE)
EXTRACT = _object(findings=_list(_object(type=_one_of(TYPES), quote=_TEXT)))
SENSITIVITY = _object(why=_TEXT, level={"type": "integer", "minimum": 0, "maximum": 3}, quotes=_list(_TEXT))
VERDICT = _object(why=_TEXT, holds=_YES, confidence=_SHARE)
CLASSIFY = _object(kind=_one_of(KINDS), tags=_list(_one_of(TAGS)), confidence=_SHARE)
ENTITIES = _object(entities=_list(_object(type=_one_of(NAMED), value=_TEXT)))
SUMMARISE = _object(summary=_TEXT)
CURATE = _object(operations=_list(_object(op=_one_of(OPERATIONS), id=_TEXT, words=_TEXT)))


def review(*, rising: bool, last: bool) -> Schema:
    """A round of a review: what may be decided depends on the case."""
    decisions = (("promote",) if rising else ()) + ("keep", "delete") + (() if last else ("search",))
    return _object(why=_TEXT, decision=_one_of(decisions), words=_TEXT)


def told(schema: Schema) -> Schema:
    """The schema as a server is told it."""
    return {
        key: told(value) if isinstance(value, dict) else value
        for key, value in schema.items()
        if key not in _BOUNDS
    }


def fits(value: object, schema: Schema) -> bool:
    """Whether a value has the form, key for key."""
    match schema["type"]:
        case "object":
            inner = schema["properties"]
            return (
                isinstance(value, dict)
                and value.keys() == inner.keys()
                and all(fits(value[key], inner[key]) for key in inner)
            )
        case "array":
            return (
                isinstance(value, list)
                and len(value) <= schema["maxItems"]
                and all(fits(item, schema["items"]) for item in value)
            )
        case "string":
            if not isinstance(value, str) or len(value) > schema.get("maxLength", WORDS_MOST):
                return False
            return value in schema.get("enum", (value,))
        case "boolean":
            return isinstance(value, bool)
        case _:
            return _in_range(value, schema)


def _in_range(value: object, schema: Schema) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    whole = schema["type"] == "number" or isinstance(value, int)
    return whole and schema["minimum"] <= value <= schema["maximum"]
