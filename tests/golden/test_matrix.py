"""The decision matrix, case by case (E21)."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from holdfast.errors import IllegalChange
from holdfast.steward.salience import MATRIX, Action, State, Trigger, decide

CASES = tomllib.loads(Path(__file__).with_name("matrix.toml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.row("E21")
@pytest.mark.parametrize(("trigger", "state", "action"), CASES)
def test_every_case_of_the_matrix_is_decided_as_written(trigger, state, action):
    assert decide(trigger, state) is Action(action)


def test_the_matrix_holds_these_cases_and_no_others():
    assert {(str(trigger), str(state)): str(action) for (trigger, state), action in MATRIX.items()} == {
        (trigger, state): action for trigger, state, action in CASES
    }
    assert {trigger for trigger, _ in MATRIX} == set(Trigger)
    assert set(MATRIX.values()) == set(Action)
    assert {state for _, state in MATRIX} == set(State)


def test_a_case_the_matrix_lacks_is_an_error_that_says_what_it_knows():
    with pytest.raises(IllegalChange, match="batch knows no state live; it knows few, many, kept_whole"):
        decide("batch", "live")
