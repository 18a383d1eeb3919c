"""What each document asks of recall, through the public verbs."""

from __future__ import annotations

import pytest

from .conftest import DAY, HOUR, START, contents, kept


# --- AAM: heat -------------------------------------------------------------------------------------
@pytest.mark.row("A4")
def test_entities_come_by_relevance_heat_and_freshness_as_published(space):
    me = space("entities")
    at = START - 73 * DAY
    out = me.store_entity("part_number", "RM05-008", confidence=0.9, at=at)
    for _ in range(3):
        me.retrieve_entities("RM05-008", at=START)
    (hit,) = me.retrieve_entities("RM05-008", at=START)
    told = hit.explain.factors
    assert hit.memory.id == out.memory.id
    assert told["accesses"] == 3
    assert told["heat"] == 0.03
    assert told["freshness"] == pytest.approx(0.8)
    expected = 0.4 * told["relevance"] + 0.3 * 0.03 + 0.3 * 0.8
    assert hit.score == pytest.approx(expected)
    assert me.get(out.memory.id).access_count == 4


@pytest.mark.row("A4")
def test_entities_under_seven_tenths_are_left_out_unless_asked_for(space):
    me = space("entities")
    me.store_entity("preference", "green tea", confidence=0.6)
    me.store_entity("preference", "black coffee", confidence=0.7)
    values = lambda hits: {hit.memory.entity_value for hit in hits}
    assert values(me.retrieve_entities("tea or coffee")) == {"black coffee"}
    assert values(me.retrieve_entities("tea or coffee", min_confidence=0.5)) == {"green tea", "black coffee"}


@pytest.mark.row("A4")
def test_often_used_entities_lead_among_the_most_relevant_and_each_returned_counts_one(space):
    me = space("entities")
    for number in range(12):
        me.store_entity("part_number", f"RM05-{number:03}", confidence=0.9)
    used = "RM05-007"
    for _ in range(30):
        me.retrieve_entities(used, limit=1)
    first = me.retrieve_entities("parts RM05", limit=5)
    assert len(first) == 5
    assert first[0].memory.entity_value == used
    counts = {m.entity_value: m.access_count for m in me.list(entity_type="part_number")}
    assert counts[used] == 31
    assert sum(counts.values()) == 30 + 5


@pytest.mark.row("A4")
@pytest.mark.parametrize("query", ["上次的RM05-008", "料號 ＲＭ05-008 在哪", "that rm05-008 part"])
def test_near_identifiers_are_told_apart(space, query):
    me = space("entities")
    for number in range(20):
        me.store_entity("part_number", f"RM05-{number:03}", confidence=0.9)
    (hit,) = me.retrieve_entities(query, limit=1)
    assert hit.memory.entity_value == "RM05-008"
    assert hit.explain.arms["exact"]["rank"] == 1


def test_plain_facts_are_no_entities(space):
    me = space("entities")
    kept(me, "RM05-008 is late", confidence=0.9)
    assert me.retrieve_entities("RM05-008") == ()


# --- Memory Anchor: layers and steps ----------------------------------------------------------------
@pytest.mark.row("M11")
def test_too_little_found_adds_the_three_facts_changed_last(space):
    me = space("care")
    for days in range(6):
        kept(me, f"day{days}", at=START - days * DAY)
    answer = me.recall("阿司匹林怎么吃", at=START)
    assert answer.step == "latest"
    assert contents(answer) == ["day0", "day1", "day2"]
    assert answer.hits[0].explain.arms == {"latest": {"rank": 1.0, "score": 0.0}}
    assert not {id for id, _ in answer.cut} & {hit.memory.id for hit in answer}


@pytest.mark.row("M11")
@pytest.mark.parametrize(
    ("facts", "query"),
    [
        (["氨氯地平早上吃一片", "氨氯地平不能和西柚一起吃"], "氨氯地平"),
        (["氨氯地平早上吃一片", "氨氯地平不能和西柚一起吃"], "氨氯地平怎麼吃"),
        (
            ["Amlodipine: one in the morning", "No grapefruit with amlodipine"],
            "how does she take her amlodipine",
        ),
    ],
)
def test_words_are_added_where_the_vectors_are_not_sure(space, facts, query):
    me = space("care")
    for content in facts:
        kept(me, content, kind="medical", at=START)
    kept(me, "阳台 balcony", at=START)
    answer = me.recall(query, at=START)
    assert answer.step == "words"
    assert set(contents(answer)) == set(facts)


@pytest.mark.row("M11")
def test_three_near_ones_need_no_words(space):
    me = space("care")
    for number in range(4):
        kept(me, f"blue door key number {number}")
    kept(me, "number 9 bus")
    answer = me.recall("blue door key number")
    assert answer.step == "vectors"
    assert len(answer) == 4
    assert all(hit.explain.arms["similarity"]["score"] >= 0.6 for hit in answer)


@pytest.mark.row("M11")
@pytest.mark.parametrize("words", ["蓝色的钥匙开棚子", "藍色的鑰匙開棚子", "the blue key opens the shed"])
def test_what_was_verified_lately_moves_up(space, words):
    me = space("care")
    first, second = (kept(me, f"{words} {side}", confidence=0.9, at=START) for side in ("A", "B"))
    for verified in (first, second):
        at = START + DAY
        before = {hit.memory.id: hit.score for hit in me.recall(words, at=at)}
        (out,) = me.approve(verified.id, at=at)
        after = {hit.memory.id: hit.score for hit in me.recall(words, at=at)}
        (other,) = after.keys() - {verified.id}
        assert after[verified.id] > before[verified.id]
        assert after[verified.id] - after[other] > before[verified.id] - before[other]
        me.undo(out.change, at=at)


@pytest.mark.row("M11")
def test_summaries_of_seven_days_are_searched_and_older_ones_by_their_time(space):
    me = space("care")
    kept(me, "今天去公园散步", layer="episode", at=START - 2 * DAY)
    old = kept(me, "今天去公园放风筝", layer="episode", at=START - 20 * DAY)
    kept(me, "公园就在楼下", at=START - 20 * DAY)
    assert set(contents(me.recall("公园", at=START))) == {"今天去公园散步", "公园就在楼下"}
    assert old.content in contents(me.recall("2月10日去公园做了什么", at=START))


@pytest.mark.row("M4")
def test_a_fact_whose_confidence_has_faded_is_recalled_with_a_label(space):
    me = space("care")
    memory = kept(me, "海湾路 7 号的钥匙在邻居家", confidence=0.9, at=START)
    me.approve(memory.id, at=START) if memory.status == "pending" else None
    label = lambda days, query: me.recall(query, at=START + days * DAY).hits[0].label
    assert label(7, "钥匙在哪") == ""
    assert label(8, "钥匙在哪") == "待核实"
    assert (
        label(
            8,
            "keys at 海湾路",
        )
        == "待核实"
    )


# --- three layers: hot and cold ---------------------------------------------------------------------
LONG = "讨论了接口的错误处理，决定统一返回结构化的错误码，并在网关里记录。" * 2


@pytest.mark.row("P6")
def test_working_memory_comes_first_beside_the_limit_with_its_label(space):
    me = space("team")
    for number in range(14):
        kept(me, f"{LONG} {number}", layer="session", confidence=0.9, at=START - number * HOUR)
    for number in range(5):
        kept(me, f"网关记录错误码 {number}", confidence=0.9, at=START)
    answer = me.recall("网关的错误码", limit=3, at=START)
    hot, cold = answer.hits[:10], answer.hits[10:]
    assert [hit.memory.content for hit in hot] == [f"{LONG} {number}" for number in range(10)]
    assert all(hit.hot and hit.score == 1.0 and hit.label == "⚡️ 临时上下文" for hit in hot)
    assert len(cold) == 3
    assert not any(hit.hot for hit in cold)


@pytest.mark.row("P6")
def test_hot_and_verified_are_labelled_in_the_language_of_the_question(space):
    me = space("team")
    kept(
        me,
        "We agreed to return structured error codes from the gateway, all of them.",
        layer="session",
        at=START,
    )
    out = me.remember("The gateway logs error codes", at=START)
    me.approve(out.memory.id, at=START) if out.memory.status == "pending" else None
    labels = [hit.label for hit in me.recall("error codes", at=START)]
    assert labels[0] == "⚡️ temporary context"


@pytest.mark.row("P6")
def test_working_memory_of_yesterday_is_hot_no_more(space, clock):
    me = space("team")
    kept(me, LONG, layer="session", confidence=0.9)
    assert len(me.recall("错误码")) == 1
    clock.advance(hours=25)
    assert len(me.recall("错误码")) == 0


@pytest.mark.row("P7")
def test_working_memory_of_one_project_is_never_hot_in_another(house):
    one, other = house.space("project:a", profile="team"), house.space("project:b", profile="team")
    kept(one, LONG, layer="session", confidence=0.9)
    assert len(other.recall("错误码")) == 0


# --- companion: what was talked about ----------------------------------------------------------------
TALKS = {
    "zh": ("聊了面试和简历", "聊了塞尔达游戏", "聊了搬家"),
    "zh-Hant": ("聊了面試和履歷", "聊了薩爾達遊戲", "聊了搬家"),
    "en": ("talked about the interview", "talked about the Zelda game", "talked about moving house"),
}


@pytest.mark.row("C2")
@pytest.mark.parametrize(
    ("script", "just_now", "yesterday", "game"),
    [
        ("zh", "刚才聊了什么", "昨天聊了什么", "上次聊游戏是什么时候"),
        ("zh-Hant", "剛才聊了什麼", "昨天聊了什麼", "上次聊遊戲是什麼時候"),
        (
            "en",
            "what did we talk about just now",
            "what did we talk about yesterday",
            "when did we last talk about the game",
        ),
    ],
)
def test_episodes_answer_what_was_talked_about_and_when(space, script, just_now, yesterday, game):
    me = space("companion")
    interview, zelda, moving = TALKS[script]
    kept(me, moving, layer="episode", at=START - HOUR)
    kept(me, interview, layer="episode", at=START - DAY)
    kept(me, zelda, layer="episode", at=START - 5 * DAY)
    kept(me, "主人喜欢拉面 likes ramen", at=START - 30 * DAY)
    first = lambda query: me.recall(query, at=START).hits[0].memory.content
    assert first(just_now) == moving
    assert first(yesterday) == interview
    assert first(game) == zelda


@pytest.mark.row("C2")
@pytest.mark.parametrize("query", ["上次聊了什么", "上次聊了什麼", "what did we talk about last time"])
def test_last_time_is_the_latest_episode(space, query):
    me = space("companion")
    kept(me, "[2026-02-27 18:00] 聊了面试 interview", layer="episode", at=START - 3 * DAY)
    kept(me, "[2026-03-01 18:00] 聊了电影 film", layer="episode", at=START - DAY)
    kept(me, "[2026-02-24 18:00] 聊了游戏 game", layer="episode", at=START - 6 * DAY)
    assert me.recall(query, at=START).hits[0].memory.content.startswith("[2026-03-01")
