"""Whatever is handed to a public verb, it answers or raises a named error, and the truth stays whole."""

from __future__ import annotations

import inspect
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.adapters.embed.hashing import HashingEmbedder
from holdfast.engine import Holdfast
from holdfast.errors import HoldfastError
from holdfast.space import Space
from holdfast.testing.clock import ManualClock
from holdfast.wire import Own

NOW = datetime(2026, 3, 1, 8, tzinfo=UTC)
# Verbs whose business is to hand on what the caller brings: a decorator, a context manager, another actor.
LEFT_OUT = {"captured", "capturing", "as_actor"}
ODD = [
    None,
    True,
    False,
    0,
    -1,
    10**30,
    1.2,
    float("nan"),
    float("inf"),
    "",
    " ",
    "\x00",
    "\ud800",
    "咖啡" * 20_000,
    "不存在",
    "fact",
    "preference",
    "debug",
    "%_'\";--",
    'NEAR("a" OR *)',
    b"bytes",
    [],
    {},
    [None],
    {"a": {1, 2}},
    ("x",) * 3,
    object(),
    datetime(2026, 3, 1),  # noqa: DTZ001 (no zone, on purpose)
    datetime(1960, 1, 1, tzinfo=UTC),
    NOW + timedelta(days=1),
    "2026-13-45",
    "2026-03-02T10:00:00+08:00",
]
NAMED = (
    *("layer", "kind", "status", "confidence", "at", "expires_at", "limit", "mode", "as_of", "after"),
    *(
        "budget",
        "metadata",
        "tags",
        "vector",
        "source_ids",
        "priority",
        "sensitivity",
        "importance",
        "layers",
    ),
    *("session", "speaker", "version", "content", "modality", "reference", "requires_approval", "no_such"),
)


def verbs() -> list[str]:
    found = inspect.getmembers(Space, inspect.isfunction)
    return sorted(name for name, _ in found if not name.startswith("_") and name not in LEFT_OUT)


@st.composite
def arguments(draw, verb, odd):
    """What the verb's signature has room for: all that it must have, and some of the rest."""
    given_, named = [], {}
    for name, one in list(inspect.signature(verb).parameters.items())[1:]:
        if one.kind is one.VAR_KEYWORD:
            rest = [word for word in NAMED if word not in inspect.signature(verb).parameters]
            named |= draw(st.dictionaries(st.sampled_from(rest), odd, max_size=3))
        elif one.kind is one.VAR_POSITIONAL:
            given_ += draw(st.lists(odd, max_size=2))
        elif one.kind is one.KEYWORD_ONLY and one.default is one.empty:
            named[name] = draw(odd)
        elif one.default is one.empty:
            given_.append(draw(odd))
        elif draw(st.booleans()):
            named[name] = draw(odd)
    return given_, named


@pytest.fixture(params=["memory", "directory"])
def house(request, tmp_path):
    where = "memory://" if request.param == "memory" else tmp_path
    with Holdfast(where, Own(embedder=HashingEmbedder(16), clock=ManualClock(NOW))) as hf:
        yield hf


@pytest.mark.parametrize("verb", verbs())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_verb_answers_or_names_what_is_wrong(house, verb, data):
    me = house.space("user:wren", profile="assistant")
    known = me.remember("我喜欢喝咖啡", source="user").memory
    known_id = known.id if known else "gone"
    odd = st.sampled_from([*ODD, known_id]) | st.text(max_size=12)
    given_, named = data.draw(arguments(getattr(Space, verb), odd))
    call = getattr(me, verb)
    with suppress(HoldfastError):  # anything but a named error fails here
        call(*given_, **named)
    report = me.verify()
    assert report.ok, report.problems


@pytest.mark.parametrize(
    "odd", [one for one in ODD if not isinstance(one, str)] + ["", " ", "\x00", "\ud800"]
)
def test_a_space_of_an_odd_name_is_refused_by_name(house, odd):
    with pytest.raises(HoldfastError, match="space"):
        house.space(odd, profile="assistant")
    assert house.spaces() == []
