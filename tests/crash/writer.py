"""A process that writes until it is done or killed; each line it prints promises that something is on disk.

python writer.py <directory> lone|bulk|mention|turn|purge <space> <count>
"""

from __future__ import annotations

import sys
from dataclasses import replace

from holdfast.adapters.clock import SystemClock
from holdfast.adapters.sqlite import SqliteStore
from holdfast.model.plan import Indexed, Listing
from holdfast.testing.samples import Samples
from holdfast.testing.stores.threads import mention

MANY = {"lone": 3, "bulk": 400, "purge": 2}


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def write(space, mode, count):
    """Plans of memories that belong together by their session; `purge` shreds the first of each again."""
    clock, samples = SystemClock(), Samples(1)
    for _ in range(count):
        change = clock.new_id()
        memories = [
            replace(samples.memory(session=change, content=f"秘密 {change}"), id=clock.new_id())
            for _ in range(MANY[mode])
        ]
        rows = tuple(Indexed(memory.id, b"record", b"words", b"v" * 64) for memory in memories)
        plan = samples.plan(*memories, indexed=rows, embedder="e", captures=(samples.capture(id=change),))
        space.apply(replace(plan, change=change))
        if mode == "purge":
            space.apply(samples.plan(change=clock.new_id(), purges=(memories[0].id,)))
        say(change, len(memories))


def main(directory, mode, name, count):
    store = SqliteStore(directory)
    space = store.open(store.create(replace(Samples().record(name), id=SystemClock().new_id())))
    say("ready", space.id)
    if mode in MANY:
        write(space, mode, int(count))
    for _ in range(int(count) if mode not in MANY else 0):
        (memory,) = space.list(Listing(limit=1))
        if mode == "turn":
            with space.turn():
                tries = mention(space, memory.id)
        else:
            tries = mention(space, memory.id)
        say(memory.id, tries)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
