"""Memories at a time of their own, for the tests of this room."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from holdfast.model.memory import Memory

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def days(count):
    return timedelta(days=count)


def hours(count):
    return timedelta(hours=count)


def memory(kind="preference", at=NOON, **told):
    times = {"created_at": at, "updated_at": at, "last_activated_at": at}
    return Memory(**{"id": "m1", "space": "s", "content": "我喜欢喝咖啡", "kind": kind, **times, **told})
