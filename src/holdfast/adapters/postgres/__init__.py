"""The PostgreSQL engine: one database for many processes, every table keyed and partitioned by the space."""

from __future__ import annotations

from holdfast.adapters.postgres.options import Options
from holdfast.adapters.postgres.store import PostgresStore

__all__ = ["Options", "PostgresStore"]
