"""The SQLite engine: a directory, one file for each space, a small catalog beside them."""

from __future__ import annotations

from holdfast.adapters.sqlite.files import Options
from holdfast.adapters.sqlite.store import SqliteStore

__all__ = ["Options", "SqliteStore"]
