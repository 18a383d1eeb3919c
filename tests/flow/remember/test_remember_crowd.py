"""Several writers of one space: whoever takes long to decide gets through all the same."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from holdfast.remember.writing import write


def test_a_slow_decision_is_not_overtaken_for_ever(space):
    """A batch takes longer to decide than others take to write; it waits for its turn, once."""
    me = space()
    scope, stop, tries = me._scope, threading.Event(), []

    def others():
        while not stop.is_set():
            me.remember(f"the heron was seen {time.monotonic_ns()} times")

    def slowly():
        seen = scope.store.sequence()
        tries.append(seen)
        time.sleep(0.05)
        return replace(scope.plan("note", scope.clock.now()), seen=seen), "through"

    writer = threading.Thread(target=others)
    writer.start()
    try:
        assert write(scope, slowly) == "through"
    finally:
        stop.set()
        writer.join()
    assert len(tries) <= 3  # before its turn, in it, and once more for what was under way
