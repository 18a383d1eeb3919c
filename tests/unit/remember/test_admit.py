"""The gate, case by case: grades, waiting, working memory, poison, secrets, layers not for everybody."""

from __future__ import annotations

import pytest

from holdfast.model.layer import Decision, Layer
from holdfast.model.status import Mark, Status
from holdfast.ports.judge import Classified, Sensitivity, Verdict
from holdfast.remember.admit import Verdicts, forbidden, questions
from holdfast.remember.check import draft

GRADES = [
    (1.0, Decision.ACCEPTED),
    (0.95, Decision.ACCEPTED),
    (0.9, Decision.ACCEPTED),
    (0.8999, Decision.PENDING),
    (0.8, Decision.PENDING),
    (0.7, Decision.PENDING),
    (0.6999, Decision.LOGGED),
    (0.0, Decision.LOGGED),
    (None, Decision.LOGGED),  # an agent that says nothing has 0.5
]


@pytest.mark.parametrize(("confidence", "fate"), GRADES)
def test_an_agent_is_graded_in_care(gate, admitted, confidence, fate):
    assert admitted(gate("care", "agent"), confidence=confidence).fate is fate


def test_what_a_grade_lets_in_is_marked(gate, admitted):
    sure = admitted(gate("care", "agent"), confidence=0.9)
    assert Mark.AUTO_APPROVED in sure.marks
    assert Mark.AUTO_APPROVED not in admitted(gate("assistant", "agent"), confidence=0.9).marks
    assert Mark.AUTO_APPROVED not in admitted(gate("care"), confidence=0.9).marks


def test_what_is_logged_is_kept_in_quarantine_and_says_why(gate, admitted):
    low = admitted(gate("care", "agent"), confidence=0.5)
    assert low.kept
    assert "0.5 is under 0.7" in low.reasons[0]


def test_medical_facts_of_agents_always_wait(gate, admitted):
    assert admitted(gate("care", "agent"), confidence=1.0, kind="medical").status is Status.PENDING
    disguised = Verdicts(classified=Classified("medical"))
    hidden = admitted(gate("care", "agent"), confidence=1.0, kind="note", verdicts=disguised)
    assert hidden.status is Status.PENDING
    assert admitted(gate("care"), kind="medical").fate is Decision.ACCEPTED


def test_a_patient_waits_and_a_caregiver_does_not(gate, admitted):
    assert admitted(gate("care", "user")).fate is Decision.PENDING
    assert admitted(gate("care"), confidence=0.1).fate is Decision.ACCEPTED
    assert admitted(gate("care"), requires_approval=True).fate is Decision.PENDING


def test_an_agent_can_ask_for_approval_and_cannot_waive_it(gate, admitted):
    assert admitted(gate("care", "agent"), confidence=1.0, requires_approval=True).fate is Decision.PENDING
    assert admitted(gate("care", "agent"), confidence=0.8, requires_approval=False).fate is Decision.PENDING


@pytest.mark.parametrize(
    ("low", "fate"), [("logged", "logged"), ("pending", "pending"), ("accepted", "accepted")]
)
def test_what_becomes_of_low_grades_is_data(gate, admitted, low, fate):
    asked = gate("care", "agent", admit={"low": low})
    assert admitted(asked, confidence=0.1).fate == fate


@pytest.mark.parametrize(
    ("role", "confidence"), [("owner", 1.0), ("user", 1.0), ("agent", 0.5), ("system", 0.5)]
)
def test_confidence_is_whole_from_people_and_half_from_others_where_unsaid(gate, admitted, role, confidence):
    assert admitted(gate("personal", role)).confidence == confidence


def test_working_memory_is_not_graded(gate, admitted):
    assert admitted(gate("care", "agent"), confidence=0.1, layer="session").fate is Decision.ACCEPTED
    assert admitted(gate("care", "user"), layer="session").fate is Decision.ACCEPTED


SEVENTEEN = "我们决定下周三之前完成接口迁移工作"


@pytest.mark.parametrize(
    ("content", "fate"),
    [
        (SEVENTEEN, "accepted"),  # 17 Chinese characters are 51 bytes
        (SEVENTEEN[:16], "refused"),
        ("我們決定下週三之前完成介面遷移工作", "accepted"),
        ("x" * 50, "accepted"),
        ("x" * 49, "refused"),
    ],
)
def test_the_gate_of_working_memory_counts_bytes(gate, admitted, content, fate):
    found = admitted(gate("team", "agent"), content, layer="session")
    assert found.fate == fate
    assert found.kept == (fate == "refused")


@pytest.mark.parametrize(("stated", "fate"), [(None, "accepted"), (0.8, "accepted"), (0.79, "refused")])
def test_the_gate_asks_for_confidence_where_one_is_stated(gate, admitted, stated, fate):
    assert admitted(gate("team", "agent"), SEVENTEEN, layer="session", confidence=stated).fate == fate


def test_the_gate_turns_away_what_contradicts_itself(gate, admitted):
    verdicts = Verdicts(consistent=Verdict(holds=False, score=0.9, reasons=("done, and not done",)))
    turned = admitted(gate("team"), SEVENTEEN, layer="session", verdicts=verdicts)
    assert turned.fate is Decision.REFUSED
    assert turned.reasons == ("it contradicts itself", "done, and not done")


def test_what_gives_orders_goes_to_quarantine(gate, admitted):
    verdicts = Verdicts(poison=Verdict(holds=True, score=0.9, reasons=("tells its reader to forget",)))
    for role in ("owner", "user", "agent"):
        turned = admitted(gate("assistant", role), verdicts=verdicts)
        assert (turned.fate, turned.kept) == (Decision.REFUSED, True)
        assert "tells its reader to forget" in turned.reasons


def test_a_secret_comes_in_like_anything_else_and_is_known_for_one(gate, admitted):
    verdicts = Verdicts(sensitivity=Sensitivity(3))
    for layer in ("fact", "session", "episode"):
        let_in = admitted(gate(), layer=layer, verdicts=verdicts)
        assert (let_in.fate, let_in.sensitivity) == (Decision.ACCEPTED, 3)
    turned = admitted(
        gate(), verdicts=Verdicts(sensitivity=Sensitivity(3), poison=Verdict(holds=True, score=1.0))
    )
    assert (turned.fate, turned.kept, turned.sensitivity) == (Decision.REFUSED, True, 3)


def test_a_person_says_how_sensitive_it_is_and_an_agent_only_raises_it(gate):
    stated = draft("她的电话是13800138000", {"sensitivity": 0})
    assert "sensitivity" not in questions(stated, gate())
    assert "sensitivity" in questions(stated, gate(role="agent"))


def test_the_ledger_gets_no_words_of_what_was_said(gate, admitted):
    secret = "不可外传的句子"
    verdicts = Verdicts(poison=Verdict(holds=True, score=1.0, reasons=(f"says {secret}",)))
    assert secret not in admitted(gate(), secret, verdicts=verdicts).note


@pytest.mark.parametrize("role", ["user", "agent", "system", "auditor"])
def test_only_owners_are_let_near_the_constitution(gate, role):
    assert forbidden(draft("x", {"layer": "constitution"}), gate("care", role))
    assert not forbidden(draft("x", {"layer": "constitution"}), gate("care"))


def test_an_agent_writes_to_the_layers_of_the_profile(gate):
    assert not forbidden(draft("x", {"layer": "fact"}), gate("care", "agent"))
    assert "fact or session" in forbidden(draft("x", {"layer": "episode"}), gate("care", "agent"))
    assert not forbidden(draft("x", {"layer": "quarantine"}), gate("care", "agent"))


def test_quarantine_takes_everything(gate, admitted):
    raw = admitted(gate("team", "agent"), "x", layer="quarantine", confidence=0.0)
    assert (raw.fate, raw.kept, raw.layer) == (Decision.LOGGED, True, Layer.QUARANTINE)


def test_kind_and_tags_come_from_the_judge_where_unsaid(gate, admitted):
    verdicts = Verdicts(classified=Classified("preference", ("preference",)))
    assert admitted(gate(), verdicts=verdicts).kind == "preference"
    assert admitted(gate(), verdicts=verdicts).tags == ("preference",)
    assert admitted(gate(), verdicts=verdicts, kind="note", tags=("mine",)).kind == "note"
    unknown = Verdicts(classified=Classified("moonshine"))
    assert admitted(gate(), verdicts=unknown).kind == "fact"


def test_importance_of_three_makes_it_core_unless_an_agent_says_so(gate, admitted):
    assert Mark.CORE in admitted(gate("companion"), importance=3.0).marks
    assert Mark.CORE not in admitted(gate("companion", "agent"), importance=3.0).marks
    assert Mark.CORE not in admitted(gate("companion")).marks
