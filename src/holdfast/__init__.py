"""Holdfast: long-term memory for agents.

>>> from holdfast import Holdfast
>>> me = Holdfast("memory://").space("user:ada", profile="assistant")
>>> me.remember("I take my coffee black").decision
<Decision.ACCEPTED: 'accepted'>

Importing this loads no engine and no model and reads no environment; the names below load what they need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.aio import AsyncHoldfast
    from holdfast.engine import Holdfast
    from holdfast.errors import Forbidden, HoldfastError, InvalidInput, NotFound, UnknownSpace
    from holdfast.model.actor import Actor, Role
    from holdfast.model.draft import Draft
    from holdfast.model.layer import Decision
    from holdfast.model.memory import Memory
    from holdfast.settings import EmbedderSettings, Settings
    from holdfast.worker import Worker

__version__ = "0.1.0"

_HOME = {
    "Actor": "holdfast.model.actor",
    "AsyncHoldfast": "holdfast.aio",
    "Decision": "holdfast.model.layer",
    "Draft": "holdfast.model.draft",
    "EmbedderSettings": "holdfast.settings",
    "Forbidden": "holdfast.errors",
    "Holdfast": "holdfast.engine",
    "HoldfastError": "holdfast.errors",
    "InvalidInput": "holdfast.errors",
    "Memory": "holdfast.model.memory",
    "NotFound": "holdfast.errors",
    "Role": "holdfast.model.actor",
    "Settings": "holdfast.settings",
    "UnknownSpace": "holdfast.errors",
    "Worker": "holdfast.worker",
}

__all__ = [
    "Actor",
    "AsyncHoldfast",
    "Decision",
    "Draft",
    "EmbedderSettings",
    "Forbidden",
    "Holdfast",
    "HoldfastError",
    "InvalidInput",
    "Memory",
    "NotFound",
    "Role",
    "Settings",
    "UnknownSpace",
    "Worker",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
