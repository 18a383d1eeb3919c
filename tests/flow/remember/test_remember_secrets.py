"""No secret on the disk, wherever it was told: beside the words, in a reason, under a key (E14)."""

from __future__ import annotations

import pytest

from holdfast.engine import Holdfast
from holdfast.errors import InvalidInput
from holdfast.model.layer import Decision

VALUE = "Xk9!qZr77"
SECRETS = [f"my password is {VALUE}", f"我的密码是{VALUE}", f"我的密碼是 {VALUE}"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A house as it is installed, and its directory."""
    place = tmp_path_factory.mktemp("house")
    with Holdfast(place) as hf:
        yield hf, place


@pytest.fixture
def me(installed):
    hf, place = installed
    space = hf.space(f"user:{len(hf.spaces())}", profile="assistant")
    yield space
    assert not [path for path in place.rglob("*") if path.is_file() and VALUE.encode() in path.read_bytes()]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("field", ["source", "speaker", "session", "label"])
def test_a_secret_in_a_name_is_refused(me, field, secret):
    out = me.remember("The blue door squeaks", **{field: secret})
    assert out.decision is Decision.REFUSED
    assert any("beside its words" in reason for reason in out.reasons)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_in_tags_or_a_type_is_refused(me, secret):
    told = [{"tags": [secret]}, {"source_ids": [secret]}, {"entity_type": secret, "entity_value": "x"}]
    outs = me.remember_many([{"content": "The blue door squeaks", **one} for one in told])
    assert {out.decision for out in outs} == {Decision.REFUSED}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("wrap", [lambda s: {"note": {"deep": [s]}}, lambda s: {s: 1}])
def test_a_secret_in_metadata_is_sealed_with_the_words(me, secret, wrap):
    kept = me.remember("The blue door squeaks", metadata=wrap(secret)).memory
    assert (kept.sensitivity, kept.metadata) == (3, {})
    assert me.open(kept.id).metadata == wrap(secret)
    assert me.open(kept.id).content == "The blue door squeaks"


@pytest.mark.parametrize("name", ["password", "密码", "密碼", "wifi_password"])
def test_a_name_makes_its_value_a_secret(me, name):
    entity = me.store_entity(name, VALUE).memory
    assert (entity.entity_type, entity.entity_value, me.open(entity.id).entity_value) == (name, "", VALUE)
    assert me.remember("The blue door squeaks", metadata={name: VALUE}).memory.sealed
    assert me.remember(VALUE, label=name).memory.content == name
    capture = me.capture("the tool answered", metadata={name: VALUE, "room": "hall"})
    assert (capture.metadata["room"], VALUE in str(capture.metadata)) == ("hall", False)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_not_edited_in(me, secret):
    kept = me.remember("The blue door squeaks").memory
    for changes in ({"source": secret}, {"tags": [secret]}, {"label": secret}):
        assert me.revise(kept.id, **changes).decision is Decision.REFUSED
    for details in ({"reference": secret}, {"digest": secret}):
        assert me.attach(kept.id, modality="image", **details).decision is Decision.REFUSED
    waiting = me.remember("The green door sticks", requires_approval=True).memory
    for edit in (
        lambda: me.forget(kept.id, secret),
        lambda: me.mark_for_review(kept.id, secret),
        lambda: me.reject(waiting.id, secret),
    ):
        with pytest.raises(InvalidInput, match="reason: holds a secret"):
            edit()
    assert me.get(kept.id).version == 1


@pytest.mark.parametrize("secret", SECRETS)
def test_quarantine_blacks_out_keys_and_sessions_too(me, secret):
    me.capture("the tool answered", metadata={secret: secret}, session=secret)
    me.remember(secret, layer="quarantine", session=secret, metadata={"prompt": secret})
    assert len(me.captures()) == 2


@pytest.mark.parametrize(
    "told",
    [
        {"metadata": {"prompt_tokens": "512", "tokens": 4096, "sha256": "0f" * 32}},
        {"metadata": {"thread_id": "1212345678901234567", "ts": 1767225600000000}},
        {"source": "chat", "source_ids": ["01a1f0df-7738-7cfc-a5e8-3a79d3fe88b7"], "tags": ["工作", "2024"]},
        {"entity_type": "料号", "entity_value": "RM05-008"},
        {"entity_type": "code", "entity_value": "RM05-009"},
    ],
)
def test_what_programs_tell_of_a_memory_is_no_secret(me, told):
    out = me.remember("The blue door squeaks", **told)
    assert out.decision is Decision.ACCEPTED
    digest = "0f" * 32
    attached = me.attach(out.memory.id, modality="image", reference="door.jpg", digest=digest)
    assert attached.memory.attachments[0].digest == digest
