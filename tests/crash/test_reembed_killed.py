"""A process killed in the middle of giving a space another embedder: nothing is lost, and it goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from holdfast import EmbedderSettings, Holdfast, Settings
from holdfast.wire import Own

MANY = 900
OLD, NEW = (EmbedderSettings(name="hashing", dimensions=size) for size in (64, 96))
# Says when a part of the vectors is stored, and then stands still until it is killed.
STANDS_STILL = """
import sys, time
from holdfast import EmbedderSettings, Holdfast, Settings
from holdfast.wire import Own

def told(done, of):
    if done >= int(sys.argv[2]):
        print("half", flush=True)
        time.sleep(600)

own = Own(settings=Settings(embedder=EmbedderSettings(name="hashing", dimensions=64)))
Holdfast(sys.argv[1], own).reembed("家", EmbedderSettings(name="hashing", dimensions=96), told=told)
"""


@pytest.mark.row("B7")
def test_a_switch_killed_half_way_loses_nothing_and_goes_on(tmp_path):
    own = Own(settings=Settings(embedder=OLD))
    with Holdfast(tmp_path, own) as hf:
        me = hf.space("家", profile="assistant")
        me.remember_many([{"content": f"记事 number {i}", "layer": "episode"} for i in range(MANY)])
        for part in (256, 512):
            process = subprocess.Popen(
                [sys.executable, "-c", STANDS_STILL, str(tmp_path), str(part)], stdout=subprocess.PIPE
            )
            try:
                assert process.stdout.readline() == b"half\n"
                assert me.remember(f"written while it was built, {part}", layer="episode").memory
            finally:
                process.kill()
                process.communicate()
            assert me.recall("记事").searched["embedder"] == "hashing/64"
            assert me.stats().embedded == {"hashing/64": MANY + part // 256, "hashing/96": part}
        assert hf.reembed("家", NEW).made == MANY + 2 - 512
        assert me.recall("记事").searched["embedder"] == "hashing/96"
        assert me.stats().embedded == dict.fromkeys(("hashing/64", "hashing/96"), MANY + 2)
        assert me.verify().ok
        assert hf.doctor() == []
