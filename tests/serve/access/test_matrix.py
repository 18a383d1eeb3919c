"""The table of access: whole, closed by default, printed as it is, and kept by the library."""

from __future__ import annotations

import importlib

import pytest

from holdfast import Actor, Forbidden, InvalidInput
from holdfast.model.access import ADMIN, HOUSE, KEY_ROLES, VERBS, acts_as, allowed, right_of
from holdfast.model.actor import RIGHTS, Role
from holdfast.space import Space

CELLS = [(role, verb) for role in KEY_ROLES for verb in VERBS]
# Members of Space that show or name something and do nothing.
NO_VERBS = {
    "id",
    "name",
    "actor",
    "profile",
    "as_actor",
    "require",
    "refuse",
    "constitution",
    "steward",
    "captured",
    "capturing",
}


def test_the_page_prints_the_table_as_it_is(monkeypatch, pytestconfig):
    monkeypatch.syspath_prepend(str(pytestconfig.rootpath / "tools"))
    tool = importlib.import_module("access_page")
    written = (pytestconfig.rootpath / "docs" / "access.md").read_text(encoding="utf-8")
    assert tool.page(written) == written, "run python tools/access_page.py"


def test_every_right_is_one_that_somebody_has_and_every_role_has_some():
    known = frozenset().union(*RIGHTS.values())
    assert {right for right in VERBS.values() if right not in known} == set()
    assert all(any(allowed(role, verb) for verb in VERBS) for role in KEY_ROLES)


def test_what_is_not_in_the_table_is_open_to_nobody():
    assert not any(allowed(role, "drop_everything") for role in KEY_ROLES)
    with pytest.raises(InvalidInput, match="verb"):
        right_of("drop_everything")
    assert not set(VERBS) & set(HOUSE)


def test_agents_never_approve_nor_touch_the_constitution_and_auditors_change_nothing():
    closed = [verb for verb in VERBS if VERBS[verb] in ("approve", "reject", "constitution.write")]
    assert len(closed) == 9
    assert not any(allowed(Role.AGENT, verb) for verb in closed)
    writes = RIGHTS[Role.USER] - RIGHTS[Role.AUDITOR]
    assert "remember" in writes
    assert not any(allowed(Role.AUDITOR, verb) for verb, right in VERBS.items() if right in writes)
    assert acts_as(ADMIN) is Role.OWNER


@pytest.mark.row("E13")
@pytest.mark.parametrize(("role", "verb"), CELLS)
def test_a_space_keeps_to_every_cell_and_records_what_it_refuses(role, verb, house):
    me = house.as_actor(Actor(acts_as(role), "tester"))
    before = len(house.ledger(limit=10_000))
    if allowed(role, verb):
        me.require(verb)
        assert len(house.ledger(limit=10_000)) == before
    else:
        with pytest.raises(Forbidden, match=VERBS[verb]):
            me.require(verb)
        last = house.ledger(limit=10_000)[-1]
        assert (last.verb, last.actor) == ("forbidden", f"{role}:tester")


def test_every_verb_of_a_space_is_in_the_table():
    known = {name for name in dir(Space) if not name.startswith("_")} - NO_VERBS
    assert known - set(VERBS) == set()
