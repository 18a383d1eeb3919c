"""Keys: shown once, kept as digests, ended by time or by hand, the same on every engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast import Holdfast, InvalidInput, NotFound, Role
from holdfast.adapters.postgres import PostgresStore
from holdfast.adapters.reference.keys import ReferenceKeys
from holdfast.adapters.sqlite import Options
from holdfast.adapters.sqlite.keys import SqliteKeys
from holdfast.keyring import Keyring
from holdfast.testing.clock import ManualClock


@pytest.fixture(params=["reference", "sqlite", "postgres"])
def keys(request, tmp_path, place):
    if request.param == "postgres":
        house = PostgresStore(place("postgres"))
        yield house.keys
        house.close()
        return
    made = ReferenceKeys() if request.param == "reference" else SqliteKeys(tmp_path, Options())
    yield made
    made.close()


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def ring(keys, clock):
    return Keyring(keys, clock)


def test_a_key_is_recognised_and_speaks_for_its_role_in_its_spaces(ring):
    new = ring.create("kitchen", role="agent", spaces=["user:ada", "用户:小明"])
    held = ring.holder(new.token)
    assert held == new.key
    assert (held.actor.role, held.actor.name) == (Role.AGENT, "kitchen")
    assert held.opens("用户:小明")
    assert not held.opens("user:bea")
    assert held.only_space == ""
    assert ring.create("one", role="user", spaces=["user:ada"]).key.only_space == "user:ada"


def test_nothing_but_the_key_itself_is_recognised(ring):
    token = ring.create("kitchen", role="agent", spaces=["user:ada"]).token
    other = ring.create("hall", role="owner", spaces=["*"]).token
    mark, id, secret = token.split("_", 2)
    wrong = [
        "", "hf", "hf_", "hf__", token[:-1], token + "x", token.upper(), f"{mark}_{id}_", f"xx_{id}_{secret}",
        f"{mark}_{other.split('_')[1]}_{secret}", f"{mark}_' OR 1=1 --_{secret}", "钥匙", token * 1000,
        f"{mark}_{id}_é",
    ]  # fmt: skip
    assert [text for text in wrong if ring.holder(text) is not None] == []


def test_a_key_ends_by_time_and_by_hand_and_stays_in_the_list(ring, clock):
    short = ring.create("guest", role="agent", spaces=["user:ada"], days=2)
    clock.advance(seconds=1)
    long = ring.create("friend", role="agent", spaces=["user:ada"])
    clock.advance(days=2)
    assert ring.holder(short.token) is None
    assert ring.holder(long.token) is not None
    ended = ring.revoke(long.key.id)
    assert ring.holder(long.token) is None
    clock.advance(days=1)
    assert ring.revoke(long.key.id).revoked_at == ended.revoked_at
    assert [key.name for key in ring.list()] == ["guest", "friend"]


def test_no_secret_is_kept_or_shown_a_second_time(ring):
    new = ring.create("kitchen", role="agent", spaces=["user:ada"])
    secret = new.token.split("_", 2)[2]
    assert secret not in repr(new)
    assert secret not in repr(ring.list())
    assert secret not in str(vars(ring))
    (kept,) = ring.list()
    assert kept.digest != secret
    assert kept.digest not in repr(kept)


def test_wrong_keys_are_not_made_and_say_why(ring):
    wrong = [
        ("role", {"role": "system", "spaces": ["a"]}),
        ("role", {"role": "king", "spaces": ["a"]}),
        ("spaces", {"role": "agent"}),
        ("spaces", {"role": "agent", "spaces": [""]}),
        ("spaces", {"role": "agent", "spaces": "user:ada"}),
        ("spaces", {"role": "agent", "spaces": [str(n) for n in range(101)]}),
        ("days", {"role": "agent", "spaces": ["a"], "days": -1}),
        ("days", {"role": "agent", "spaces": ["a"], "days": float("nan")}),
    ]
    for field, told in wrong:
        with pytest.raises(InvalidInput, match=field):
            ring.create("kitchen", **told)
    with pytest.raises(InvalidInput, match="name"):
        ring.create(" ", role="admin")
    with pytest.raises(NotFound, match="no key 'nobody'"):
        ring.revoke("nobody")
    assert ring.is_empty()


def test_an_id_is_given_once(keys, ring):
    key = ring.create("kitchen", role="agent", spaces=["a"]).key
    with pytest.raises(InvalidInput, match="another key"):
        keys.add(replace(key, name="other"))


def test_keys_outlive_the_process_and_are_seen_by_others_at_once(tmp_path):
    with Holdfast(tmp_path) as one, Holdfast(tmp_path) as other:
        token = one.keys.create("kitchen", role="agent", spaces=["user:ada"]).token
        held = other.keys.holder(token)
        assert held is not None
        other.keys.revoke(held.id)
        assert one.keys.holder(token) is None
    assert (tmp_path / "keys.db").stat().st_mode & 0o077 == 0
    raw = b"".join(path.read_bytes() for path in tmp_path.glob("keys.db*"))
    assert token.split("_", 2)[2].encode() not in raw
