"""What is gone for good, when, and by which policy (E16)."""

from __future__ import annotations

from dataclasses import replace

from holdfast.model.layer import Layer
from holdfast.model.status import Status
from holdfast.profile.load import load
from holdfast.steward.purge import purged_by

from .memories import NOON, days, memory

PERSONAL = load("personal")
DELETED = memory(status=Status.DELETED, deleted_at=NOON, deletion="user_delete")


def test_what_was_forgotten_is_kept_thirty_days():
    assert purged_by(DELETED, NOON + days(30), PERSONAL) == ""
    assert purged_by(DELETED, NOON + days(31), PERSONAL) == "user_delete"


def test_an_old_archive_is_deleted_only_where_the_space_asked_for_it():
    archived = memory(status=Status.ARCHIVED)
    asked = replace(PERSONAL, retention=replace(PERSONAL.retention, delete_archived=True))
    assert purged_by(archived, NOON + days(4000), PERSONAL) == ""
    assert purged_by(archived, NOON + days(365), asked) == ""
    assert purged_by(archived, NOON + days(366), asked) == "auto_cleanup"


def test_what_was_merged_stays_and_so_do_the_living_and_the_constitution():
    assert purged_by(memory(status=Status.MERGED), NOON + days(4000), PERSONAL) == ""
    assert purged_by(memory(), NOON + days(4000), PERSONAL) == ""
    assert purged_by(replace(DELETED, layer=Layer.CONSTITUTION), NOON + days(4000), PERSONAL) == ""
