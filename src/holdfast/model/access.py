"""Which right each verb asks for, by name: with `actor.RIGHTS` the one table of access, for every door.

A door looks here and nowhere else; a verb that is not here is open to nobody. docs/access.md prints it.
"""

from __future__ import annotations

from holdfast.errors import Forbidden, InvalidInput
from holdfast.model.actor import RIGHTS, Role

ADMIN = "admin"
"""A key's role: an owner in every space it opens, and the keeper of the house besides."""

KEY_ROLES = (ADMIN, Role.OWNER, Role.USER, Role.AGENT, Role.AUDITOR)
"""Whom a key can speak for. The system role belongs to the steward and is never handed out."""

# Verb → the right it asks for in its space.
VERBS: dict[str, str] = {
    "remember": "remember",
    "remember_many": "remember",
    "revise": "revise",
    "negate": "negate",
    "affirm": "affirm",
    "forget": "forget",
    "attach": "attach",
    "seal": "seal",
    "open": "open",
    "converse": "session",
    "converse.say": "session",
    "converse.end": "session",
    "converse.turns": "session",
    "converse.recall": "session",
    "converse.context": "session",
    "observe": "remember",
    "store_entity": "remember",
    "capture": "capture",
    "restore": "restore",
    "archive": "archive",
    "mark_for_review": "review",
    "review": "review",
    "undo": "undo",
    "restore_to": "undo",
    "recall": "recall",
    "recall_debug": "debug",
    "context": "context",
    "get": "get",
    "list": "list",
    "history": "history",
    "why": "why",
    "weights": "history",
    "ledger": "history",
    "events": "history",
    "stats": "stats",
    "jobs": "stats",
    "retry_job": "manage",
    "drop_job": "manage",
    "retrieve_entities": "recall",
    "detect_conflicts": "recall",
    "note_entities": "remember",
    "resolve": "recall",
    "get_user_entities": "list",
    "pending": "pending",
    "to_verify": "pending",
    "approve": "approve",
    "reject": "reject",
    "verify": "verify",
    "export": "export",
    "captures": "quarantine.read",
    "drop_capture": "quarantine.delete",
    "brief": "quarantine.read",
    "promote": "promote",
    "steward.plan": "stats",
    "steward.run": "manage",
    "steward.forecast": "stats",
    "steward.curve": "get",
    "steward.log": "history",
    "steward.metrics": "stats",
    "steward.undo": "undo",
    "constitution.entries": "constitution.read",
    "constitution.due": "constitution.read",
    "constitution.waiting": "constitution.read",
    "constitution.propose": "constitution.write",
    "constitution.propose_change": "constitution.write",
    "constitution.propose_delete": "constitution.write",
    "constitution.confirm": "constitution.write",
    "constitution.withdraw": "constitution.write",
    "constitution.restore": "constitution.write",
    "constitution.checked": "constitution.write",
}

# Verb of the house → the roles of a key that may. They belong to no space.
HOUSE: dict[str, frozenset[str]] = {
    "spaces": frozenset(KEY_ROLES),  # those that the key opens
    "profiles": frozenset(KEY_ROLES),
    "schemas": frozenset(KEY_ROLES),
    "judge": frozenset(KEY_ROLES),  # what it thinks of words that are handed in
    "create_space": frozenset({ADMIN, Role.OWNER}),  # among those that the key opens
    "import_space": frozenset({ADMIN, Role.OWNER}),  # among those that the key opens
    "metrics": frozenset({ADMIN, Role.AUDITOR}),
    "doctor": frozenset({ADMIN, Role.AUDITOR}),
    "repair": frozenset({ADMIN}),
    "move": frozenset({ADMIN}),
    "work": frozenset({ADMIN}),
    "steward.plan_all": frozenset({ADMIN, Role.AUDITOR}),
    "steward.run_all": frozenset({ADMIN}),
    "rotate": frozenset({ADMIN}),
    "keys.create": frozenset({ADMIN}),
    "keys.list": frozenset({ADMIN}),
    "keys.revoke": frozenset({ADMIN}),
}


WIDE = frozenset(HOUSE) - {
    "spaces", "profiles", "schemas", "judge", "create_space", "import_space", "repair"
}  # fmt: skip
"""Verbs of the house that reach into every space: only by a key that opens every one. The others keep to
those that the key opens.
"""


def acts_as(role: str) -> Role:
    """The role that a key's holder has inside a space."""
    return Role.OWNER if role == ADMIN else Role(role)


def right_of(verb: str) -> str:
    """The right that a verb asks for; a verb nobody knows is an error, never open."""
    if not isinstance(verb, str) or verb not in VERBS:
        raise InvalidInput("verb", f"is {verb!r:.80}", "use a verb of docs/access.md")
    return VERBS[verb]


def allowed(role: str, verb: str) -> bool:
    """Whether a key of this role may use the verb, before a profile narrows it."""
    if verb in HOUSE:
        return role in HOUSE[verb]
    return verb in VERBS and VERBS[verb] in RIGHTS[acts_as(role)]


SOURCES: dict[str, Role] = {"caregiver": Role.OWNER, "patient": Role.USER, "ai_extraction": Role.AGENT}
"""Whose words the care design says an added memory holds (M13), and as whom they are kept."""

SPEAKS: dict[Role, frozenset[Role]] = {
    Role.OWNER: frozenset({Role.OWNER, Role.USER, Role.AGENT}),
    Role.USER: frozenset({Role.USER, Role.AGENT}),
    Role.AGENT: frozenset({Role.AGENT}),
}
"""A role speaks for itself and for those with fewer rights, never for one with more."""


def speaks_as(role: Role, source: str) -> Role:
    """As whom the words of a source are kept; Forbidden where the role has fewer rights than that one."""
    if source not in SOURCES:
        raise InvalidInput("source", f"is {source!r:.80}", f"give one of {', '.join(SOURCES)}")
    meant = SOURCES[source]
    if meant not in SPEAKS.get(role, frozenset()):
        raise Forbidden(f"{role} cannot speak as {source}; leave the source out, or show a key of {meant}")
    return meant
