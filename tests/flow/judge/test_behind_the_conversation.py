"""What time does is judged by the model, which nobody waits for; a forecast, which somebody does, is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from .script import refused

LONG = {
    "zh-Hans": ("昨天在河边散步，雾还没散，路上没有人，走到第二座桥再回来。" * 8, "昨天在河边散步到桥边。"),
    "zh-Hant": ("昨天在河邊散步，霧還沒散，路上沒有人，走到第二座橋再回來。" * 8, "昨天在河邊散步到橋邊。"),
    "en": ("We walked along the river to the second bridge in the mist. " * 5, "A walk by the river."),
}
PAST = timedelta(days=31)


@pytest.mark.row("B10")
@pytest.mark.parametrize("language", LONG)
def test_the_model_shortens_and_the_ledger_names_it_and_what_was_said_is_kept(script, house, language):
    words, summary = LONG[language]
    script.says({"summary": summary})
    me = house().space("user:ada", profile="personal")
    told = me.remember(words, kind="event", sensitivity=0)
    at = told.memory.created_at + PAST
    assert me.steward.forecast(60).calendar
    assert me.steward.plan(at=at).steps
    assert script.asked == []
    me.steward.run(at=at)
    (memory,) = [one for one in me.list() if one.id == told.memory.id]
    assert (memory.content, me.ledger()[-1].judge) == (summary, "model/m")
    assert me.history(memory.id)[0].content == told.memory.content


def test_where_the_model_fails_the_rules_shorten_and_are_named(script, house):
    script.does(refused(401))
    me = house().space("user:ada", profile="personal")
    told = me.remember(LONG["zh-Hans"][0], kind="event", sensitivity=0)
    me.steward.run(at=told.memory.created_at + PAST)
    (memory,) = me.list()
    assert memory.content != told.memory.content
    assert me.ledger()[-1].judge == "rules/1"
