"""Entities of a user: listed by type, page by page, and never another user's."""

from __future__ import annotations

import pytest

from holdfast.errors import InvalidInput


@pytest.mark.row("A5")
def test_entities_are_listed_by_type_and_paged(space):
    me = space("entities")
    for number in range(7):
        me.store_entity("part_number", f"RM05-00{number}", confidence=0.9)
        me.remember(f"第{number}句闲话")
    me.store_entity("intent", "purchase", confidence=0.9)
    assert [entity.entity_value for entity in me.get_user_entities("intent")] == ["purchase"]
    seen, after = [], ""
    while page := me.get_user_entities("part_number", after=after, limit=3):
        assert len(page) <= 3
        seen += [entity.entity_value for entity in page]
        after = page[-1].id
    assert seen == [f"RM05-00{number}" for number in range(7)]
    assert len(me.get_user_entities()) == 8
    assert [entity.entity_type for entity in me.get_user_entities(limit=8)][-1] == "intent"


@pytest.mark.row("A5")
def test_what_was_forgotten_or_put_away_is_no_entity_of_the_user(space):
    me = space("entities")
    kept, gone, away = (me.store_entity("code", value).memory.id for value in ("A-1", "A-2", "A-3"))
    me.forget(gone)
    me.archive(away)
    assert [entity.id for entity in me.get_user_entities("code")] == [kept]


@pytest.mark.row("A1")
@pytest.mark.row("A3")
def test_no_conflict_and_no_mention_crosses_from_one_user_to_another(house):
    one, other = (house.space(name, profile="entities") for name in ("user:one", "user:other"))
    one.store_entity("phone", "13800138000", confidence=0.9)
    assert other.detect_conflicts("phone", "13900139000", confidence=1.0) == ()
    assert other.store_entity("phone", "13800138000").decision == "accepted"
    assert one.get_user_entities()[0].mentions == 1


@pytest.mark.parametrize(
    ("entity_type", "entity_value"),
    [("", "x"), ("x", ""), (3, "x"), ("x", None), ("x" * 201, "x"), ("x", "长" * 2001)],
)
def test_an_entity_without_type_or_value_is_named(space, entity_type, entity_value):
    me = space("entities")
    for call in (me.store_entity, me.detect_conflicts):
        with pytest.raises(InvalidInput):
            call(entity_type, entity_value)
    with pytest.raises(InvalidInput):
        me.get_user_entities(limit=0)
    assert me.ledger() == []
