"""A conversation held by an event loop."""

from __future__ import annotations

import asyncio

import pytest

from .conftest import EVENING


@pytest.mark.row("M7")
def test_a_conversation_can_be_awaited(hf):
    async def talked():
        me = await hf.aio.space("user:wren", profile="assistant")
        talk = await me.converse("evening")
        await talk.say("user", "我喜欢吃拉面", at=EVENING)
        found = await talk.recall("拉面", at=EVENING)
        return len(found), await talk.end(at=EVENING)

    hits, ended = asyncio.run(talked())
    assert hits == 1
    assert [out.memory.content for out in ended.observations] == ["我喜欢吃拉面"]
