"""`ports.working.Working` over Redis: a list a space, trimmed, with a time to live, and beside it the number
of the write it was told at. Both change in one script, so that a reader never sees one without the other.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from holdfast.errors import Unavailable
from holdfast.model.codec import decode_image, encode_image, micros, moment
from holdfast.ports.working import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

_ONCE = Retry(NoBackoff(), 1, (redis.ConnectionError,))
"""A server that was started anew is asked again on a new connection; one that hangs is not asked again."""
MOST = 1000
"""No list is longer, whoever fills it."""

_KEEP = """
if tonumber(redis.call('GET', KEYS[2]) or '-1') > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
for place = #ARGV, 4, -1 do redis.call('LPUSH', KEYS[1], ARGV[place]) end
redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[3])
return 1
"""
_ADVANCE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end
"""
_NEWEST = "return {redis.call('GET', KEYS[2]), redis.call('LRANGE', KEYS[1], 0, -1)}"


class RedisWorking:
    """Implements `ports.working.Working`. Connects when it is first asked."""

    name = "redis"

    def __init__(self, url: str, *, timeout: float = 1.0) -> None:
        told: Any = redis.Redis.from_url(
            url,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            decode_responses=True,
            retry=_ONCE,
        )
        self._redis = told
        self._keep = told.register_script(_KEEP)
        self._advance = told.register_script(_ADVANCE)
        self._newest = told.register_script(_NEWEST)

    def keep(self, space: str, entries: Sequence[Entry], *, sequence: int, seconds: float) -> None:
        told = [_written(entry) for entry in entries[:MOST]]
        with _asked():
            self._keep(keys=_keys(space), args=[sequence, MOST, max(1, ceil(seconds)), *told])

    def advance(self, space: str, sequence: int) -> None:
        with _asked():
            self._advance(keys=_keys(space)[1:], args=[sequence - 1, sequence])

    def newest(self, space: str, most: int, since: datetime) -> tuple[int, list[Entry]]:
        with _asked():
            sequence, told = self._newest(keys=_keys(space))
        if sequence is None:
            return -1, []
        entries = (_read(text) for text in told)
        return int(sequence), [entry for entry in entries if entry.at >= since][:most]

    def drop(self, space: str) -> None:
        with _asked():
            self._redis.delete(*_keys(space))

    def close(self) -> None:
        self._redis.close()


def _keys(space: str) -> list[str]:
    """The list and its sequence; the braces keep both on one node of a cluster."""
    return [f"holdfast:{{{space}}}:working", f"holdfast:{{{space}}}:sequence"]


def _written(entry: Entry) -> str:
    told = {"id": entry.id, "at": micros(entry.at)}
    if entry.memory is not None:
        told["memory"] = json.loads(encode_image(entry.memory))
    return json.dumps(told, ensure_ascii=False)


def _read(text: str) -> Entry:
    told = json.loads(text)
    memory = decode_image(json.dumps(told["memory"])) if "memory" in told else None
    return Entry(told["id"], moment(told["at"]), memory)


@contextmanager
def _asked() -> Iterator[None]:
    """Around every call."""
    try:
        yield
    except (redis.RedisError, OSError) as error:
        raise Unavailable(f"redis cannot be asked: {error}") from None
