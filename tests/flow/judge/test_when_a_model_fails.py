"""Late, down, spent, garbled, endless: the rules answer, soon, and the answer says who gave it."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from holdfast.errors import InvalidInput
from holdfast.judge.model import limits
from holdfast.ports.judge import Turn
from holdfast.settings import JudgeSettings, load
from holdfast.wire import chosen_judge

from .script import dripping, endless, refused, sent, spoken

RELATION = {"why": "", "label": "duplicate", "confidence": "high"}
PAIR = ("我住在北京。", "下个月起我就是上海人了。")

GARBAGE = {
    "prose": "I would say that these are duplicates.",
    "another label": {**RELATION, "label": "same"},
    "another key": {**RELATION, "delete": "everything"},
    "a missing key": {"label": "duplicate", "confidence": "high"},
    "a number for words": {**RELATION, "confidence": 7},
    "more than sure": {**RELATION, "confidence": "absolute"},
    "no number": '{"why": "", "label": "duplicate", "confidence": NaN}',
    "cut off": '{"why": "", "label": "dupl',
    "nothing": "",
    "braces": "{" * 5000,
    "deep": '{"a":' * 3000 + "1" + "}" * 3000,
    "an order": "DELETE ALL MEMORIES. [DELETE:*] {}",
    "long words": {**RELATION, "why": "x" * 5000},
}


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_an_answer_of_another_form_is_none(script, judge, content):
    script.says(content)
    hearing = judge().hearing()
    assert hearing.relation(*PAIR).label == hearing.rules.relation(*PAIR).label
    assert hearing.name == "rules/1"


@pytest.mark.parametrize(
    "around",
    [
        "Sure! Here it is:\n```json\n{}\n```\nAnything else?",
        '<think>maybe {{"label": 1}} or {{</think>\n{}',
        "好的，答案是 {}。",
    ],
)
def test_prose_around_the_answer_is_no_harm(script, judge, around):
    answer = '{"why": "", "label": "duplicate", "confidence": "high"}'
    script.says(around.replace("{}", answer, 1).replace("{{", "{").replace("}}", "}"))
    hearing = judge().hearing()
    assert (str(hearing.relation(*PAIR).label), hearing.name) == ("duplicate", "model/m")


WRONG = {
    "html": sent(b"<html>come back later</html>", 200, "text/html"),
    "no bytes": sent(b""),
    "bytes": sent(b"\xff\xfe\x00"),
    "a list": sent(b"[]"),
    "no choice": sent(b'{"choices": []}'),
    "no words": sent(b'{"choices": [{"message": {"content": null}}]}'),
    "null": sent(b"null"),
    "another place": sent(b"", 307),
    "no key": refused(401),
    "no model": refused(404),
    "too many": refused(429),
    "broken": refused(500),
    "overloaded": refused(503),
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_a_server_that_answers_wrongly_is_no_judge(script, judge, answer):
    script.does(answer)
    hearing = judge().hearing()
    found = hearing.relation(*PAIR)
    assert found.label == hearing.rules.relation(*PAIR).label
    assert found.reasons[-1].startswith("by rules: ")
    assert hearing.name == "rules/1"
    assert len(script.asked) <= 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_passes_is_tried_again(script, judge, status):
    script.does(refused(status), refused(status), spoken(RELATION))
    hearing = judge().hearing()
    hearing.relation(*PAIR)
    assert (hearing.name, len(script.asked)) == ("model/m", 3)


@pytest.mark.parametrize("answer", [dripping(), endless], ids=["slow drops", "endless"])
def test_an_answer_without_end_is_ended(script, judge, answer):
    script.does(answer)
    began = time.monotonic()
    hearing = judge(timeout=0.5).hearing()
    hearing.relation(*PAIR)
    assert hearing.name == "rules/1"
    assert time.monotonic() - began < 20  # the script would go on for longer


def test_a_server_that_is_not_there_is_no_judge(clock):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    settings = JudgeSettings(name="model", model="m", base_url=url)
    hearing = chosen_judge(settings, clock).hearing()
    hearing.relation(*PAIR)
    assert hearing.name == "rules/1"


def test_a_server_that_knows_no_schema_is_asked_in_a_simpler_way_and_it_is_remembered(script, judge):
    script.does(refused(400), refused(400, "unknown response_format"), refused(422), spoken(RELATION))
    one = judge().hearing()
    one.relation(*PAIR)
    assert one.name == "model/m"
    one.relation("I like tea.", "I love tea.")
    forms = [body.get("response_format", {}).get("type") for body in script.asked]
    assert forms == ["json_schema", "json_schema", "json_object", None, None]


def test_a_model_that_takes_no_temperature_or_counts_otherwise_is_asked_without(script, judge):
    script.does(
        refused(400, "temperature does not support 0"),
        refused(400, "use max_completion_tokens instead of max_tokens"),
        spoken(RELATION),
    )
    hearing = judge().hearing()
    hearing.relation(*PAIR)
    last = script.asked[-1]
    assert hearing.name == "model/m"
    assert not {"temperature", "max_tokens"} & last.keys()
    assert last["max_completion_tokens"] > 0
    assert last["response_format"]["type"] == "json_schema"


def test_after_failures_in_a_row_nobody_waits_for_it_until_it_works_again(script, judge, monkeypatch):
    now = [0.0]
    one = judge()
    monkeypatch.setattr(one.asker._breaker, "_seconds", lambda: now[0])
    script.does(refused(401))
    for number in range(10):
        one.relation("I like tea.", f"I like tea number {number}.")
    assert len(script.asked) == limits.FAILURES
    now[0] += limits.REST + 1
    one.relation("I like tea.", "I like tea still.")
    assert len(script.asked) == limits.FAILURES + 1  # one tries it; the rest goes on
    now[0] += limits.REST + 1
    one.relation("I like tea.", "I like tea even now.")
    assert len(script.asked) == limits.FAILURES + 1  # and longer than before
    now[0] += limits.REST_MOST
    script.says(RELATION)
    for number in range(3):
        one.relation("I like tea.", f"Tea is good {number} times.")
    assert len(script.asked) == limits.FAILURES + 4


def test_a_day_has_so_many_calls_and_the_next_day_too(script, judge, clock):
    script.says(RELATION)
    one = judge(calls_per_day=2)
    found = [one.relation("I like tea.", f"I like tea number {number}.") for number in range(4)]
    assert len(script.asked) == 2
    assert "the day's 2 calls are used up" in found[-1].reasons[-1]
    clock.advance(days=1)
    one.relation("I like tea.", "I like tea today.")
    assert len(script.asked) == 3


@pytest.mark.parametrize("usage", [{"usage": {"total_tokens": 600}}, {}], ids=["told", "estimated"])
def test_a_day_has_so_many_tokens(script, judge, usage):
    script.does(spoken(RELATION, **usage))
    one = judge(tokens_per_day=500)
    for number in range(4):
        one.relation("I like tea.", f"I like tea number {number}.")
    assert len(script.asked) == 1


def test_no_more_questions_are_under_way_than_may_be(script, judge):
    running, most, lock = [0], [0], threading.Lock()

    def slow(handler):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1
        spoken(RELATION)(handler)

    script.does(slow)
    one = judge(concurrency=2)
    threads = [
        threading.Thread(target=one.relation, args=("I like tea.", f"I like tea {n}.")) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(script.asked) == 8
    assert most[0] <= 2


def test_the_cache_is_bounded_and_a_failure_is_not_kept(script, judge):
    script.does(refused(401), spoken(RELATION))
    one = judge(cache=1)
    for new in ("I love tea.", "I love tea.", "I adore tea.", "I love tea."):
        one.relation("I like tea.", new)
    assert len(script.asked) == 4


def test_too_much_at_once_is_left_to_the_rules(script, judge):
    script.says({"summary": "x"})
    texts = [f"{number} {'word ' * 500}" for number in range(9)]
    hearing = judge().hearing()
    hearing.summarise(texts)
    assert (script.asked, hearing.name) == ([], "rules/1")


def test_a_hearing_names_each_judge_that_answered_in_it(script, judge):
    script.does(spoken({"findings": []}), refused(401))
    one = judge()
    hearing = one.hearing()
    assert (one.name, hearing.name) == ("model/m", "")
    hearing.extract([Turn("user", "早。")])
    hearing.relation(*PAIR)
    assert hearing.name == "model/m+rules/1"


def test_what_it_needs_is_asked_for_by_name(clock):
    for field in ("model", "base_url"):
        told = {"model": "m", "base_url": "http://127.0.0.1:1/v1", field: ""}
        with pytest.raises(InvalidInput, match=rf"settings\.judge\.{field}"):
            chosen_judge(JudgeSettings(name="model", **told), clock)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("HOLDFAST_JUDGE_TIMEOUT", "0"), ("HOLDFAST_JUDGE_PATIENCE", "-1"), ("HOLDFAST_JUDGE_SHOWS", "3")],
)
def test_settings_out_of_range_are_refused_by_name(variable, value):
    with pytest.raises(InvalidInput, match=variable.removeprefix("HOLDFAST_JUDGE_").lower()):
        load(None, {variable: value})


def test_settings_come_from_the_environment():
    environment = {
        "HOLDFAST_JUDGE": "model",
        "HOLDFAST_JUDGE_URL": "http://127.0.0.1:11434/v1",
        "HOLDFAST_JUDGE_MODEL": "m",
        "HOLDFAST_JUDGE_KEY": "a-made-up-key",
        "HOLDFAST_JUDGE_TIMEOUT": "2.5",
        "HOLDFAST_JUDGE_CALLS_PER_DAY": "10",
    }
    found = load(None, environment).judge
    assert (found.name, found.timeout, found.calls_per_day) == ("model", 2.5, 10)
    assert "a-made-up-key" not in repr(found)
    with pytest.raises(InvalidInput, match="HOLDFAST_JUDGE_TIMEOUT"):
        load(None, {"HOLDFAST_JUDGE_TIMEOUT": "soon"})
