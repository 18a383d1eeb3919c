"""The memory of a server: `Client(url, key)` in place of `Holdfast(…)`, with the same verbs and values."""

from __future__ import annotations

from holdfast.client.house import Client
from holdfast.client.space import RemoteSpace

__all__ = ["Client", "RemoteSpace"]
