"""A secret that only the turns around it tell is sealed with the others (E14)."""

from __future__ import annotations

import pytest

from holdfast import Holdfast
from holdfast.wire import Own

CODE = "p4ssGamma77"
ASKED = {
    "zh-Hans": ("家里的无线网密码是多少？", CODE, f"好的，{CODE}，记在门口的本子上了，明天再核对一遍"),
    "zh-Hant": ("家裡的無線網密碼是多少？", CODE, f"好的，{CODE}，記在門口的本子上了，明天再核對一遍"),
    "en": (
        "What is your wifi password?",
        f"It is {CODE}",
        f"Thanks, I wrote {CODE} on the pad by the door",
    ),
}
NONE = {
    "zh-Hans": ("密码是多少？", "我不记得了", "你住哪里？", "我住在磨坊巷 12 号，2019 年搬来的"),
    "zh-Hant": ("密碼是多少？", "我不記得了", "你住哪裡？", "我住在磨坊巷 12 號，2019 年搬來的"),
    "en": ("What is your password?", "I do not remember", "When did you move?", "We moved in 2019, in May"),
}


@pytest.mark.row("E14")
@pytest.mark.parametrize("profile", ["assistant", "companion", "team"])
@pytest.mark.parametrize("language", ASKED)
def test_an_answer_to_which_password_and_what_repeats_it_are_on_no_disk(
    tmp_path, embedder, language, profile
):
    asked, answer, again = ASKED[language]
    with Holdfast(tmp_path / "house", Own(embedder=embedder)) as hf:
        me = hf.space("user:wren", profile=profile)
        talk = me.converse("evening")
        talk.say("assistant", asked)
        talk.say("user", answer)
        talk.say("assistant", again)
        hf.work()
        talk.end()
        assert CODE not in talk.context(asked).text
        assert CODE not in repr(me.ledger(limit=100))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path.name for path in files if CODE.encode() in path.read_bytes()]


@pytest.mark.row("E14")
@pytest.mark.parametrize("language", ASKED)
def test_another_caller_of_the_same_conversation_seals_the_answer_too(hf, language):
    me = hf.space("user:wren", profile="assistant")
    me.converse("evening").say("assistant", ASKED[language][0])
    told = me.converse("evening").say("user", ASKED[language][1])
    assert (told.memory.sensitivity, CODE in repr(told.memory)) == (3, False)
    assert CODE in me.open(told.memory.id).content


@pytest.mark.row("E14")
@pytest.mark.parametrize("language", ASKED)
def test_a_secret_is_known_again_by_other_callers_long_after(hf, language):
    me = hf.space("user:wren", profile="assistant")
    asked, answer, again = ASKED[language]
    for role, words in (
        ("assistant", asked),
        ("user", answer),
        ("assistant", "散步时天气怎么样？ How was the walk?"),
        ("user", "一直是晴天, sunny all day"),
    ):
        me.converse("evening").say(role, words)
    told = me.converse("evening").say("assistant", f"{again}. {'天气 weather ' * 8}")
    assert (told.memory.sensitivity, CODE in repr(told.memory)) == (3, False)
    assert me.converse("evening").say("user", "2019 was sunny").memory.sensitivity < 3
    assert not [entry for entry in me.ledger(limit=100) if entry.verb == "open"]


@pytest.mark.parametrize("language", NONE)
def test_other_answers_stay_in_plain(hf, language):
    me = hf.space("user:wren", profile="assistant")
    talk = me.converse("evening")
    told = [talk.say("user", line) for line in NONE[language]]
    assert [one.memory.content for one in told] == list(NONE[language])
