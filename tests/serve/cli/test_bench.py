"""`holdfast bench retrieval` on files as people have them, with the flaws they have."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def measured(cli, tmp_path):
    """Writes lines, measures them, and says the report."""

    def run(form, *lines, options=()):
        data = tmp_path / f"{form}.jsonl"
        data.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
        ran = cli("bench", "retrieval", "--data", str(data), "--format", form, "--json", *options)
        assert ran.code == 0, ran.err
        return ran.json

    return run


def turn(id, speaker, text, **more):
    return {"dia_id": id, "speaker": speaker, "text": text, **more}


def conversation(*questions):
    return {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2025",
            "session_1": [
                turn("D1:1", "Ada", "I planted marigolds behind the shed"),
                turn("D1:2", "Bo", "", blip_caption="a rusty bicycle"),
                turn("D1:3", "Ada", ""),
            ],
            "session_2_date_time": "soon",
            "session_2": [turn("D2:1", "Bo", "My trombone lesson was moved to Thursday")],
            "session_3_date_time": "9:00 am on 1 June, 2025",
            "session_3": [],
        },
        "qa": [
            {"question": question, "evidence": evidence, "category": number}
            for number, (question, evidence) in enumerate(questions, 1)
        ],
    }


def test_a_conversation_with_flawed_evidence_is_measured_all_the_same(measured):
    report = measured(
        "locomo",
        conversation(
            ("What did Ada plant behind the shed?", ["D:1:1"]),
            ("What is moved to Thursday?", ["D2:1; D1:1", "D", "D9:9"]),
            ("Who has a rusty bicycle?", "D1:2"),
            ("What was said of nothing?", ["D1:3"]),
            ("What has no evidence?", None),
        ),
    )
    assert report["overall"]["queries"] == 3
    assert report["stored"] == 3
    assert {"recall@5", "recall@10", "recall@20", "hit@5", "hit@10", "ndcg@10"} <= report["overall"].keys()
    assert report["groups"].keys() == {"multi-hop", "temporal", "open-domain"}
    assert report["groups"]["multi-hop"]["recall@1"] == 1
    assert {"p50", "p95", "p50_without_embedder"} <= report["latency_ms"].keys()
    assert report["embedder"] == "hashing/256"


def trajectory(id, *messages, question, answer):
    said = [
        {"mid": mid, "message": text, "time": time, "place": None}
        for mid, (text, time) in enumerate(messages)
    ]
    asked = {"question": question, "time": "2025年06月01日 周日 08:51", "target_step_id": answer}
    return {"id": id, "message_list": said, "question_list": [asked]}


def test_messages_are_measured_one_trajectory_a_space_or_pooled(measured):
    lines = (
        trajectory(
            "events/1",
            ("木匠课在周五晚上。", "2025年05月01日 周四 08:51"),
            ("我买了两把刨子。", ""),
            question="木匠课什么时候上？",
            answer=[0, 99],
        ),
        trajectory(
            "events/2",
            ("攝影展的地點是花蓮。", "2025年05月02日"),
            question="攝影展在哪裡辦？",
            answer=[0],
        ),
    )
    alone = measured("memdaily", *lines)
    assert alone["overall"]["queries"] == 2
    assert alone["overall"]["recall@1"] == alone["overall"]["recall@5"] == 1
    assert alone["groups"].keys() == {"events"}
    pooled = measured("memdaily", *lines, options=["--pool"])
    assert pooled["stored"] == 3
    assert pooled["overall"]["hit@5"] == 1


def test_a_household_counts_what_facts_and_summaries_answer(measured):
    report = measured(
        "households",
        {
            "id": "home-1",
            "lang": "en",
            "now": "2026-05-14T16:00:00",
            "constitution": ["My name is Ida Moss."],
            "facts": [
                {"id": "f01", "content": "The spare fuse is in the blue tin", "kind": "place", "days_ago": 4},
                {"id": "f02", "content": "Plays cribbage on Fridays", "kind": "pastime", "days_ago": 9.5},
            ],
            "sessions": [
                {"id": "s01", "days_ago": 0, "time": "23:30", "summary": "Theo came and mended the gate"}
            ],
            "queries": [
                {"q": "where is the spare fuse", "layer": "fact", "expect": ["f01"]},
                {
                    "q": "who mended the gate, and where is the fuse",
                    "layer": "mixed",
                    "expect": ["s01", "c0"],
                },
                {"q": "what is my name", "layer": "constitution", "expect": ["c0"]},
            ],
        },
    )
    assert report["overall"]["queries"] == 2
    assert report["groups"].keys() == {"en"}
    assert report["overall"]["hit@5"] == report["overall"]["recall@5"] == 1


def test_data_of_ones_own_is_asked_under_a_profile_of_ones_choice(measured):
    line = {
        "memories": [{"id": 1, "content": "The ferry leaves at noon"}, {"id": 2, "content": "渡轮改到三点"}],
        "queries": [{"q": "when does the ferry leave", "expect": [1], "at": "2026-05-14T16:00:00+00:00"}],
    }
    report = measured("plain", line, options=["--profile", "companion"])
    assert report["groups"]["all"]["hit@5"] == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no question"),
        ("{}", "no plain file"),
        ("not json", "no plain file"),
        ('{"memories": [], "queries": []}', "no question"),
    ],
)
def test_a_file_that_cannot_be_measured_is_named_with_the_way_out(cli, tmp_path, text, problem):
    data = tmp_path / "data.jsonl"
    data.write_text(text, encoding="utf-8")
    ran = cli("bench", "retrieval", "--data", str(data), "--json")
    assert (ran.code, ran.error["field"]) == (2, "data")
    assert problem in ran.error["message"]
    assert ran.error["way_out"]


def test_a_format_that_is_none_is_answered_with_those_there_are(cli, tmp_path):
    ran = cli("bench", "retrieval", "--data", str(tmp_path / "none"), "--format", "csv", "--json")
    assert (ran.code, ran.error["field"]) == (2, "format")
    assert "locomo, memdaily, households, plain" in ran.error["way_out"]
