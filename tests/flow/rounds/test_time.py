"""What time does, rule by rule, seen through the public verbs."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.errors import Forbidden
from holdfast.model.actor import Actor
from holdfast.model.layer import Level
from holdfast.model.status import Status
from rounds.conftest import START, day, state

LONG = {
    "simplified": (
        "我每个星期三下午都去河边的图书馆看两个小时的历史书。图书馆的门口有一棵很大的樱桃树，春天的"
        "时候很多人来拍照。我最喜欢靠窗的那个座位，因为可以看见河上的船。管理员姓周，她总是帮我留着"
        "新到的杂志，还会告诉我下个月有什么讲座。有时候我在那里遇见老同学，我们就一起去旁边的小饭馆"
        "吃面，一边吃一边说以前在学校里的事情，常常说到天黑才回家，路上很安静。回家以后我会把当天看"
        "过的内容写在一个蓝色的本子里，已经写了三本。"
    ),
    "traditional": (
        "我每個星期三下午都去河邊的圖書館看兩個小時的歷史書。圖書館的門口有一棵很大的櫻桃樹，春天的"
        "時候很多人來拍照。我最喜歡靠窗的那個座位，因為可以看見河上的船。管理員姓周，她總是幫我留著"
        "新到的雜誌，還會告訴我下個月有什麼講座。有時候我在那裡遇見老同學，我們就一起去旁邊的小飯館"
        "吃麵，一邊吃一邊說以前在學校裡的事情，常常說到天黑才回家，路上很安靜。回家以後我會把當天看"
        "過的內容寫在一個藍色的本子裡，已經寫了三本。"
    ),
    "english": (
        "Every Wednesday afternoon I read history for two hours in the library by the river. A larg"
        "e cherry tree stands at its door, and in spring many people come to take pictures. I like "
        "the seat by the window best, because I can see the boats. The librarian keeps the new maga"
        "zines for me and tells me about the lectures."
    ),
}


def kept(space, content, at=START, **told):
    out = space.remember(content, **{"at": at, "sensitivity": 0, **told})
    assert out.memory is not None, out.reasons
    return out.memory.id


def status(space, id):
    return space.get(id).status


@pytest.mark.row("M6")
@pytest.mark.parametrize(
    "words", ["今天聊了很久的花", "今天聊了很久的花園", "we talked about the garden for long"]
)
def test_a_session_goes_to_cold_storage_after_a_day_and_is_found_by_its_time(house, words):
    me = house.space("care:lin", profile="care")
    id = kept(me, words, layer="session", session="s1")
    assert me.steward.run(at=day(0.9)).steps == ()
    report = me.steward.run(at=day(1.1))
    assert report.done == {"session: cold": 1}
    cold = me.get(id)
    assert (cold.status, cold.level, cold.content) == (Status.ARCHIVED, Level.ARCHIVE, words)
    assert [m.id for m in me.list(layer="session", since=START - timedelta(hours=1), until=day(1))] == [id]
    assert me.recall(words, at=day(1.2)).hits == ()
    assert house.doctor() == []
    assert me.restore(id, at=day(1.2)).memory.level is Level.FULL
    assert house.doctor() == []


@pytest.mark.row("M6")
def test_the_working_memory_of_a_team_is_removed_and_quarantine_keeps_the_original(house):
    me = house.space("project:x", profile="team")
    words = "the deploy of the billing service failed since the disk was full"
    me.capture(words, at=START)
    id = kept(me, words, layer="session", confidence=0.9)
    assert me.steward.run(at=day(1.1), rules=["session"]).done == {"session: remove": 1}
    assert (me.get(id).status, me.get(id).deletion) == (Status.DELETED, "auto_cleanup")
    assert [capture.content for capture in me.captures()] == [words]
    me.steward.run(at=day(40))
    assert me.get(id).content == ""
    assert [capture.content for capture in me.captures()] == [words]


@pytest.mark.row("M3")
def test_what_expires_is_expired_and_archived_later(me):
    id = kept(me, "the parking permit is valid", expires_at=day(10))
    assert me.steward.run(at=day(9)).steps == ()
    me.steward.run(at=day(10))
    assert status(me, id) is Status.EXPIRED
    me.steward.run(at=day(39))
    assert status(me, id) is Status.EXPIRED
    me.steward.run(at=day(41))
    assert status(me, id) is Status.ARCHIVED


@pytest.mark.row("C2")
@pytest.mark.row("C5")
@pytest.mark.row("C8")
def test_in_a_companion_facts_fade_by_themselves_and_what_is_core_never_does(house):
    me = house.space("star", profile="companion")
    fact = kept(me, "the user tried a new noodle shop", kind="event")
    core = kept(me, "the user is called Mei", importance=3.0)
    episode = kept(me, "[2026-01-01 18:00] they talked about games", layer="episode")
    me.steward.run(at=day(13.9))
    assert [status(me, id) for id in (fact, core, episode)] == [Status.ACTIVE] * 3
    me.steward.run(at=day(14.1))
    assert [status(me, id) for id in (fact, core, episode)] == [Status.ACTIVE, Status.ACTIVE, Status.DELETED]
    assert me.get(episode).deletion == "auto_cleanup"
    me.steward.run(at=day(39))
    assert status(me, fact) is Status.DELETED
    assert me.restore(fact, at=day(40)).memory.status is Status.ACTIVE
    me.steward.run(at=day(3650))
    assert (status(me, core), me.get(core).content) == (Status.ACTIVE, "the user is called Mei")


@pytest.mark.row("C6")
@pytest.mark.parametrize(
    ("lasting", "passing"),
    [
        ("用户在河边的书店工作", "用户今天有点累"),
        ("用戶在河邊的書店工作", "用戶今天有點累"),
        ("the user works in the book shop by the river", "the user is a little tired today"),
    ],
)
def test_what_falls_below_the_figure_is_reviewed_before_it_goes(house, lasting, passing):
    me = house.space("star", profile="companion")
    kept_id, gone_id = kept(me, lasting, kind="fact"), kept(me, passing, kind="temporary")
    assert me.steward.run(at=day(28)).steps == ()
    assert [step.what for step in me.steward.plan(at=day(29)).steps] == ["review", "review"]
    report = me.steward.run(at=day(29))
    assert report.done == {"appraise: keep": 1, "appraise: delete": 1}
    assert (status(me, kept_id), me.get(kept_id).importance) == (Status.ACTIVE, 0.5)
    assert (status(me, gone_id), me.get(gone_id).deletion) == (Status.DELETED, "auto_cleanup")
    assert me.steward.run(at=day(29)).steps == ()
    assert me.steward.run(at=day(36)).steps == ()
    assert me.steward.log()[0].done == report.done
    me.steward.undo(report.run, at=day(37))
    assert (status(me, gone_id), me.get(kept_id).importance) == (Status.ACTIVE, 1.5)


@pytest.mark.row("A6")
def test_the_weekly_review_archives_what_is_hardly_used_and_asks_about_what_is_stale(house):
    me = house.space("desk", profile="entities")
    idle = kept(me, "part RM05-008 was ordered", at=START)
    used = kept(me, "the customer prefers mail", at=START)
    seen = kept(me, "the intent was a quote", at=START)
    stale = kept(me, "the warehouse is in Hamburg", at=START)
    for _ in range(11):
        house._images.accessed(me._scope.store, me._scope.image(), rows(me, used), at=day(1))
        house._images.accessed(me._scope.store, me._scope.image(), rows(me, stale), at=day(175))
    house._images.accessed(me._scope.store, me._scope.image(), rows(me, seen), at=day(80))
    me.steward.run(at=day(89), rules=["review"])
    assert [status(me, id) for id in (idle, used, seen, stale)] == [Status.ACTIVE] * 4
    report = me.steward.run(at=day(100), rules=["review"])
    assert [status(me, id) for id in (idle, used, seen)] == [Status.ARCHIVED, Status.ACTIVE, Status.ACTIVE]
    assert report.steps[0].why == "used 0 times, and older than 90 days"
    me.steward.run(at=day(181), rules=["review"])
    assert (status(me, stale), status(me, used)) == (Status.REVIEW, Status.ACTIVE)
    assert me.get(stale).reason == "not updated for 180 days, but still in use"


def rows(space, id):
    import numpy as np

    frame = space._scope.image().frame
    return np.array([frame.ids.index(id)], np.intp)


@pytest.mark.row("E15")
@pytest.mark.parametrize("words", LONG.values(), ids=LONG)
def test_left_alone_a_memory_becomes_a_summary_a_trace_and_an_archive_and_is_whole_when_said_again(me, words):
    id = kept(me, words, kind="event")
    assert me.steward.run(at=day(29)).steps == ()
    me.steward.run(at=day(30))
    assert (me.get(id).level, status(me, id)) == (Level.SUMMARY, Status.ACTIVE)
    assert len(me.get(id).content) <= 200 < len(words)
    before = me.get(id).last_activated_at
    me.steward.run(at=day(250))
    assert (me.get(id).level, me.get(id).last_activated_at) == (Level.TRACE, before)
    assert len(me.get(id).content) <= 60
    me.steward.run(at=day(400))
    assert (me.get(id).level, status(me, id)) == (Level.ARCHIVE, Status.ARCHIVED)
    assert me.why(id).first_words == (words,)
    assert me.history(id)[0].content == words
    back = me.restore(id, at=day(401)).memory
    assert (back.content, back.level, back.status) == (words, Level.FULL, Status.ACTIVE)


@pytest.mark.row("E15")
def test_the_whole_way_in_one_run_where_nobody_came_for_a_year(me):
    id = kept(me, LONG["english"], kind="event")
    report = me.steward.run(at=day(400))
    assert (report.done, me.get(id).level) == ({"compress: archive": 1}, Level.ARCHIVE)


SAID = ("they sailed to the island", "she trained as a nurse", "the results came by mail")


@pytest.mark.row("E14")
def test_what_is_general_compresses_at_twice_the_age_and_what_is_sensitive_never(me):
    ids = [kept(me, words, kind="event", sensitivity=level) for level, words in enumerate(SAID)]
    me.steward.run(at=day(31))
    assert [me.get(id).level for id in ids] == [Level.SUMMARY, Level.FULL, Level.FULL]
    me.steward.run(at=day(61))
    assert [me.get(id).level for id in ids] == [Level.SUMMARY, Level.SUMMARY, Level.FULL]
    me.steward.run(at=day(3650))
    assert me.get(ids[2]).level is Level.FULL


@pytest.mark.row("E16")
def test_the_deleted_are_kept_thirty_days_and_then_gone_and_the_ledger_says_by_which_policy(house):
    me = house.space("user:ada", profile="assistant")
    id = kept(me, "the code word was marigold")
    me.forget(id, at=day(1))
    me.steward.run(at=day(30))
    assert me.get(id).content
    assert me.steward.run(at=day(32)).done == {"purge: purge": 1}
    assert me.get(id).content == ""
    assert "purge (user_delete) × 1" in me.ledger()[-1].reasons
    assert house.verify("user:ada").ok


@pytest.mark.row("E16")
def test_an_old_archive_is_deleted_only_where_the_space_asked_for_it(house, tmp_path):
    (own := tmp_path / "tidy.toml").write_text(
        'name = "tidy"\nextends = "assistant"\n[retention]\ndelete_archived = true\n', encoding="utf-8"
    )
    kept_ids = {}
    for name, profile in (("tidy", str(own)), ("keeping", "assistant")):
        me = house.space(name, profile=profile)
        kept_ids[name] = kept(me, "an old flat")
        me.archive(kept_ids[name], at=day(1))
        me.steward.run(at=day(365))
        assert status(me, kept_ids[name]) is Status.ARCHIVED
        me.steward.run(at=day(367))
    assert house.space("tidy").get(kept_ids["tidy"]).deletion == "auto_cleanup"
    assert status(house.space("keeping"), kept_ids["keeping"]) is Status.ARCHIVED


@pytest.mark.row("M4")
def test_a_caregiver_is_asked_five_a_day_the_most_used_first_until_it_is_answered(house):
    me = house.space("care:lin", profile="care")
    ids = [kept(me, words, kind="fact") for words in THINGS]
    used = rows(me, ids[6])
    house._images.accessed(me._scope.store, me._scope.image(), used, at=day(1))
    assert me.steward.run(at=day(9)).asked == ()
    asked = me.steward.run(at=day(11)).asked
    assert len(asked) == 5
    assert asked[0].memory == ids[6]
    assert "confidence 0.57" in asked[0].why
    before = state(me)
    assert [step.memory for step in me.steward.run(at=day(11)).asked] == [step.memory for step in asked]
    assert state(me) == before
    me.approve(*[step.memory for step in asked[:4]], at=day(11))
    assert len(me.steward.run(at=day(11.5)).asked) == 1
    assert len(me.steward.run(at=day(12.5)).asked) == 4


THINGS = (
    "scarves lie in the hall",
    "her sister is Jun",
    "the doctor comes on Monday",
    "tea is drunk without sugar",
    "the piano is out of tune",
    "Bo waters the flowers",
    "keys hang beside the door",
    "the cat is fed at six",
)


@pytest.mark.row("M2")
def test_a_changed_entry_of_the_constitution_is_asked_about_the_next_day(house):
    me = house.space("care:lin", profile="care")
    change = me.constitution.propose("Lin is allergic to penicillin", at=START)
    while change.outcome is None:
        change = me.constitution.confirm(change.id, change.token, at=START)
    assert me.steward.run(at=day(0.9)).asked == ()
    asked = me.steward.run(at=day(1.1)).asked
    assert [(step.rule, step.memory) for step in asked] == [("recheck", change.outcome.memory.id)]
    assert me.steward.plan(at=day(1.1)).asked == asked
    me.constitution.checked(asked[0].memory, at=day(1.2))
    assert me.steward.run(at=day(1.3)).asked == ()


def test_an_agent_may_look_but_not_run(me):

    agent = me.as_actor(Actor("agent", "cook"))
    assert agent.steward.plan().steps == ()
    with pytest.raises(Forbidden, match="manage"):
        agent.steward.run()
