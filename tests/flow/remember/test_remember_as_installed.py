"""The way in with nothing set up: the embedder and the judge that come with it, in three scripts."""

from __future__ import annotations

import pytest

from holdfast.engine import Holdfast
from holdfast.model.layer import Level
from holdfast.model.status import Mark


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with Holdfast(tmp_path_factory.mktemp("house")) as hf:
        yield hf


@pytest.mark.row("E8")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢喝咖啡", "我不喜欢咖啡了"),
        ("我喜歡喝咖啡", "我不喜歡咖啡了"),
        ("I like drinking coffee", "I don't like coffee any more"),
    ],
)
def test_somebody_who_no_longer_likes_coffee_only_has_to_say_so(house, old, new):
    me = house.space(f"user:{old}", profile="personal")
    id = me.remember(old, kind="preference").memory.id
    out = me.remember(new, kind="preference")
    assert (out.memory.content, out.memory.level) == (new, Level.FULL)
    assert id in out.touched
    before = me.get(id)
    assert Mark.NEGATED in before.marks
    assert [step.content for step in before.corrections] == [new]
    assert [hit.memory.content for hit in me.recall("咖啡 coffee")] == [new]
    assert {hit.memory.content for hit in me.recall("咖啡 coffee", mode="review")} == {old, new}


@pytest.mark.parametrize(
    "unrelated", ["火车晚点了两个小时", "火車晚點了兩個小時", "The train was two hours late"]
)
def test_what_has_nothing_to_do_with_it_is_simply_kept(house, unrelated):
    me = house.space(f"user:{unrelated}", profile="personal")
    id = me.remember("我喜欢喝咖啡", kind="preference").memory.id
    assert me.remember(unrelated).touched == (me.list()[-1].id,)
    assert me.get(id).version == 1
