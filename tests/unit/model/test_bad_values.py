"""What is handed in and cannot be used is named, whatever it is."""

from __future__ import annotations

import pytest

from holdfast.errors import InvalidInput
from holdfast.model import check
from holdfast.model.actor import Actor
from holdfast.settings import Settings

VAST = 10**5000  # more digits than Python writes


@pytest.mark.parametrize(
    "value",
    [VAST, -VAST, 10**400, float("nan"), float("inf"), True, "1"],
    ids=lambda value: type(value).__name__,
)
def test_a_number_out_of_reach_is_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"confidence: is .*give a number from 0 to 1"):
        check.share("confidence", value)


@pytest.mark.parametrize("value", [VAST, -1, 1.0, True, None], ids=lambda value: type(value).__name__)
def test_a_whole_number_out_of_reach_is_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"limit: is .*give a whole number from 1 to 10"):
        check.whole("limit", value, low=1, high=10)


@pytest.mark.parametrize("role", ["boss", "", None, 3, []])
def test_an_unknown_role_is_refused_with_those_there_are(role):
    with pytest.raises(InvalidInput, match=r"actor\.role: .*owner, user, agent"):
        Actor(role)


@pytest.mark.parametrize("name", ["", "\ud800", "a\x00b", None, "x" * 201])
def test_the_name_of_an_actor_is_text_like_any_other(name):
    with pytest.raises(InvalidInput, match=r"actor\.name"):
        Actor("agent", name)


def test_a_setting_that_is_no_number_is_refused():
    with pytest.raises(InvalidInput, match="image_mib"):
        Settings(image_mib=float("nan"))
