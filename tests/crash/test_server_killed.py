"""The server is killed in the middle of what many do, and started again: what was acknowledged is there."""

from __future__ import annotations

import threading
import time

from holdfast.adapters.postgres import PostgresStore
from holdfast.errors import Unavailable
from holdfast.model.plan import Listing
from holdfast.testing.samples import Samples

SPACES = 3
KILLS = 3
EVERY = Listing(limit=10_000)


def test_no_acknowledged_write_is_lost_and_nothing_crosses_when_the_server_is_killed(
    postgres, postgres_house
):
    store = PostgresStore(postgres_house)
    records = Samples(1)
    spaces = [store.open(store.create(records.record(name))) for name in ("甲", "乙", "c")]
    kept, strangers, over = [set() for _ in spaces], [], threading.Event()

    def use(number):
        samples, space = Samples(50 + number), spaces[number]
        while not over.is_set():
            memory = samples.memory(content=f"{number} of these")
            try:
                space.apply(samples.plan(memory))
                kept[number].add(memory.id)
                strangers.extend(m.id for m in space.list(EVERY) if m.content != f"{number} of these")
            except Unavailable:
                time.sleep(0.01)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(SPACES)]
    for thread in threads:
        thread.start()
    for _ in range(KILLS):
        time.sleep(0.4)
        postgres.kill()
        postgres.start()
    time.sleep(0.4)
    over.set()
    for thread in threads:
        thread.join()
    assert all(kept)
    assert strangers == []
    for known, space in zip(kept, spaces, strict=True):
        assert space.get(list(known)).keys() == known
        assert space.verify().ok
    assert store.doctor() == []
    store.close()
