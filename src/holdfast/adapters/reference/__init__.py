"""The reference adapter: the specification of a store, in memory."""

from __future__ import annotations

from holdfast.adapters.reference.store import ReferenceStore

__all__ = ["ReferenceStore"]
