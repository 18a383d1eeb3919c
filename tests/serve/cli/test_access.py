"""The table of access, cell by cell at the terminal: who lacks the right is told so, by the exit code too."""

from __future__ import annotations

import pytest

from holdfast.model.access import VERBS, allowed
from holdfast.model.actor import Role
from holdfast.serve.cli.codes import Code

NOBODY = (
    "01a1f5ac-5b2e-7794-be2e-12ac7d761c89"  # an id of nothing: rights are asked before anything is looked up
)
ROLES = (Role.OWNER, Role.USER, Role.AGENT, Role.AUDITOR)
# Verb → how it is typed.
TYPED = {
    "remember": ("remember", "The blue door squeaks"),
    "revise": ("revise", NOBODY, "The blue door is silent"),
    "negate": ("negate", NOBODY),
    "affirm": ("affirm", NOBODY),
    "forget": ("forget", NOBODY),
    "attach": ("attach", NOBODY, "--modality", "image", "--reference", "door.jpg"),
    "seal": ("seal", NOBODY),
    "open": ("open", NOBODY),
    "converse.say": ("converse", "say", "evening", "Good evening"),
    "converse.turns": ("converse", "turns", "evening"),
    "converse.end": ("converse", "end", "evening"),
    "store_entity": ("entity", "store", "料号", "RM05-008"),
    "note_entities": ("entity", "note", "料号 RM05-008"),
    "retrieve_entities": ("entity", "retrieve", "料号"),
    "get_user_entities": ("entity", "list"),
    "detect_conflicts": ("entity", "conflicts", "料号", "RM05-009"),
    "resolve": ("resolve", "上次那个料号"),
    "capture": ("capture", "the tool answered"),
    "restore": ("restore", NOBODY),
    "archive": ("archive", NOBODY),
    "mark_for_review": ("review", NOBODY, "is it so?"),
    "review": ("assess", NOBODY),
    "undo": ("undo", NOBODY),
    "recall": ("recall", "the door"),
    "recall_debug": ("recall", "the door", "--mode", "debug"),
    "context": ("context", "the door"),
    "get": ("show", NOBODY),
    "list": ("list",),
    "history": ("history", NOBODY),
    "why": ("why", NOBODY),
    "ledger": ("ledger",),
    "stats": ("stats",),
    "jobs": ("jobs",),
    "retry_job": ("jobs", "retry", NOBODY),
    "drop_job": ("jobs", "drop", NOBODY, "--reason", "no use"),
    "pending": ("pending",),
    "approve": ("approve", NOBODY),
    "reject": ("reject", NOBODY),
    "verify": ("verify",),
    "export": ("export", "-"),
    "captures": ("quarantine",),
    "drop_capture": ("quarantine", "drop", NOBODY),
    "brief": ("brief",),
    "promote": ("promote", NOBODY),
    "steward.forecast": ("forecast", "--days", "2"),
    "steward.run": ("steward", "run"),
    "steward.plan": ("steward", "run", "--dry-run"),
    "steward.log": ("steward", "log"),
    "steward.metrics": ("steward", "metrics"),
    "steward.undo": ("steward", "undo", NOBODY),
    "constitution.entries": ("constitution",),
    "constitution.due": ("constitution", "due"),
    "constitution.waiting": ("constitution", "waiting"),
    "constitution.propose": ("constitution", "add", "Ada lives by the sea"),
    "constitution.propose_change": ("constitution", "change", NOBODY, "Ada lives in the hills"),
    "constitution.propose_delete": ("constitution", "delete", NOBODY),
    "constitution.withdraw": ("constitution", "withdraw", NOBODY),
    "constitution.restore": ("constitution", "restore", NOBODY),
    "constitution.checked": ("constitution", "checked", NOBODY),
}


@pytest.mark.row("A1")
@pytest.mark.row("E13")
@pytest.mark.parametrize("verb", TYPED)
def test_a_command_is_open_to_whom_the_table_says(ada, verb):
    assert verb in VERBS
    for role in ROLES:
        ran = ada(*TYPED[verb], "--as", f"{role}:wren")
        assert ran.code != Code.USAGE, ran.err
        assert (ran.code == Code.FORBIDDEN) is not allowed(role, verb), (role, ran.code, ran.err)
        if ran.code == Code.FORBIDDEN:
            assert "right" in ran.err or "may not" in ran.err
            assert "Traceback" not in ran.err
