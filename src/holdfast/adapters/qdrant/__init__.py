"""Qdrant (1.16 or later): finds candidates by meaning for spaces that no process should hold in memory."""

from __future__ import annotations

from holdfast.adapters.qdrant.index import QdrantIndex

__all__ = ["QdrantIndex"]
