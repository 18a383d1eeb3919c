"""What was purged is on no disk any more: not in the file, not in its log, not in a vector."""

from __future__ import annotations

import struct

import apsw
import pytest

from holdfast.adapters.sqlite import Options, SqliteStore
from holdfast.model.memory import Attachment, Correction, Said
from holdfast.testing.samples import Samples
from holdfast.testing.stores.trial import seen

SECRETS = (
    "秘密的病歷：糖尿病",
    "the garage code is 4711",
    "秘密标签",
    "tag-geheim",
    "meta-geheim",
    "original-geheim",
)
VECTOR = struct.pack("<64f", *(0.125 + number / 1000 for number in range(64)))


def on_disk(house):
    """Every byte of every file."""
    return b"".join(path.read_bytes() for path in sorted(house.rglob("*")) if path.is_file())


def traces(house):
    data = on_disk(house)
    words = [word for word in SECRETS if word.encode() in data or word.encode("unicode_escape") in data]
    return words + (["vector"] if VECTOR[:64] in data or VECTOR[-64:] in data else [])


def secret(samples):
    at = samples.clock.now()
    return samples.memory(
        content=SECRETS[0],
        label=SECRETS[2],
        tags=(SECRETS[3],),
        metadata={"k": SECRETS[4]},
        originals={"id": SECRETS[5]},
        corrections=(Correction(at, "reason", SECRETS[0]),),
        said=(Said(at, SECRETS[1]),),
        attachments=(Attachment("image", "ref", "digest", SECRETS[1], at),),
    )


@pytest.fixture
def house(tmp_path):
    """A space in which one memory of many, in two versions, is to be forgotten."""
    store, samples = SqliteStore(tmp_path / "house", Options(patience=0.3)), Samples(3)
    space = store.open(store.create(samples.record()))
    memory = secret(samples)
    row = samples.indexed(memory.id, record=SECRETS[0].encode(), words=SECRETS[1].encode(), vector=VECTOR)
    others = [samples.full_memory() for _ in range(40)]
    rows = [samples.indexed(other.id, vector=bytes(len(VECTOR))) for other in others]
    space.apply(samples.plan(*others[:20], indexed=tuple(rows[:20]), embedder="e"))
    space.apply(samples.plan(memory, indexed=(row,), embedder="e"))
    space.apply(samples.plan(*others[20:], indexed=tuple(rows[20:]), embedder="e"))
    changed = samples.changed(memory, content=SECRETS[1])
    space.apply(samples.plan(changed, indexed=(row,), embedder="e"))
    yield tmp_path / "house", store, space, memory
    store.close()


def test_purged_words_are_gone_from_every_file_at_once(house):
    path, _, space, memory = house
    assert traces(path) == [*SECRETS, "vector"]
    space.apply(Samples(8).plan(purges=(memory.id,)))
    assert traces(path) == []
    assert space.verify().problems == ()


def test_they_are_gone_from_a_file_that_was_closed_before(house):
    path, store, space, memory = house
    store.close()
    assert traces(path) == [*SECRETS, "vector"]
    space.apply(Samples(8).plan(purges=(memory.id,)))
    store.close()
    assert traces(path) == []


def test_dropped_captures_are_gone_too(house):
    path, _, space, memory = house
    space.apply(Samples(8).plan(purges=(memory.id,)))
    capture = Samples(9).capture(content=SECRETS[0])
    space.apply(Samples(8).plan(change="taken", captures=(capture,)))
    assert traces(path) == [SECRETS[0]]
    space.apply(Samples(8).plan(change="dropped", drops=(capture.id,)))
    assert traces(path) == []


def test_a_reader_who_still_looks_at_them_delays_it_until_the_next_write(house):
    path, _, space, memory = house
    (file,) = (path / "spaces").glob("*.db")
    reader = apsw.Connection(str(file))
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory").fetchall()
    space.apply(Samples(8).plan(purges=(memory.id,)))
    assert space.get([memory.id])[memory.id].content == ""
    assert traces(path)
    reader.execute("ROLLBACK")
    space.apply(Samples(8).plan(change="anything"))
    assert traces(path) == []
    reader.close()


def test_the_others_are_as_they_were(house):
    _, _, space, memory = house
    before = seen(space)
    space.apply(Samples(8).plan(purges=(memory.id,)))
    after = seen(space)
    others = [[m for m in each["memories"] if m.id != memory.id] for each in (before, after)]
    assert others[0] == others[1]
    place = list(before["batch"]["ids"]).index(memory.id)
    for name, column in before["batch"].items():
        assert column[:place] + column[place + 1 :] == after["batch"][name]
