"""What is level 3 is kept sealed: found by its label, opened by those allowed, in plain nowhere (E14)."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from holdfast.adapters.cipher import AesGcmCipher, FileMaster, MemoryMaster
from holdfast.engine import Holdfast
from holdfast.errors import (
    Damaged,
    Forbidden,
    HoldfastError,
    IllegalChange,
    InvalidInput,
    NotFound,
    Unavailable,
)
from holdfast.model.actor import Actor
from holdfast.model.layer import Decision
from holdfast.settings import SealingSettings, Settings
from holdfast.wire import Own

if TYPE_CHECKING:
    from pathlib import Path

AGENT, AUDITOR, PATIENT = Actor("agent", "cook"), Actor("auditor"), Actor("user", "ada")
TOLD = [
    ("我的银行卡密码是837261", "837261", "密码"),
    ("我的銀行卡密碼是 837261", "837261", "密碼"),
    ("My bank PIN is 837261", "837261", "password"),
]


@pytest.fixture
def place(tmp_path):
    return tmp_path / "memory"


@pytest.fixture
def house(place):
    with Holdfast(place) as hf:
        yield hf


@pytest.fixture
def me(house):
    return house.space("user:ada", profile="assistant")


def bytes_in(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file())


@pytest.mark.row("E14")
@pytest.mark.parametrize(("words", "value", "label"), TOLD)
def test_a_secret_is_kept_found_by_its_label_and_opened_and_in_plain_nowhere(
    house, me, place, words, value, label
):
    out = me.remember(words)
    assert (out.decision, out.memory.content, out.memory.sensitivity) == (Decision.ACCEPTED, label, 3)
    assert [hit.memory.id for hit in me.recall(label).hits] == [out.memory.id]
    assert value not in me.context(label).text
    assert me.recall(value).hits == ()
    assert me.open(out.memory.id).content == words
    assert value not in repr(me.open(out.memory.id)) + repr(out) + str(out.reasons)
    house.work()
    house.close()
    assert value.encode() not in bytes_in(place)
    assert words.encode() not in bytes_in(place)


@pytest.mark.row("E14")
def test_only_those_allowed_open_it_and_the_ledger_says_who_did(me):
    kept = me.remember("the safe is opened by four figures", sensitivity=3, label="the safe").memory
    for actor in (AGENT, AUDITOR):
        with pytest.raises(Forbidden, match="open"):
            me.as_actor(actor).open(kept.id)
        with pytest.raises(Forbidden, match="seal"):
            me.as_actor(actor).seal(kept.id)
    assert me.as_actor(PATIENT).open(kept.id).content == "the safe is opened by four figures"
    last = me.ledger()[-1]
    assert (last.verb, last.actor, last.reasons) == ("open", str(PATIENT), (f"opened {kept.id}",))
    assert "the safe" not in " ".join(last.reasons)
    assert me.verify().ok


@pytest.mark.row("E14")
def test_the_same_secret_is_a_mention_and_another_one_stands_beside(me):
    first = me.remember("我的银行卡密码是837261").memory
    again = me.remember("我的銀行卡密碼是837261")
    assert (again.decision, again.memory.id, again.memory.mentions) == (Decision.REINFORCED, first.id, 2)
    other = me.remember("门锁密码改成 1208 了，你记一下", label="大门")
    assert other.memory.id != first.id
    assert me.open(other.memory.id).content == "门锁密码改成 1208 了，你记一下"


def test_a_revision_that_tells_a_secret_is_sealed_and_stays_so(me, house, place):
    kept = me.remember("Juniper's locker is the blue one").memory
    sealed = me.revise(kept.id, content="my password is 837261tea").memory
    assert (sealed.version, sealed.sensitivity, sealed.content) == (2, 3, "password")
    assert me.open(kept.id).content == "my password is 837261tea"
    newer = me.revise(kept.id, content="nothing to see here").memory
    assert (newer.version, newer.content) == (3, "password")
    assert me.open(kept.id).content == "nothing to see here"
    assert me.revise(kept.id, tags=["locker"]).memory.tags == ("locker",)
    assert me.open(kept.id).content == "nothing to see here"
    with pytest.raises(InvalidInput, match="cannot be lowered"):
        me.revise(kept.id, sensitivity=1)
    house.close()
    assert b"837261tea" not in bytes_in(place)


@pytest.mark.row("E14")
def test_what_was_kept_in_plain_is_sealed_afterwards_and_its_plain_versions_are_destroyed(me, house, place):
    kept = me.remember("The word at the gate is kingfisher-blue", metadata={"by": "the porter"}).memory
    me.revise(kept.id, content="The word at the gate is kingfisher-green")
    with pytest.raises(InvalidInput, match="seal"):
        me.revise(kept.id, sensitivity=3)
    sealed = me.seal(kept.id, label="the gate").memory
    assert (sealed.content, sealed.sensitivity, me.open(sealed.id).metadata) == (
        "the gate",
        3,
        {"by": "the porter"},
    )
    assert me.open(sealed.id).content == "The word at the gate is kingfisher-green"
    gone = me.get(kept.id)
    assert (gone.content, str(gone.status), gone.superseded_by) == ("", "deleted", sealed.id)
    with pytest.raises(HoldfastError):
        me.restore(kept.id)
    assert me.seal(sealed.id).reasons == ("it is sealed already",)
    assert me.verify().ok
    house.close()
    assert b"kingfisher" not in bytes_in(place)


def test_what_cannot_be_sealed_or_opened_says_so(me):
    plain = me.remember("The blue door squeaks").memory
    with pytest.raises(InvalidInput, match="not sealed"):
        me.open(plain.id)
    with pytest.raises(NotFound, match="nothing of id"):
        me.open("01a1f5ac-5b2e-7794-be2e-12ac7d761c89")
    with pytest.raises(InvalidInput, match="label"):
        me.seal(plain.id, label="my password is 837261tea")
    change = me.constitution.propose("Ada lives by the sea")
    token = change.token
    while token:
        token = change.confirm(token)
    with pytest.raises(IllegalChange, match="constitution"):
        me.seal(me.constitution.entries()[0].id)
    with pytest.raises(InvalidInput, match="level 3"):
        me.constitution.propose("my password is 837261tea")


@pytest.mark.row("E14")
def test_the_master_key_is_its_owners_alone_and_nothing_opens_without_it(me, house, place):
    kept = me.remember("My bank PIN is 837261").memory
    key = place / "master.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    with pytest.raises(Unavailable, match="chmod 600"):
        me.open(kept.id)
    key.chmod(0o600)
    away = key.rename(place.parent / "away.key")
    with pytest.raises(Unavailable, match="needs the master key"):
        me.open(kept.id)
    assert me.recall("password").hits[0].memory.id == kept.id
    away.rename(key)
    assert me.open(kept.id).content == "My bank PIN is 837261"


@pytest.mark.row("E14")
@pytest.mark.parametrize("left", [None, ""], ids=["away", "empty"])
def test_no_new_master_key_takes_the_place_of_one_that_is_away(me, house, place, left):
    told = me.remember(TOLD[0][0]).memory.id
    key = place / "master.key"
    kept = key.read_text()
    key.unlink()
    if left is not None:
        key.write_text(left)
        key.chmod(0o600)
    another = house.space("user:bob", profile="assistant")
    for asked in (lambda: another.remember(TOLD[2][0]), house.rotate, lambda: me.open(told)):
        with pytest.raises(Unavailable, match="needs the master key"):
            asked()
    assert (key.read_text() if key.exists() else None) == left
    key.write_text(kept)
    key.chmod(0o600)
    assert me.open(told).content == TOLD[0][0]
    assert another.remember(TOLD[2][0]).decision is Decision.ACCEPTED


@pytest.mark.row("E14")
def test_a_rotation_wraps_every_key_anew_and_destroys_the_old_master_key(me, house, place):
    other = house.space("user:bo", profile="care")
    ids = [space.remember("My bank PIN is 837261").memory.id for space in (me, other)]
    before = (place / "master.key").read_text()
    assert house.rotate() == 2
    after = (place / "master.key").read_text()
    assert before.splitlines()[1] not in after
    assert [space.open(id).content for space, id in zip((me, other), ids, strict=True)] == [
        "My bank PIN is 837261"
    ] * 2


def test_a_rotation_that_was_stopped_half_way_goes_on(me, house, place):
    kept = me.remember("My bank PIN is 837261").memory
    AesGcmCipher(FileMaster(place / "master.key")).renew()  # and then the power went
    assert me.open(kept.id).content == "My bank PIN is 837261"
    assert house.rotate() == 1
    assert len((place / "master.key").read_text().splitlines()) == 2
    assert me.open(kept.id).content == "My bank PIN is 837261"


def test_a_master_key_that_is_told_is_renewed_by_whoever_tells_it(place):
    old, new = "AAAA" * 10 + "AAA=", "BBBB" * 10 + "BBA="

    def opened(key):
        return Holdfast(place, Own(settings=Settings(sealing=SealingSettings(key=key))))

    with opened(old) as hf:
        kept = hf.space("a", profile="assistant").remember("My bank PIN is 837261").memory
        with pytest.raises(InvalidInput, match="NEW,OLD"):
            hf.rotate()
    with opened(f"{new},{old}") as hf:
        assert hf.rotate() == 1
    with opened(new) as hf:
        assert hf.space("a").open(kept.id).content == "My bank PIN is 837261"
    with pytest.raises(InvalidInput, match="HOLDFAST_MASTER_KEY"):
        opened("not a key")
    assert not (place / "master.key").exists()


def test_a_sealed_text_opens_in_no_other_place():
    cipher = AesGcmCipher(MemoryMaster())
    key, other = cipher.new_key(), cipher.new_key()
    sealed = cipher.seal(key, "杏仁", about="one")
    assert cipher.open(key, sealed, about="one") == "杏仁"
    for wrong in (
        (key, sealed, "two"),
        (other, sealed, "one"),
        (key, sealed[:-4] + "AAAA", "one"),
        (key, "2.x", "one"),
    ):
        with pytest.raises(Damaged):
            cipher.open(*wrong[:2], about=wrong[2])
    assert cipher.mark(key, "杏仁") == cipher.mark(key, "杏仁") != cipher.mark(other, "杏仁")


@pytest.mark.row("E14")
def test_quarantine_covers_a_secret_and_keeps_the_whole_sealed(me, house, place):
    capture = me.as_actor(AGENT).capture(
        "工具回答：密码是837261tea。", metadata={"prompt": "用 my password is 837261tea 登录"}
    )
    assert "837261" not in capture.content + str(capture.metadata)
    assert me.open(capture.id).content == "工具回答：密码是837261tea。"
    assert me.open(capture.id).metadata["prompt"].endswith("登录")
    with pytest.raises(Forbidden):
        me.as_actor(PATIENT).open(capture.id)
    house.close()
    assert b"837261" not in bytes_in(place)
