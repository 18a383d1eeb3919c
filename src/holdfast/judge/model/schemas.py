"""The form that each answer of a model must have, as JSON Schema: told to the server, and held to here.

Only what is used is understood: objects whose keys are all required, lists, strings, whole numbers, truths.
"""

from __future__ import annotations

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

TOLD_MOST = 300
"""Letters of one text that a server is told to stop at: a sentence has fewer, and an answer ends."""
SURE = {"low": 0.5, "medium": 0.7, "high": 0.9}
"""What a model's certainty counts; it calls itself surer than it is, so it is asked for no figure. At `low`
nothing is retired (`reconcile.judge_confidence` of every preset is above it).
"""
_BOUNDS = ("maxLength", "maxItems")


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
_SURE = _one_of(tuple(SURE))
_YES: Schema = {"type": "boolean"}

RELATION = _object(why=_TEXT, label=_one_of(tuple(map(str, Relation))), confidence=_SURE)
EXTRACT = _object(findings=_list(_object(type=_one_of(TYPES), quote=_TEXT)))
SENSITIVITY = _object(why=_TEXT, level={"type": "integer", "enum": [0, 1, 2, 3]}, quotes=_list(_TEXT))
VERDICT = _object(why=_TEXT, holds=_YES, confidence=_SURE)
CLASSIFY = _object(kind=_one_of(KINDS), tags=_list(_one_of(TAGS)), confidence=_SURE)
ENTITIES = _object(entities=_list(_object(type=_one_of(NAMED), value=_TEXT)))
SUMMARISE = _object(summary={"type": "string", "maxLength": 2 * WORDS_MOST})
CURATE = _object(operations=_list(_object(op=_one_of(OPERATIONS), id=_TEXT, words=_TEXT)))


def review(*, rising: bool, last: bool) -> Schema:
    """A round of a review: what may be decided depends on the case."""
    decisions = (("promote",) if rising else ()) + ("keep", "delete") + (() if last else ("search",))
    return _object(why=_TEXT, decision=_one_of(decisions), words=_TEXT)


def told(schema: Schema, *, bounded: bool) -> Schema:
    """The schema as a server is told it; some know no bounds, and refuse a schema that has any."""
    written = {
        key: told(value, bounded=bounded) if isinstance(value, dict) else value
        for key, value in schema.items()
        if key not in _BOUNDS
    }
    if bounded and schema.get("maxLength") == WORDS_MOST:
        written["maxLength"] = TOLD_MOST
    if bounded and "maxItems" in schema:
        written["maxItems"] = schema["maxItems"]
    return written


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
            return type(value) is int and value in schema["enum"]
