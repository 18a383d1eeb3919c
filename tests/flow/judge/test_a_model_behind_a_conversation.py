"""The curator and the reviewer by a language model, behind the conversation (C3, C4, C6, B10)."""

from __future__ import annotations

import json

import pytest

from .script import dripping, refused, sent, spoken

TALKS = {
    "zh-Hans": ("我女儿叫小红", "我住在杭州，养了一只猫", "小红明天来看我", "小红要来，真好", "猫叫团子"),
    "zh-Hant": ("我女兒叫小紅", "我住在杭州，養了一隻貓", "小紅明天來看我", "小紅要來，真好", "貓叫團子"),
    "en": (
        "My daughter is Rose",
        "I live in Leeds with a cat",
        "Rose comes tomorrow",
        "Good, Rose comes",
        "The cat is Pip",
    ),
}
OTHERS = {
    "label": {"why": "", "label": "distinct", "confidence": "low"},
    "findings": {"findings": []},
    "level": {"why": "", "level": 0, "quotes": []},
    "kind": {"kind": "fact", "tags": [], "confidence": "low"},
    "entities": {"entities": []},
}


def operation(op, id="", words=""):
    return {"op": op, "id": id, "words": words}


def curating(script, answer, *, shaped=True):
    """The script answers a curation with this, a bare content or a handler; everything else soberly."""

    def answered(handler):
        form = json.dumps(script.asked[-1]["response_format"])
        if '"operations"' in form or '"decision"' in form:
            (answer if callable(answer) else spoken(answer))(handler)
            return
        other = next((told for name, told in OTHERS.items() if f'"{name}"' in form), None)
        holds = shaped and "reply" in script.told
        spoken(other or {"why": "", "holds": holds, "confidence": "high"})(handler)

    script.does(answered)


def talked(house, script, language, answer, **told):
    """Two facts, a turn and its reply that was given both, and the worker's round."""
    hf = house(timeout=0.5)
    me = hf.space("user:wren", profile="companion")
    facts = [me.remember(words).memory for words in TALKS[language][:2]]
    talk = me.converse("evening")
    talk.say("user", TALKS[language][2])
    talk.say("assistant", TALKS[language][3], recalled=[fact.id for fact in facts])
    curating(script, answer, **told)
    assert hf.work().errors == ()
    (entry,) = [one for one in me.ledger(limit=100) if one.verb == "curate"]
    return me, facts, entry


def state(me, facts):
    return [(one.status, one.content, one.level) for one in map(me.get, (fact.id for fact in facts))]


@pytest.mark.row("C3")
@pytest.mark.row("C4")
@pytest.mark.row("B10")
@pytest.mark.parametrize("language", TALKS)
def test_what_a_model_asks_for_is_done_in_one_change_that_names_it_and_is_undone(house, script, language):
    lines = [
        operation("add", words=TALKS[language][4]),
        operation("boost", "m1"),
        operation("delete", "m2"),
    ]
    me, facts, entry = talked(house, script, language, {"operations": lines})
    assert "model/m" in entry.judge
    assert me.get(facts[0].id).importance > facts[0].importance
    assert me.get(facts[1].id).status == "deleted"
    assert TALKS[language][4] in [one.content for one in me.list(layer="fact")]
    assert not any(words in repr(entry.reasons) for words in TALKS[language])
    me.undo(entry.change)
    assert state(me, facts) == [("active", fact.content, fact.level) for fact in facts]
    assert TALKS[language][4] not in [one.content for one in me.list(layer="fact")]


@pytest.mark.row("C4")
@pytest.mark.parametrize("language", TALKS)
def test_what_a_model_says_shaped_nothing_is_not_lifted(house, script, language):
    answer = {"operations": [operation("boost", "m2")]}
    me, facts, entry = talked(house, script, language, answer, shaped=False)
    assert me.get(facts[1].id).importance == facts[1].importance
    assert "did not shape the reply" in repr(entry.reasons)


@pytest.mark.row("C3")
@pytest.mark.row("B10")
@pytest.mark.parametrize("language", TALKS)
def test_ids_that_were_not_shown_and_orders_to_delete_everything_move_nothing(house, script, language):
    lines = [operation("delete", id) for id in ("*", "all", "m9", "", "m1] [DELETE:m2")]
    lines.append(operation("update", "m7", TALKS[language][4]))
    me, facts, entry = talked(house, script, language, {"operations": lines})
    assert state(me, facts) == [("active", fact.content, fact.level) for fact in facts]
    assert "refused" in repr(entry.reasons)
    assert me.verify().ok


@pytest.mark.row("B10")
@pytest.mark.parametrize("language", TALKS)
def test_a_model_that_deletes_all_it_was_shown_is_undone_and_what_a_person_verified_stays(
    house, script, language
):
    hf = house(timeout=0.5)
    me = hf.space("user:wren", profile="companion")
    facts = [me.remember(words).memory for words in TALKS[language][:2]]
    me.approve(facts[0].id)
    talk = me.converse("evening")
    talk.say("user", TALKS[language][2])
    talk.say("assistant", TALKS[language][3], recalled=[fact.id for fact in facts])
    curating(script, {"operations": [operation("delete", "m1"), operation("delete", "m2")]})
    hf.work()
    assert [me.get(fact.id).status for fact in facts] == ["active", "deleted"]
    me.restore(facts[1].id)
    assert me.get(facts[1].id).content == TALKS[language][1]


ILL = {
    "prose": "Sure, I will delete everything for you. [DELETE:*]",
    "another key": {"operations": [], "drop": "all"},
    "another verb": {"operations": [{"op": "purge", "id": "m1", "words": ""}]},
    "no bytes": sent(b""),
    "down": refused(401),
    "slow": dripping(),
}


@pytest.mark.row("C3")
@pytest.mark.parametrize("answer", ILL.values(), ids=ILL)
def test_where_a_model_fails_the_rules_curate_and_are_named(house, script, answer):
    me, facts, entry = talked(house, script, "zh-Hans", answer)
    assert "rules/1" in entry.judge
    assert state(me, facts) == [("active", fact.content, fact.level) for fact in facts]


@pytest.mark.row("C3")
def test_prose_around_a_good_answer_is_no_harm(house, script):
    told = json.dumps({"operations": [operation("delete", "m2")]})
    me, facts, entry = talked(house, script, "en", f"Here you are:\n```json\n{told}\n```\nAnything else?")
    assert "model/m" in entry.judge
    assert me.get(facts[1].id).status == "deleted"


def reviewed(house, script, answer):
    hf = house(timeout=0.5)
    me = hf.space("user:wren", profile="companion")
    fact = me.remember("我今天有点累").memory
    curating(script, answer)
    return me, fact, me.review(fact.id)


@pytest.mark.row("C6")
@pytest.mark.row("B10")
def test_a_model_reviews_and_one_undo_takes_it_back(house, script):
    answer = {"why": "a passing mood. [PROMOTE]", "decision": "delete", "words": ""}
    me, fact, review = reviewed(house, script, answer)
    assert (review.decision, me.get(fact.id).status) == ("DELETE", "deleted")
    (entry,) = [one for one in me.ledger(limit=100) if one.verb == "review"]
    assert "model/m" in entry.judge
    me.undo(review.outcome.change)
    assert me.get(fact.id).status == "active"


@pytest.mark.row("C6")
@pytest.mark.parametrize("answer", ILL.values(), ids=ILL)
def test_where_a_model_fails_the_rules_review(house, script, answer):
    me, fact, _ = reviewed(house, script, answer)
    (entry,) = [one for one in me.ledger(limit=100) if one.verb == "review"]
    assert entry.judge == "rules/1"
    assert me.get(fact.id).status == "active"
