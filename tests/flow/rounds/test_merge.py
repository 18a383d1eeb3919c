"""Batches of the same become one summary (E9), and what has been done is counted (E19)."""

from __future__ import annotations

import pytest

from holdfast.engine import Holdfast
from holdfast.errors import Unavailable
from holdfast.settings import EmbedderSettings
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own, chosen_embedder
from rounds.conftest import START, day
from rounds.test_time import kept

# Ten mornings, the one said last first.
COFFEE = {
    "simplified": [
        "我每天早上喝一杯咖啡",
        "我每天早上喝咖啡",
        "我早上喝咖啡",
        "我每天早上都喝一杯咖啡",
        "早上我都喝咖啡",
        "我每天早晨喝一杯咖啡",
        "我早上喝一杯咖啡",
        "每天早上喝一杯咖啡",
        "我天天早上喝一杯咖啡",
        "我每天早上总喝一杯咖啡",
    ],
    "traditional": [
        "我每天早上喝一杯咖啡",
        "我每天早上喝咖啡",
        "我早上喝咖啡",
        "我每天早上都喝一杯咖啡",
        "早上我都喝咖啡",
        "我每天早晨喝一杯咖啡",
        "我早上喝一杯咖啡",
        "每天早上喝一杯咖啡",
        "我天天早上喝一杯咖啡",
        "我每天早上總喝一杯咖啡",
    ],
    "english": [
        "I drink coffee every morning",
        "I drink a coffee every morning",
        "Every morning I drink coffee",
        "Every morning I drink a coffee",
        "I drink a cup of coffee every morning",
        "I have coffee every morning",
        "I have a coffee every morning",
        "Every morning I have coffee",
        "I drink coffee each morning",
        "I always drink coffee in the morning",
    ],
}


class Away:
    """An embedder that cannot be reached for a while: what is said meanwhile is compared with nothing."""

    def __init__(self, inner):
        self.inner, self.away = inner, False
        self.name, self.dimensions, self.calibration = inner.name, inner.dimensions, inner.calibration

    def embed(self, texts):
        if self.away:
            raise Unavailable("the embedder is away")
        return self.inner.embed(texts)


@pytest.fixture(scope="module")
def installed():
    return Away(chosen_embedder(EmbedderSettings(name="use")))


@pytest.fixture(params=["memory", "directory"])
def me(request, installed, tmp_path):
    where = "memory://" if request.param == "memory" else tmp_path / "house"
    with Holdfast(where, Own(embedder=installed, clock=ManualClock(START))) as hf:
        yield hf.space("user:ada", profile="personal")


def mornings(me, installed, words, **told):
    installed.away = True
    ids = [kept(me, said, kind="event", at=day(count), **told) for count, said in enumerate(reversed(words))]
    installed.away = False
    return ids


@pytest.mark.row("E9")
@pytest.mark.row("B10")
@pytest.mark.parametrize("words", COFFEE.values(), ids=COFFEE)
def test_ten_coffee_mornings_become_one_summary_with_ten_mentions(me, installed, words):
    ids = mornings(me, installed, words)
    tea = kept(me, "the tea caddy is from my aunt", at=day(9))
    planned = me.steward.plan(at=day(10), rules=["merge"])
    assert planned.steps == ()  # nothing has a vector yet, and a plan makes none
    report = me.steward.run(at=day(10))
    assert (report.done, report.embedded) == ({"merge: merge": 1}, 10)
    (one,) = [memory for memory in me.list(status="active") if memory.id != tea]
    assert (one.mentions, str(one.level), set(one.merged_from)) == (10, "summary", set(ids))
    assert one.last_activated_at == day(9)
    sources = [me.get(id) for id in ids]
    assert {(m.status, m.merged_into, m.deletion) for m in sources} == {("merged", one.id, "merge_cleanup")}
    assert set(me.why(one.id).first_words) == set(words)
    assert me.recall(words[0], at=day(11)).hits[0].memory.id == one.id
    assert me.steward.run(at=day(10)).steps == ()
    me.steward.run(at=day(60))
    assert [me.get(id).content for id in ids] == list(reversed(words))
    assert me.verify().ok


@pytest.mark.row("E9")
def test_undoing_the_merge_brings_all_of_them_back(me, installed):
    ids = mornings(me, installed, COFFEE["english"])
    report = me.steward.run(at=day(10))
    me.undo(report.changes[-1], at=day(11))
    assert {me.get(id).status for id in ids} == {"active"}
    assert [memory.id for memory in me.list(status="active")] == ids


@pytest.mark.row("E14")
def test_what_is_sensitive_verified_or_taken_back_is_never_merged(me, installed):
    words = COFFEE["english"]
    ids = mornings(me, installed, words[:3], sensitivity=2)
    approved = mornings(me, installed, words[3:6])
    me.approve(*approved, at=day(9))
    taken = mornings(me, installed, words[6:9])
    for id in taken:
        me.negate(id, at=day(9))
    assert me.steward.run(at=day(10), rules=["embed", "merge"]).steps == ()
    assert len({*ids, *approved, *taken}) == 9


@pytest.mark.row("E19")
@pytest.mark.parametrize(
    ("like", "dislike"),
    [
        ("我喜欢喝红茶", "我不喜欢喝红茶了"),
        ("我喜歡喝紅茶", "我不喜歡喝紅茶了"),
        ("I like black tea", "I don't like black tea any more"),
    ],
)
def test_what_was_done_is_counted_under_the_documents_names(me, installed, like, dislike):
    mornings(me, installed, COFFEE["english"])
    for hour in (0, 1, 2):
        me.remember(like, kind="preference", at=day(9 + hour / 24))
    me.remember(dislike, kind="preference", at=day(9.5))
    me.steward.run(at=day(10))
    long = me.steward.run(at=day(200))
    told = me.steward.metrics(at=day(200))
    assert (told.user_activation_count, told.frequent_reinforce_count) == (2, 1)
    assert (told.negation_count, told.batch_merge_count) == (1, 1)
    compressed = sum(count for what, count in long.done.items() if what.startswith("compress"))
    assert told.passive_compression_count == compressed > 0
    assert sum(told.weight_distribution.values()) == len(me.list(layer="fact", status=["active", "review"]))
    assert 0.0 < told.avg_weight < 2.0
    me.steward.undo(long.run, at=day(200))
    assert me.steward.metrics(at=day(200)).passive_compression_count == 0
